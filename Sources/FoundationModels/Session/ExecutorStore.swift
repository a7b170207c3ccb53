import HearthLocks

/// The executors of one session, one per configuration. They live as long as the session.
final class ExecutorStore: Sendable {
    private struct Key: Hashable, @unchecked Sendable {
        /// Configurations are `Sendable`; erasing them hides it.
        let configuration: AnyHashable
        let executor: ObjectIdentifier
    }

    private let executors = Locked<[Key: any LanguageModelExecutor]>([:])

    /// The executor for the model's configuration, made at the first call. Two callers at once get the same one.
    func executor<Model: LanguageModel>(for model: Model) throws -> Model.Executor {
        let configuration = model.executorConfiguration
        let key = Key(configuration: AnyHashable(configuration), executor: ObjectIdentifier(Model.Executor.self))
        return try executors.withLock { executors in
            if let known = executors[key] as? Model.Executor { return known }
            let new = try Model.Executor(configuration: configuration)
            executors[key] = new
            return new
        }
    }
}
