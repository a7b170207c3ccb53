import Foundation
import FoundationModels

/// Where translated events go: the framework's channel, or a recording one in tests.
protocol EventSink: Sendable {
    func send(_ event: LanguageModelExecutorGenerationChannel.Event) async
}

extension LanguageModelExecutorGenerationChannel: EventSink {}

/// Lines of the service as events of the framework.
struct LighthouseEventTranslator<Sink: EventSink> {
    let sink: Sink
    var responseEntryID = UUID().uuidString
    var toolCallsEntryID = UUID().uuidString
    var reasoningEntryID = UUID().uuidString
    /// The service names a tool at its start only; every event of a call carries the name.
    private var names: [String: String] = [:]

    init(sink: Sink) {
        self.sink = sink
    }

    func begin(modelID: String, requestID: UUID) async {
        await sink.send(
            .response(
                entryID: responseEntryID,
                action: .updateMetadata(["modelID": modelID, "requestID": requestID.uuidString])))
    }

    mutating func translate(_ event: LighthouseEvent) async throws {
        switch event {
        case .text(let text):
            await sink.send(.response(entryID: responseEntryID, action: .appendText(text, tokenCount: 1)))
        case .toolStart(let id, let name):
            names[id] = name
            await sendArguments("", id: id, name: name, tokenCount: 0)
        case .toolArguments(let id, let text):
            guard let name = names[id] else { throw LighthouseError.unknownCall(id: id) }
            await sendArguments(text, id: id, name: name, tokenCount: 1)
        case .toolRetracted(let id):
            guard let name = names[id] else { throw LighthouseError.unknownCall(id: id) }
            let call = Transcript.ToolCall(id: id, toolName: name, arguments: GeneratedContent(properties: [:]))
            await sink.send(.toolCalls(entryID: toolCallsEntryID, action: .removeToolCall(call)))
        case .thought(let text):
            await sink.send(.reasoning(entryID: reasoningEntryID, action: .appendText(text, tokenCount: 1)))
        case .thoughtSignature(let bytes):
            await sink.send(.reasoning(entryID: reasoningEntryID, action: .updateSignature(bytes, tokenCount: 0)))
        case .usage(let input, let cached, let output, let thought):
            await sink.send(
                .response(
                    entryID: responseEntryID,
                    action: .updateUsage(
                        input: .init(totalTokenCount: input, cachedTokenCount: cached),
                        output: .init(totalTokenCount: output, reasoningTokenCount: thought))))
        case .failure(let code, let message): throw LighthouseError.error(code: code, message: message)
        case .done: return
        }
    }

    private func sendArguments(_ text: String, id: String, name: String, tokenCount: Int) async {
        await sink.send(
            .toolCalls(
                entryID: toolCallsEntryID,
                action: .toolCall(id: id, name: name, action: .appendArguments(text, tokenCount: tokenCount))))
    }
}
