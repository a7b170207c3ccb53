public import Foundation

extension LanguageModelExecutorGenerationChannel {
    /// A change to a reasoning entry.
    public struct Reasoning: Sendable {
        public var entryID: String?
        public var action: LanguageModelExecutorGenerationChannel.Reasoning.Action

        public struct Action: Sendable {
            package enum Storage: Sendable {
                case appendText(TextFragment)
                case replaceText(TextSegmentReplacement)
                case updateSignature(ReasoningSignature)
                case updateMetadata(Metadata)
                case updateUsage(Usage)
            }

            package let storage: Storage

            package init(_ storage: Storage) { self.storage = storage }

            /// Appends to the current text segment, or to the named one. The tokens count as reasoning.
            public static func appendText(
                _ text: String, segmentID: String? = nil, tokenCount: Int
            ) -> LanguageModelExecutorGenerationChannel.Reasoning.Action {
                Action(.appendText(.init(content: text, segmentID: segmentID, tokenCount: tokenCount)))
            }

            public static func replaceTextSegment(
                _ text: String, segmentID: String? = nil, tokenCount: Int
            ) -> LanguageModelExecutorGenerationChannel.Reasoning.Action {
                Action(.replaceText(.init(content: text, segmentID: segmentID, tokenCount: tokenCount)))
            }

            /// Replaces the signature. The bytes are opaque and are kept as they are.
            public static func updateSignature(
                _ signature: Data, tokenCount: Int
            ) -> LanguageModelExecutorGenerationChannel.Reasoning.Action {
                Action(.updateSignature(.init(signature: signature, tokenCount: tokenCount)))
            }

            /// Replaces the entry's metadata as a whole.
            public static func updateMetadata(
                _ values: [String: any ConvertibleToGeneratedContent]
            ) -> LanguageModelExecutorGenerationChannel.Reasoning.Action {
                Action(.updateMetadata(.init(values: values.lowered)))
            }

            /// Replaces the totals of the round, and the counts credited by earlier deltas.
            public static func updateUsage(
                input: LanguageModelExecutorGenerationChannel.Usage.Input,
                output: LanguageModelExecutorGenerationChannel.Usage.Output,
                metadata: [String: any ConvertibleToGeneratedContent] = [:]
            ) -> LanguageModelExecutorGenerationChannel.Reasoning.Action {
                Action(.updateUsage(.init(input: input, output: output, metadata: metadata)))
            }
        }
    }
}
