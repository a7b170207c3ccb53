import Foundation

extension LanguageModelSession {
    /// Runs calls at the same time.
    /// - Returns: their outputs, in the order of the calls.
    /// - Throws: ``ToolCallError`` with the first error that comes; the other calls are then cancelled.
    ///   ``GeneratedContent/ParsingError`` when a call names a tool that the session does not have.
    func runTools(_ calls: [AssembledCall], _ plan: RoundPlan) async throws -> [Transcript.ToolOutput] {
        let callbacks = plan.profile?.callbacks ?? ProfileCallbacks()
        var found: [any Tool] = []
        for call in calls {
            guard let tool = plan.tools.first(where: { $0.name == call.name }) else {
                throw GeneratedContent.ParsingError(
                    rawContent: call.argumentText,
                    cause: .unknownTool(name: call.name, known: plan.definitions.map(\.name)))
            }
            found.append(tool)
        }
        for call in calls {
            let told = call.call(entryMetadata: [:])
            for action in callbacks.toolCall { try await action(told) }
        }
        let outputs = try await withThrowingTaskGroup(of: (Int, Transcript.ToolOutput).self) { group in
            for (index, (call, tool)) in zip(calls, found).enumerated() {
                group.addTask { (index, try await LanguageModelSession.run(tool, call)) }
            }
            var outputs: [(Int, Transcript.ToolOutput)] = []
            for try await output in group { outputs.append(output) }
            return outputs.sorted { $0.0 < $1.0 }.map(\.1)
        }
        for (call, output) in zip(calls, outputs) {
            let told = call.call(entryMetadata: [:])
            for action in callbacks.toolOutput { try await action(told, output) }
        }
        return outputs
    }

    private static func run<Called: Tool>(_ tool: Called, _ call: AssembledCall) async throws -> Transcript.ToolOutput {
        do {
            let arguments = try Called.Arguments(try content(of: call))
            let output = try await tool.call(arguments: arguments)
            return Transcript.ToolOutput(
                id: call.id, toolName: call.name, segments: output.promptRepresentation.parts.segments)
        } catch {
            throw ToolCallError(tool: tool, underlyingError: error)
        }
    }

    /// The arguments; no text at all means none.
    private static func content(of call: AssembledCall) throws -> GeneratedContent {
        guard call.argumentText.utf8.contains(where: { $0 > 0x20 }) else { return GeneratedContent(properties: [:]) }
        let content: GeneratedContent
        do {
            content = try GeneratedContent(json: call.argumentText)
        } catch {
            throw GeneratedContent.ParsingError(
                rawContent: call.argumentText, underlyingError: error,
                cause: .unreadableArguments(tool: call.name, reason: error.localizedDescription))
        }
        if content.isComplete { return content }
        throw GeneratedContent.ParsingError(
            rawContent: call.argumentText,
            cause: .unreadableArguments(tool: call.name, reason: "the text ends too early."))
    }
}
