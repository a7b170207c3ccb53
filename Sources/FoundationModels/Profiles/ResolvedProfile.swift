/// What a profile comes to for one round.
struct ResolvedProfile {
    /// Where the chosen profile stands; another place means that another profile became active.
    let place: String
    var instructions = ResolvedInstructions()
    var model: (any LanguageModel)?
    var temperature: Double?
    var samplingMode: GenerationOptions.SamplingMode?
    var maximumResponseTokens: Int?
    var toolCallingMode: GenerationOptions.ToolCallingMode?
    var reasoningLevel: ContextOptions.ReasoningLevel?
    var policy: TranscriptErrorHandlingPolicy?
    /// Applied in this order: those of inner modifiers first.
    var historyTransforms: [([Transcript.Entry]) -> [Transcript.Entry]] = []
    var callbacks = ProfileCallbacks()

    init(place: String) {
        self.place = place
    }

    /// The call site's options, with the profile's where it says nothing.
    func options(_ asked: GenerationOptions) -> GenerationOptions {
        var options = asked
        options.temperature = asked.temperature ?? temperature
        options.samplingMode = asked.samplingMode ?? samplingMode
        options.maximumResponseTokens = asked.maximumResponseTokens ?? maximumResponseTokens
        options.toolCallingMode = asked.toolCallingMode ?? toolCallingMode
        return options
    }

    func contextOptions(_ asked: ContextOptions) -> ContextOptions {
        var options = asked
        options.reasoningLevel = asked.reasoningLevel ?? reasoningLevel
        return options
    }
}

/// What a profile wants to be told, inner modifiers first.
struct ProfileCallbacks {
    var prompt: [(Transcript.Prompt) async throws -> Void] = []
    var response: [(Transcript.Response) async throws -> Void] = []
    var reasoning: [(Transcript.Reasoning) async throws -> Void] = []
    var toolCall: [(Transcript.ToolCall) async throws -> Void] = []
    var toolOutput: [(Transcript.ToolCall, Transcript.ToolOutput) async throws -> Void] = []
    var activate: [@isolated(any) () async -> Void] = []
    var deactivate: [@isolated(any) () async -> Void] = []
}
