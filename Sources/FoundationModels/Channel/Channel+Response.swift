extension LanguageModelExecutorGenerationChannel {
    /// A change to a response entry.
    public struct Response: Sendable {
        public var entryID: String?
        public var action: LanguageModelExecutorGenerationChannel.Response.Action

        public struct Action: Sendable {
            package enum Storage: Sendable {
                case appendText(TextFragment)
                case replaceText(TextSegmentReplacement)
                case addAttachment(Transcript.AttachmentSegment)
                case removeAttachment(id: String)
                case updateCustomSegment(any Transcript.CustomSegment)
                case updateMetadata(Metadata)
                case updateUsage(Usage)
            }

            package let storage: Storage

            package init(_ storage: Storage) { self.storage = storage }

            /// Appends to the entry's current text segment, or to the named one, which is made when it is new.
            public static func appendText(
                _ text: String, segmentID: String? = nil, tokenCount: Int
            ) -> LanguageModelExecutorGenerationChannel.Response.Action {
                Action(.appendText(.init(content: text, segmentID: segmentID, tokenCount: tokenCount)))
            }

            /// Replaces the text of the current segment, or of the named one.
            public static func replaceTextSegment(
                _ text: String, segmentID: String? = nil, tokenCount: Int
            ) -> LanguageModelExecutorGenerationChannel.Response.Action {
                Action(.replaceText(.init(content: text, segmentID: segmentID, tokenCount: tokenCount)))
            }

            /// Adds a segment, also when one with its id is there already.
            public static func addAttachmentSegment(
                _ segment: Transcript.AttachmentSegment
            ) -> LanguageModelExecutorGenerationChannel.Response.Action {
                Action(.addAttachment(segment))
            }

            /// Removes every attachment segment with this id; an unknown id changes nothing.
            public static func removeAttachmentSegment(
                id: String
            ) -> LanguageModelExecutorGenerationChannel.Response.Action {
                Action(.removeAttachment(id: id))
            }

            /// Replaces the entry's metadata as a whole.
            public static func updateMetadata(
                _ values: [String: any ConvertibleToGeneratedContent]
            ) -> LanguageModelExecutorGenerationChannel.Response.Action {
                Action(.updateMetadata(.init(values: values.lowered)))
            }

            /// Replaces the totals of the round, and the counts credited by earlier deltas.
            public static func updateUsage(
                input: LanguageModelExecutorGenerationChannel.Usage.Input,
                output: LanguageModelExecutorGenerationChannel.Usage.Output,
                metadata: [String: any ConvertibleToGeneratedContent] = [:]
            ) -> LanguageModelExecutorGenerationChannel.Response.Action {
                Action(.updateUsage(.init(input: input, output: output, metadata: metadata)))
            }
        }
    }
}
