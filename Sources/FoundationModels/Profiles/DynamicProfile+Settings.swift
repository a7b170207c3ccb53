/// Settings of a profile. The innermost one that is not nil holds.
extension LanguageModelSession.DynamicProfile {
    public func model(_ model: any LanguageModel) -> some LanguageModelSession.DynamicProfile {
        setting { $0.model = $0.model ?? model }
    }

    public func model(_ model: some LanguageModel) -> some LanguageModelSession.DynamicProfile {
        setting { $0.model = $0.model ?? model }
    }

    public func temperature(_ temperature: Double?) -> some LanguageModelSession.DynamicProfile {
        setting { $0.temperature = $0.temperature ?? temperature }
    }

    public func samplingMode(
        _ samplingMode: GenerationOptions.SamplingMode?
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.samplingMode = $0.samplingMode ?? samplingMode }
    }

    public func maximumResponseTokens(_ maximumResponseTokens: Int?) -> some LanguageModelSession.DynamicProfile {
        setting { $0.maximumResponseTokens = $0.maximumResponseTokens ?? maximumResponseTokens }
    }

    public func reasoningLevel(
        _ reasoningLevel: ContextOptions.ReasoningLevel?
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.reasoningLevel = $0.reasoningLevel ?? reasoningLevel }
    }

    public func toolCallingMode(
        _ toolCallingMode: GenerationOptions.ToolCallingMode?
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.toolCallingMode = $0.toolCallingMode ?? toolCallingMode }
    }

    /// Changes what is sent to the model, instructions included, and not what is kept. Runs for every round; several
    /// follow each other, inner ones first.
    public func historyTransform(
        _ transform: @escaping ([Transcript.Entry]) -> [Transcript.Entry]
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.historyTransforms.append(transform) }
    }

    public func transcriptErrorHandlingPolicy(
        _ transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy?
    ) -> some LanguageModelSession.DynamicProfile {
        setting { $0.policy = $0.policy ?? transcriptErrorHandlingPolicy }
    }

    func setting(_ change: @escaping (inout ResolvedProfile) -> Void) -> some LanguageModelSession.DynamicProfile {
        SettingDynamicProfile(content: self, change: change)
    }
}
