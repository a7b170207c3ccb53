import HearthLocks
public import Observation

/// A conversation with a model.
///
///     let session = LanguageModelSession(model: model, instructions: "Be brief.")
///     let answer = try await session.respond(to: "Why is the sky blue?")
///     print(answer.content)
///
/// The session keeps the transcript, runs the tools that the model calls, and makes one executor per configuration of
/// its model. It answers one request at a time; a second one ends with ``Error/concurrentRequests``.
public final class LanguageModelSession: Observable, Sendable {
    let state: Locked<SessionState>
    let executors = ExecutorStore()
    let setup: SessionSetup
    private let registrar = ObservationRegistrar()

    /// The values that the session shares with its tools and its profile.
    public let properties: SessionPropertyValues

    /// A session that goes on with a history, behind the instructions that its setup has.
    init(setup: SessionSetup, history: [Transcript.Entry]) {
        let properties = SessionPropertyValues()
        let plan = setup.plan(properties)
        self.setup = setup
        self.properties = properties
        let leading = plan.instructions.map { [Transcript.Entry.instructions($0)] } ?? []
        state = Locked(SessionState(settled: Transcript(entries: leading + history)))
        properties.attach(self)
    }

    /// A session that goes on with a transcript as it is.
    init(setup: SessionSetup, transcript: Transcript) {
        self.setup = setup
        properties = SessionPropertyValues()
        state = Locked(SessionState(settled: transcript))
        properties.attach(self)
    }

    /// The conversation so far; grows while an answer comes in.
    ///
    /// Setting it between requests rewrites history. Setting it during a request ends that request with
    /// ``Error/transcriptMutationWhileResponding``, and the new transcript stays.
    public var transcript: Transcript {
        get {
            registrar.access(self, keyPath: \.transcript)
            return state.withLock { $0.transcript }
        }
        set {
            let run = mutateTranscript { state in
                state.settled = newValue
                state.active?.isBroken = true
                return state.active?.run
            }
            run?.cancel()
        }
    }

    /// Whether a request is running.
    public var isResponding: Bool {
        registrar.access(self, keyPath: \.isResponding)
        return state.withLock { $0.active != nil }
    }

    /// Tokens of all requests of the session, those that failed included.
    public var usage: LanguageModelSession.Usage {
        registrar.access(self, keyPath: \.usage)
        return state.withLock { $0.usage }
    }

    /// What becomes of the transcript when a request fails or is cancelled; nil means that it is reverted.
    public var transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy? {
        get {
            registrar.access(self, keyPath: \.transcriptErrorHandlingPolicy)
            return state.withLock { $0.policy }
        }
        set {
            registrar.withMutation(of: self, keyPath: \.transcriptErrorHandlingPolicy) {
                state.withLock { $0.policy = newValue }
            }
        }
    }

    /// Changes the state in a way that changes the transcript, and tells observers.
    func mutateTranscript<Value: Sendable>(_ change: (inout SessionState) -> Value) -> Value {
        registrar.withMutation(of: self, keyPath: \.transcript) {
            registrar.withMutation(of: self, keyPath: \.usage) {
                state.withLock { change(&$0) }
            }
        }
    }

    /// Changes the state in a way that begins or ends a request, and tells observers.
    func mutateActivity<Value: Sendable>(_ change: (inout SessionState) throws -> Value) rethrows -> Value {
        try registrar.withMutation(of: self, keyPath: \.isResponding) {
            try registrar.withMutation(of: self, keyPath: \.transcript) {
                try registrar.withMutation(of: self, keyPath: \.usage) {
                    try state.withLock { try change(&$0) }
                }
            }
        }
    }
}
