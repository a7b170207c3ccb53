extension LanguageModelExecutorGenerationChannel {
    /// One step of an answer: text, a tool call's arguments, reasoning, data, usage or metadata.
    ///
    /// `entryID` chooses the transcript entry. An id not seen before begins an entry; nil continues the entry of the
    /// event before it when that was of the same kind, and begins a new one otherwise.
    public struct Event: Sendable {
        /// What the event is about.
        public let kind: LanguageModelExecutorGenerationChannel.Event.Kind

        public enum Kind: Sendable {
            case response(LanguageModelExecutorGenerationChannel.Response)
            case reasoning(LanguageModelExecutorGenerationChannel.Reasoning)
            case toolCalls(LanguageModelExecutorGenerationChannel.ToolCalls)
            case data(LanguageModelExecutorGenerationChannel.DataEntry)
        }

        public static func response(
            entryID: String? = nil, action: LanguageModelExecutorGenerationChannel.Response.Action
        ) -> LanguageModelExecutorGenerationChannel.Event {
            Event(kind: .response(.init(entryID: entryID, action: action)))
        }

        public static func reasoning(
            entryID: String? = nil, action: LanguageModelExecutorGenerationChannel.Reasoning.Action
        ) -> LanguageModelExecutorGenerationChannel.Event {
            Event(kind: .reasoning(.init(entryID: entryID, action: action)))
        }

        public static func toolCalls(
            entryID: String? = nil, action: LanguageModelExecutorGenerationChannel.ToolCalls.Action
        ) -> LanguageModelExecutorGenerationChannel.Event {
            Event(kind: .toolCalls(.init(entryID: entryID, action: action)))
        }

        public static func data(
            entryID: String? = nil, action: LanguageModelExecutorGenerationChannel.DataEntry.Action
        ) -> LanguageModelExecutorGenerationChannel.Event {
            Event(kind: .data(.init(entryID: entryID, action: action)))
        }
    }
}
