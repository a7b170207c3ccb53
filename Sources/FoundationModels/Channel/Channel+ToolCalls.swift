extension LanguageModelExecutorGenerationChannel {
    /// A change to an entry of tool calls.
    public struct ToolCalls: Sendable {
        public var entryID: String?
        public var action: LanguageModelExecutorGenerationChannel.ToolCalls.Action

        public struct Action: Sendable {
            package enum Storage: Sendable {
                case toolCall(ToolCall)
                case removeToolCall(id: String)
                case updateMetadata(Metadata)
                case updateUsage(Usage)
            }

            package let storage: Storage

            package init(_ storage: Storage) { self.storage = storage }

            /// A change to one call. The first event with an id opens the call; calls may interleave.
            public static func toolCall(
                id: String, name: String,
                action: LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action
            ) -> LanguageModelExecutorGenerationChannel.ToolCalls.Action {
                Action(.toolCall(.init(id: id, name: name, action: action)))
            }

            /// Drops a call that was begun and then taken back; it is not run and leaves no trace.
            public static func removeToolCall(
                id: String
            ) -> LanguageModelExecutorGenerationChannel.ToolCalls.Action {
                Action(.removeToolCall(id: id))
            }

            /// Entry-level metadata. A transcript's tool-calls entry has no place for it, so it goes to every call of
            /// the entry that has none of its own.
            public static func updateMetadata(
                _ values: [String: any ConvertibleToGeneratedContent]
            ) -> LanguageModelExecutorGenerationChannel.ToolCalls.Action {
                Action(.updateMetadata(.init(values: values.lowered)))
            }

            /// Replaces the totals of the round, and the counts credited by earlier deltas.
            public static func updateUsage(
                input: LanguageModelExecutorGenerationChannel.Usage.Input,
                output: LanguageModelExecutorGenerationChannel.Usage.Output,
                metadata: [String: any ConvertibleToGeneratedContent] = [:]
            ) -> LanguageModelExecutorGenerationChannel.ToolCalls.Action {
                Action(.updateUsage(.init(input: input, output: output, metadata: metadata)))
            }
        }

        /// A change to one call of the entry.
        public struct ToolCall: Sendable {
            public var id: String
            public var name: String
            public var action: LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action

            public struct Action: Sendable {
                package enum Storage: Sendable {
                    case appendArguments(ArgumentsFragment)
                    case updateMetadata(Metadata)
                }

                package let storage: Storage

                package init(_ storage: Storage) { self.storage = storage }

                /// Appends to the text of the arguments, which is JSON in the end; none at all means `{}`.
                public static func appendArguments(
                    _ content: String, tokenCount: Int
                ) -> LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action {
                    Action(.appendArguments(.init(content: content, tokenCount: tokenCount)))
                }

                /// Replaces the call's metadata as a whole; may come before the first arguments.
                public static func updateMetadata(
                    _ values: [String: any ConvertibleToGeneratedContent]
                ) -> LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action {
                    Action(.updateMetadata(.init(values: values.lowered)))
                }
            }

            public struct ArgumentsFragment: Sendable {
                public var content: String
                public var tokenCount: Int
            }
        }
    }
}
