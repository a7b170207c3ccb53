/// Who answers one round, with what: the model, the tools and the options.
///
/// A profile's transforms and callbacks need not be `Sendable`; the one task that answers a request is the only one to
/// call them.
struct RoundPlan: @unchecked Sendable {
    let model: any LanguageModel
    let tools: [any Tool]
    /// In the order of the tools, read when the plan was made.
    let definitions: [Transcript.ToolDefinition]
    /// The leading entry of the transcript; nil when there is nothing to say.
    let instructions: Transcript.Instructions?
    /// What a profile adds; nil without one.
    let profile: ResolvedProfile?

    init(model: any LanguageModel, tools: [any Tool], instructions: [PromptPart]?, profile: ResolvedProfile? = nil) {
        self.model = model
        self.tools = tools
        self.profile = profile
        definitions = tools.map { Transcript.ToolDefinition(tool: $0) }
        let shown = zip(tools, definitions).filter { $0.0.includesSchemaInInstructions }.map(\.1)
        self.instructions =
            instructions == nil && shown.isEmpty
            ? nil : Transcript.Instructions(segments: (instructions ?? []).segments, toolDefinitions: shown)
    }

    init(_ profile: ResolvedProfile) {
        let instructions = profile.instructions
        self.init(
            model: profile.model ?? SystemLanguageModel.default, tools: instructions.tools,
            instructions: instructions.isPresent ? instructions.parts : nil, profile: profile)
    }

    func options(_ spec: RequestSpec) -> GenerationOptions { profile?.options(spec.options) ?? spec.options }

    func contextOptions(_ spec: RequestSpec) -> ContextOptions {
        profile?.contextOptions(spec.contextOptions) ?? spec.contextOptions
    }

    /// The tools that the model may call: none when they are disallowed.
    func enabledTools(_ spec: RequestSpec) -> [Transcript.ToolDefinition] {
        options(spec).toolCallingMode == .disallowed ? [] : definitions
    }

    /// What is sent of the transcript.
    func sent(_ transcript: Transcript) -> Transcript {
        guard let transforms = profile?.historyTransforms, !transforms.isEmpty else { return transcript }
        return Transcript(entries: transforms.reduce(transcript.entries) { $1($0) })
    }
}

/// Where a session's plans come from.
enum SessionSetup: Sendable {
    /// The same for all rounds.
    case fixed(RoundPlan)
    /// Worked out anew for each.
    case profile(ProfileBox)

    func plan(_ properties: SessionPropertyValues) -> RoundPlan {
        switch self {
        case .fixed(let plan): plan
        case .profile(let box): box.plan(properties)
        }
    }
}
