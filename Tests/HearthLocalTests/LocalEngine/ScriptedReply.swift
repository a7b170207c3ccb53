import Foundation
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthLocal
import HearthTestSupport
import HearthTokens

/// A constraint that allows one token a step: the reply is what a test wants it to be, through the real generator.
struct ScriptedReply: TokenConstraint {
    let tokens: [Token]
    private var next = 0

    init(_ tokens: [Token]) { self.tokens = tokens }

    var isFinished: Bool { next == tokens.count }

    mutating func allow(into mask: inout TokenSet) {
        mask.allowNone()
        if next < tokens.count { mask.insert(tokens[next]) }
    }

    mutating func accept(_ token: Token) { next += 1 }
}

/// Allows any token, but holds the generator at its second one until a test lets it go on: what the test does in between
/// happens in the middle of a reply, however fast the machine is.
struct HeldReply: TokenConstraint {
    let goOn: @Sendable () -> Bool
    private var count = 0

    init(until goOn: @escaping @Sendable () -> Bool) { self.goOn = goOn }

    var isFinished: Bool { false }

    mutating func allow(into mask: inout TokenSet) {
        mask.allowAll()
        guard count == 1 else { return }
        // The generator's own thread may wait. A minute: a test that forgot to let it go fails, and does not hang.
        for _ in 0..<60_000 where !goOn() { Thread.sleep(forTimeInterval: 0.001) }
    }

    mutating func accept(_ token: Token) { count += 1 }
}

/// What came out of one request.
struct Reply: Equatable {
    var input = 0
    var cached = 0
    var tokens: [Token] = []
    /// Text of each piece, empty ones included.
    var texts: [String] = []
    var rest = ""
    var reason: FinishReason?
    var seed: UInt64 = 0
    var usage = TokenUsage()

    var text: String { texts.joined() + rest }

    static func == (a: Reply, b: Reply) -> Bool {
        a.tokens == b.tokens && Array(a.text.utf8) == Array(b.text.utf8) && a.reason == b.reason
    }
}

extension LocalEngine {
    /// Reads a reply to its end and checks the order of its events on the way.
    func reply(_ request: LocalRequest, onEvent: (GenerationEvent, GenerationEvents) -> Void = { _, _ in }) async throws
        -> Reply
    {
        var reply = Reply()
        var hasStarted = false
        var hasRest = false
        let events = generate(request)
        for try await event in events {
            precondition(reply.reason == nil, "an event after the last one")
            switch event {
            case .started(let input, let cached):
                precondition(!hasStarted)
                (hasStarted, reply.input, reply.cached) = (true, input, cached)
            case .piece(let token, _, let text, _, _):
                precondition(hasStarted && !hasRest)
                reply.tokens.append(token)
                reply.texts.append(text)
            case .rest(let text, _):
                precondition(!text.isEmpty)
                (hasRest, reply.rest) = (true, text)
            case .finished(let reason, let seed, let usage, _):
                (reply.reason, reply.seed, reply.usage) = (reason, seed, usage)
            }
            onEvent(event, events)
        }
        return reply
    }

    /// Makes the reply be `text`, in the tokens of the tokenizer or in those given.
    func scripted(
        _ tokens: [Token], after prompt: LocalRequest.Prompt, limit: Int? = nil, stops: [String] = []
    ) async throws -> Reply {
        try await reply(
            LocalRequest(
                prompt: prompt, sampling: .greedy, limit: limit, stops: stops, constraint: ScriptedReply(tokens)))
    }
}

/// Engines over a tiny model with random weights, 512 positions and a ChatML template.
enum TinyEngine {
    static let file = Fixtures.url("llama-f32.gguf")

    /// A new one: nothing is cached in it, and no other test has it.
    static func cold(context: Int? = nil, file: URL = file) async throws -> LocalEngine {
        try await LocalEngine.load(file: file, options: ModelOptions(context: context, kv: .f32), table: EngineTable())
    }

    static func messages(_ turns: (role: String, content: String)...) -> LocalRequest.Prompt {
        .messages([
            "messages": .array(turns.map { ["role": .string($0.role), "content": .string($0.content)] })
        ])
    }
}
