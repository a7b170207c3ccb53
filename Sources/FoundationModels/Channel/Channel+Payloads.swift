public import Foundation

extension LanguageModelExecutorGenerationChannel {
    /// A whole snapshot of an entry's metadata: keys that are left out vanish.
    public struct Metadata: Sendable {
        public var values: [String: GeneratedContent]
    }

    /// Text to append to a segment.
    public struct TextFragment: Sendable {
        public var content: String
        public var segmentID: String?
        public var tokenCount: Int
    }

    /// Text that takes the place of a segment's.
    public struct TextSegmentReplacement: Sendable {
        public var content: String
        public var segmentID: String?
        public var tokenCount: Int
    }

    /// Opaque bytes that vouch for a reasoning entry.
    public struct ReasoningSignature: Sendable {
        public var signature: Data
        public var tokenCount: Int
    }

    /// Totals of tokens so far. Each update takes the place of the one before; nothing is added up.
    public struct Usage: Sendable {
        public var input: LanguageModelExecutorGenerationChannel.Usage.Input
        public var output: LanguageModelExecutorGenerationChannel.Usage.Output
        public var metadata: [String: GeneratedContent]

        public init(
            input: LanguageModelExecutorGenerationChannel.Usage.Input,
            output: LanguageModelExecutorGenerationChannel.Usage.Output,
            metadata: [String: any ConvertibleToGeneratedContent] = [:]
        ) {
            self.input = input
            self.output = output
            self.metadata = metadata.lowered
        }

        public struct Input: Sendable {
            public var totalTokenCount: Int
            /// How many of the total were not read again.
            public var cachedTokenCount: Int

            public init(totalTokenCount: Int, cachedTokenCount: Int) {
                self.totalTokenCount = totalTokenCount
                self.cachedTokenCount = cachedTokenCount
            }
        }

        public struct Output: Sendable {
            public var totalTokenCount: Int
            /// How many of the total were reasoning.
            public var reasoningTokenCount: Int

            public init(totalTokenCount: Int, reasoningTokenCount: Int) {
                self.totalTokenCount = totalTokenCount
                self.reasoningTokenCount = reasoningTokenCount
            }
        }
    }
}
