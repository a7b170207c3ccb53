import Foundation
import HearthLocks

extension LanguageModelSession {
    /// Begins a request. Whatever is wrong with it comes out of the run.
    func begin(_ spec: RequestSpec, wantsSnapshots: Bool) -> ResponseRun {
        let run = ResponseRun(wantsSnapshots: wantsSnapshots)
        let isFree = mutateActivity { state in
            guard state.active == nil else { return false }
            state.active = SessionState.ActiveRequest(run: run, prompt: spec.entry)
            return true
        }
        guard isFree else {
            run.finish(.failure(Error.concurrentRequests))
            return run
        }
        run.start {
            try await SessionContext.$properties.withValue(self.properties) { try await self.answer(spec, run) }
        }
        return run
    }

    /// Makes the answer, and leaves the session as the outcome asks.
    private func answer(_ spec: RequestSpec, _ run: ResponseRun) async throws -> ResponseRun.Progress {
        do {
            try Task.checkCancellation()
            try await runRounds(spec, run)
            let progress = try settle(spec)
            let isSnapshotDue = run.wantsSnapshots && takeChange()
            try Task.checkCancellation()
            // The answer is whole: from here on nothing can take it back, a reader that stops least of all.
            mutateActivity { $0.finish(keepingEntries: true) }
            if isSnapshotDue { await run.report(progress) }
            return progress
        } catch {
            let isBroken = mutateActivity { state in
                let isBroken = state.active?.isBroken ?? false
                let policy = state.policy ?? state.active?.policy ?? .revertTranscript
                state.finish(keepingEntries: run.isAbandoned || policy.preserves)
                return isBroken
            }
            if isBroken { throw Error.transcriptMutationWhileResponding }
            // However the model put it, what happened is that the request was cancelled.
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Calls the executor until it calls no more tools.
    private func runRounds(_ spec: RequestSpec, _ run: ResponseRun) async throws {
        var last: RoundPlan?
        for round in 0..<LanguageModelSession.roundLimit {
            let plan = await beginRound()
            last = plan
            let callbacks = plan.profile?.callbacks ?? ProfileCallbacks()
            if round == 0, let prompt = state.withLock({ $0.active?.prompt }) {
                for action in callbacks.prompt { try await action(prompt) }
            }
            let request = LanguageModelExecutorGenerationRequest(
                id: UUID(), transcript: plan.sent(state.withLock { $0.transcript }),
                enabledTools: plan.enabledTools(spec), schema: spec.schema, generationOptions: plan.options(spec),
                contextOptions: plan.contextOptions(spec), metadata: spec.metadata)
            try await checkCapabilities(request, plan.model)
            try await runRound(request, plan.model, spec, run)
            try Task.checkCancellation()
            try await report(callbacks)
            let calls = state.withLock { $0.active?.assembler.pendingCalls ?? [] }
            if calls.isEmpty { return }
            let outputs = try await runTools(calls, plan)
            mutateTranscript { $0.active?.assembler.beginRound(after: outputs) }
        }
        let problem = ToolLoopProblem.tooManyRounds(LanguageModelSession.roundLimit)
        guard let tool = last?.tools.first else { throw problem }
        throw ToolCallError(tool: tool, underlyingError: problem)
    }

    /// How often a model may call tools in one request. Agents in practice take a few dozen steps; more is a loop.
    static let roundLimit = 64

    /// Works out the plan of a round, and brings the transcript's instructions up to it.
    private func beginRound() async -> RoundPlan {
        let plan = setup.plan(properties)
        guard case .profile(let box) = setup, let profile = plan.profile else { return plan }
        updateInstructions(plan)
        state.withLock { $0.active?.policy = profile.policy }
        await box.activate(profile)
        return plan
    }

    /// Tells a profile what a round brought.
    private func report(_ callbacks: ProfileCallbacks) async throws {
        for entry in state.withLock({ $0.active?.assembler.entriesOfRound ?? [] }) {
            switch entry {
            case .response(let response): for action in callbacks.response { try await action(response) }
            case .reasoning(let reasoning): for action in callbacks.reasoning { try await action(reasoning) }
            case .instructions, .prompt, .toolCalls, .toolOutput, .data: break
            }
        }
    }

    /// One call of the executor, its events taken in as they come.
    private func runRound<Model: LanguageModel>(
        _ request: LanguageModelExecutorGenerationRequest, _ model: Model, _ spec: RequestSpec, _ run: ResponseRun
    ) async throws {
        let executor = try executors.executor(for: model)
        let channel = LanguageModelExecutorGenerationChannel()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await executor.respond(to: request, model: model, streamingInto: channel)
                    channel.finish()
                } catch {
                    channel.finish(throwing: error)
                }
            }
            for try await event in channel {
                if case .data(let data) = event.kind { try await check(data, model, request) }
                let isDue = mutateTranscript { $0.active?.assembler.consume(event) ?? false }
                if run.wantsSnapshots, isDue, let progress = progress(spec) {
                    _ = takeChange()
                    await run.report(progress)
                }
            }
            // The channel also ends when this task is cancelled; nothing then waits in it.
            channel.finish()
        }
    }

    private func check<Model: LanguageModel>(
        _ data: LanguageModelExecutorGenerationChannel.DataEntry, _ model: Model,
        _ request: LanguageModelExecutorGenerationRequest
    ) async throws {
        let update = data.action.update
        if try await model.supportsDataEntryType(update.contentType) { return }
        let entry = Transcript.DataEntry(
            contentType: update.contentType, content: update.content, metadata: update.metadata)
        throw LanguageModelError.unsupportedTranscriptContent(
            .init(unsupportedContent: [.data(entry)], cause: .dataEntry(update.contentType.identifier)))
    }

    /// Reads the whole answer, and makes a structure of it where a schema was asked for.
    private func settle(_ spec: RequestSpec) throws -> ResponseRun.Progress {
        guard let answer = progress(spec) else { throw Error.transcriptMutationWhileResponding }
        let raw = try answer.rawContent()
        guard let schema = spec.schema else {
            try spec.check(raw)
            return answer
        }
        if !raw.isComplete {
            throw GeneratedContent.ParsingError(rawContent: answer.text, cause: .unfinished(type: schema.name))
        }
        try spec.check(raw)
        mutateTranscript { $0.active?.assembler.settle(structure: raw, schemaName: schema.name) }
        let entries = state.withLock { $0.active?.assembler.entries ?? [] }
        return ResponseRun.Progress(
            text: answer.text, isGuided: true, entries: entries[...], usage: answer.usage)
    }

    /// What there is of the answer; nil when somebody replaced the transcript.
    private func progress(_ spec: RequestSpec) -> ResponseRun.Progress? {
        state.withLock { state in
            guard let active = state.active, !active.isBroken else { return nil }
            return ResponseRun.Progress(
                text: active.assembler.text(ofThisRound: spec.schema != nil), isGuided: spec.schema != nil,
                entries: active.assembler.entries[...], usage: active.assembler.usage)
        }
    }

    /// Whether there is something that no snapshot has shown.
    private func takeChange() -> Bool {
        state.withLock { state in
            guard let isDirty = state.active?.assembler.takeChange() else { return false }
            return isDirty && state.active?.assembler.hasResponse == true
        }
    }
}
