extension LanguageModelSession {
    /// A session with instructions that are put together in a builder.
    public convenience init<Failure>(
        model: some LanguageModel, tools: [any Tool] = [],
        @InstructionsBuilder instructions: () throws(Failure) -> Instructions
    ) throws(Failure) where Failure: Swift.Error {
        let built = try instructions()
        self.init(on: model, tools, built)
    }

    /// A session with instructions, or with none. Without instructions and tools the transcript begins empty.
    public convenience init(model: some LanguageModel, tools: [any Tool] = [], instructions: Instructions? = nil) {
        self.init(on: model, tools, instructions)
    }

    @_disfavoredOverload
    public convenience init(model: some LanguageModel, tools: [any Tool] = [], instructions: String? = nil) {
        self.init(on: model, tools, instructions.map { Instructions($0) })
    }

    /// A session that goes on with a transcript, whose entries are used as they are.
    public convenience init(model: some LanguageModel, tools: [any Tool] = [], transcript: Transcript) {
        self.init(on: model, tools, transcript)
    }

    private convenience init(on model: any LanguageModel, _ tools: [any Tool], _ instructions: Instructions?) {
        let plan = RoundPlan(model: model, tools: tools, instructions: instructions?.parts)
        self.init(setup: .fixed(plan), history: [])
    }

    private convenience init(on model: any LanguageModel, _ tools: [any Tool], _ transcript: Transcript) {
        let plan = RoundPlan(model: model, tools: tools, instructions: nil)
        self.init(setup: .fixed(plan), transcript: transcript)
    }
}

/// The same for the system model, which is the default.
extension LanguageModelSession {
    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [],
        @InstructionsBuilder instructions: () throws -> Instructions
    ) rethrows {
        let built = try instructions()
        self.init(on: model, tools, built)
    }

    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: Instructions? = nil
    ) {
        self.init(on: model, tools, instructions)
    }

    @_disfavoredOverload
    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
    ) {
        self.init(on: model, tools, instructions.map { Instructions($0) })
    }

    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
    ) {
        self.init(on: model, tools, transcript)
    }
}

/// Sessions whose setup is worked out anew for every round.
extension LanguageModelSession {
    /// A session with a profile. Without a model of the profile's own, the system model answers.
    public convenience init(
        profile: sending some LanguageModelSession.DynamicProfile, history: some Collection<Transcript.Entry> = []
    ) {
        self.init(setup: .profile(ProfileBox(profile)), history: Array(history))
    }

    /// A session with instructions and tools that change.
    public convenience init(
        model: some LanguageModel = SystemLanguageModel.default,
        dynamicInstructions: sending some DynamicInstructions, history: some Collection<Transcript.Entry> = []
    ) {
        let profile = Profile { dynamicInstructions }.model(model)
        self.init(setup: .profile(ProfileBox(profile)), history: Array(history))
    }
}
