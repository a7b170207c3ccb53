extension LanguageModelSession {
    /// Tokens read and written.
    public struct Usage: Sendable {
        public var input: LanguageModelSession.Usage.Input
        public var output: LanguageModelSession.Usage.Output
        public var metadata: [String: GeneratedContent]

        public init(
            input: LanguageModelSession.Usage.Input, output: LanguageModelSession.Usage.Output,
            metadata: [String: any ConvertibleToGeneratedContent] = [:]
        ) {
            self.input = input
            self.output = output
            self.metadata = metadata.lowered
        }

        /// Input and output together.
        public var totalTokenCount: Int { input.totalTokenCount + output.totalTokenCount }

        public struct Input: Sendable {
            public var totalTokenCount: Int
            /// How many of the total were not read again, for the model remembered them.
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

        package static var none: Usage {
            Usage(
                input: Input(totalTokenCount: 0, cachedTokenCount: 0),
                output: Output(totalTokenCount: 0, reasoningTokenCount: 0))
        }

        /// Adds another round's or request's tokens; of its metadata, newer values take the place of older ones.
        package static func + (left: Usage, right: Usage) -> Usage {
            var sum = left
            sum.input.totalTokenCount += right.input.totalTokenCount
            sum.input.cachedTokenCount += right.input.cachedTokenCount
            sum.output.totalTokenCount += right.output.totalTokenCount
            sum.output.reasoningTokenCount += right.output.reasoningTokenCount
            sum.metadata.merge(right.metadata) { _, new in new }
            return sum
        }
    }
}
