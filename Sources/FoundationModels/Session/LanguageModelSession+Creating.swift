extension LanguageModelSession {
    /// A session with instructions that are put together in a builder.
    public convenience init<Failure>(
        model: some LanguageModel, tools: [any Tool] = [],
        @InstructionsBuilder instructions: () throws(Failure) -> Instructions
    ) throws(Failure) where Failure: Swift.Error {
        self.init(model: model, tools: tools, instructions: try instructions())
    }

    /// A session with instructions, or with none. Without instructions and tools the transcript begins empty.
    public convenience init(model: some LanguageModel, tools: [any Tool] = [], instructions: Instructions? = nil) {
        let plan = RequestPlan(model: model, tools: tools)
        self.init(plan: plan, transcript: plan.transcript(instructions: instructions))
    }

    @_disfavoredOverload
    public convenience init(model: some LanguageModel, tools: [any Tool] = [], instructions: String? = nil) {
        self.init(model: model, tools: tools, instructions: instructions.map { Instructions($0) })
    }

    /// A session that goes on with a transcript, whose entries are used as they are.
    public convenience init(model: some LanguageModel, tools: [any Tool] = [], transcript: Transcript) {
        self.init(plan: RequestPlan(model: model, tools: tools), transcript: transcript)
    }
}

extension LanguageModelSession {
    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [],
        @InstructionsBuilder instructions: () throws -> Instructions
    ) rethrows {
        let built = try instructions()
        let plan = RequestPlan(model: model, tools: tools)
        self.init(plan: plan, transcript: plan.transcript(instructions: built))
    }

    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: Instructions? = nil
    ) {
        let plan = RequestPlan(model: model, tools: tools)
        self.init(plan: plan, transcript: plan.transcript(instructions: instructions))
    }

    @_disfavoredOverload
    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
    ) {
        let plan = RequestPlan(model: model, tools: tools)
        self.init(plan: plan, transcript: plan.transcript(instructions: instructions.map { Instructions($0) }))
    }

    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
    ) {
        self.init(plan: RequestPlan(model: model, tools: tools), transcript: transcript)
    }
}
