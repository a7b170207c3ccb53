import FoundationModels

/// Turns the steps of one turn into events. Each kind of entry has an id of its own, fresh for the request.
struct ScriptPerformer {
    typealias Channel = LanguageModelExecutorGenerationChannel

    private enum Kind { case response, reasoning, toolCalls }

    let requestID: String
    let channel: Channel
    /// Where usage and metadata go: to the entry that was written last.
    private var current = Kind.response
    /// A thought after something else is another entry.
    private var thoughts = 0

    init(requestID: String, channel: Channel) {
        self.requestID = requestID
        self.channel = channel
    }

    private var responseID: String { "\(requestID)-response" }
    private var callsID: String { "\(requestID)-calls" }
    private var reasoningID: String { "\(requestID)-reasoning-\(thoughts)" }

    mutating func perform(_ step: ScriptedStep) async throws {
        switch step {
        case .text(let text, let tokenCount):
            current = .response
            await channel.send(.response(entryID: responseID, action: .appendText(text, tokenCount: tokenCount)))
        case .reasoning(let text, let tokenCount):
            beginReasoning()
            await channel.send(.reasoning(entryID: reasoningID, action: .appendText(text, tokenCount: tokenCount)))
        case .signature(let bytes):
            beginReasoning()
            await channel.send(.reasoning(entryID: reasoningID, action: .updateSignature(bytes, tokenCount: 0)))
        case .toolCall(let id, let name, let arguments):
            current = .toolCalls
            for piece in arguments.isEmpty ? [""] : arguments {
                let action = Channel.ToolCalls.ToolCall.Action.appendArguments(piece, tokenCount: piece.isEmpty ? 0 : 1)
                await channel.send(
                    .toolCalls(entryID: callsID, action: .toolCall(id: id, name: name, action: action)))
            }
        case .usage(let input, let cached, let output, let reasoning):
            await report(
                .init(totalTokenCount: input, cachedTokenCount: cached),
                .init(totalTokenCount: output, reasoningTokenCount: reasoning))
        case .metadata(let values): await describe(values)
        case .event(let event): await channel.send(event)
        case .pause(let duration): try await Task.sleep(for: duration)
        case .failure(let error): throw error
        }
    }

    private mutating func beginReasoning() {
        if current != .reasoning { thoughts += 1 }
        current = .reasoning
    }

    private func report(_ input: Channel.Usage.Input, _ output: Channel.Usage.Output) async {
        switch current {
        case .response:
            await channel.send(.response(entryID: responseID, action: .updateUsage(input: input, output: output)))
        case .reasoning:
            await channel.send(.reasoning(entryID: reasoningID, action: .updateUsage(input: input, output: output)))
        case .toolCalls:
            await channel.send(.toolCalls(entryID: callsID, action: .updateUsage(input: input, output: output)))
        }
    }

    private func describe(_ values: [String: any ConvertibleToGeneratedContent]) async {
        switch current {
        case .response: await channel.send(.response(entryID: responseID, action: .updateMetadata(values)))
        case .reasoning: await channel.send(.reasoning(entryID: reasoningID, action: .updateMetadata(values)))
        case .toolCalls: await channel.send(.toolCalls(entryID: callsID, action: .updateMetadata(values)))
        }
    }
}
