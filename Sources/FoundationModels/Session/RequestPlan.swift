/// What stays the same for all requests of a session: the model and the tools.
struct RequestPlan: Sendable {
    let model: any LanguageModel
    let tools: [any Tool]
    /// As read when the session was made, in the order of the tools.
    let definitions: [Transcript.ToolDefinition]

    init(model: any LanguageModel, tools: [any Tool]) {
        self.model = model
        self.tools = tools
        definitions = tools.map { Transcript.ToolDefinition(tool: $0) }
    }

    /// The leading entry of a session's transcript: none when there is nothing to say.
    func transcript(instructions: Instructions?) -> Transcript {
        let shown = zip(tools, definitions).filter { $0.0.includesSchemaInInstructions }.map(\.1)
        guard instructions != nil || !shown.isEmpty else { return Transcript() }
        let segments = instructions?.parts.segments ?? []
        return Transcript(entries: [
            .instructions(Transcript.Instructions(segments: segments, toolDefinitions: shown))
        ])
    }
}
