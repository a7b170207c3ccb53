import Foundation
import HearthInference
import HearthKernelTypes
import HearthLocks
import HearthTestSupport
import HearthTokens
import HearthWeights

/// The numbers that a correct engine gets from a fixture (`Tests/Fixtures/references`).
struct Reference: Decodable {
    let tokens: [Token]
    let last_logits_exact: [Float]
    let max_abs_diff: Float
    let top: [[[Double]]]
    let greedy: [Token]
    let greedy_margin_exact: [Float]

    static func named(_ name: String) throws -> Reference {
        try JSONDecoder().decode(Reference.self, from: Fixtures.bytes("references/\(name).json"))
    }

    /// The greedy tokens before the first whose margin is below `bound`.
    func certain(_ bound: Float) -> [Token] {
        let count = greedy_margin_exact.firstIndex { $0 < bound } ?? greedy.count
        return Array(greedy.prefix(count))
    }

    func largestDifference(to logits: some Collection<Float>) -> Float {
        zip(logits, last_logits_exact).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
}

extension Generator {
    /// A fixture with KV in Float32 and one thread, unless said otherwise.
    static func fixture(_ name: String, _ options: ModelOptions = .plain) async throws -> Generator {
        try await load(options: options) { try Checkpoint.open(Fixtures.url("\(name).gguf")) }
    }

    /// Logits of the last of `tokens`.
    func lastLogits(_ tokens: [Token], batch: Int = 64) async throws -> [Float] {
        let report = try await score(tokens, batch: batch, keepLogits: true)
        return Array(report.logits.suffix(report.vocabulary))
    }

    func greedy(_ prompt: [Token], limit: Int) async throws -> [Token] {
        try await generate(GenerationRequest(prompt: prompt, sampling: .greedy, limit: limit)).tokens
    }
}

extension ModelOptions {
    static let plain = ModelOptions(kv: .f32, threads: 1)

    func with(_ change: (inout ModelOptions) -> Void) -> ModelOptions {
        var options = self
        change(&options)
        return options
    }
}

/// A repeatable sequence of tokens below `vocabulary`, of which no two seeds share a start.
func tokens(_ count: Int, seed: Int, vocabulary: Int = 320) -> [Token] {
    (0..<count).map {
        Token(Philox.block(counter: SIMD4(UInt32($0), 0, 0, 0), key: SIMD2(UInt32(seed), 1)).x % UInt32(vocabulary))
    }
}

/// What closures of several tasks write down.
final class Notes<Note: Sendable>: Sendable {
    private let list = Locked<[Note]>([])
    func add(_ note: Note) { list.withLock { $0.append(note) } }
    var all: [Note] { list.withLock { $0 } }
}
