/// What a profile is told. Several callbacks of one kind all run, inner ones first; one that throws ends the request.
extension LanguageModelSession.DynamicProfile {
    /// Runs when a prompt came in.
    public func onPrompt(
        @_inheritActorContext perform action: nonisolated(nonsending) sending @escaping () async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.prompt.append { _ in try await action() } }
    }

    /// Runs when a prompt came in.
    public func onPrompt(
        @_inheritActorContext perform action:
            nonisolated(nonsending) sending @escaping (Transcript.Prompt) async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.prompt.append(action) }
    }

    /// Runs when a round ended with a response.
    public func onResponse(
        @_inheritActorContext perform action: nonisolated(nonsending) sending @escaping () async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.response.append { _ in try await action() } }
    }

    /// Runs when a round ended with a response.
    public func onResponse(
        @_inheritActorContext perform action:
            nonisolated(nonsending) sending @escaping (Transcript.Response) async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.response.append(action) }
    }

    /// Runs when a round ended with reasoning.
    public func onReasoning(
        @_inheritActorContext perform action: nonisolated(nonsending) sending @escaping () async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.reasoning.append { _ in try await action() } }
    }

    /// Runs when a round ended with reasoning.
    public func onReasoning(
        @_inheritActorContext perform action:
            nonisolated(nonsending) sending @escaping (Transcript.Reasoning) async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.reasoning.append(action) }
    }

    /// Runs when the model called a tool, before it runs.
    public func onToolCall(
        @_inheritActorContext perform action: nonisolated(nonsending) sending @escaping () async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.toolCall.append { _ in try await action() } }
    }

    /// Runs when the model called a tool, before it runs.
    public func onToolCall(
        @_inheritActorContext perform action:
            nonisolated(nonsending) sending @escaping (Transcript.ToolCall) async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.toolCall.append(action) }
    }

    /// Runs when a tool has run.
    public func onToolOutput(
        @_inheritActorContext perform action: nonisolated(nonsending) sending @escaping () async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.toolOutput.append { _, _ in try await action() } }
    }

    /// Runs when a tool has run.
    public func onToolOutput(
        @_inheritActorContext perform action:
            nonisolated(nonsending) sending @escaping (Transcript.ToolCall, Transcript.ToolOutput) async throws -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.toolOutput.append(action) }
    }

    /// Runs when this profile becomes the session's, before its first round.
    public func onActivate(
        @_inheritActorContext perform action: sending @escaping @isolated(any) () async -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.activate.append(action) }
    }

    /// Runs when another profile has become the session's.
    public func onDeactivate(
        @_inheritActorContext perform action: sending @escaping @isolated(any) () async -> Void
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.callbacks.deactivate.append(action) }
    }
}
