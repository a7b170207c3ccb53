extension GenerationOptions {
    /// How the next token is drawn.
    public struct SamplingMode: Sendable, Equatable {
        /// What was asked for, to switch over.
        public let kind: GenerationOptions.SamplingMode.Kind

        /// Always the likeliest token.
        public static var greedy: GenerationOptions.SamplingMode { SamplingMode(kind: .greedy) }

        /// Drawn from the `k` likeliest tokens.
        public static func random(top k: Int, seed: UInt64? = nil) -> GenerationOptions.SamplingMode {
            SamplingMode(kind: .randomTopK(k, seed: seed))
        }

        /// Drawn from the likeliest tokens whose probabilities add up to the threshold.
        public static func random(
            probabilityThreshold: Double, seed: UInt64? = nil
        ) -> GenerationOptions.SamplingMode {
            SamplingMode(kind: .randomProbabilityThreshold(probabilityThreshold, seed: seed))
        }

        public enum Kind: Sendable, Equatable {
            case greedy
            case randomTopK(Int, seed: UInt64?)
            case randomProbabilityThreshold(Double, seed: UInt64?)
        }
    }

    /// Whether the model may call tools.
    public struct ToolCallingMode: Sendable, Equatable {
        public var kind: GenerationOptions.ToolCallingMode.Kind

        public static let allowed = ToolCallingMode(kind: .allowed)
        public static let required = ToolCallingMode(kind: .required)
        public static let disallowed = ToolCallingMode(kind: .disallowed)

        public enum Kind: Sendable, Equatable, Hashable {
            case allowed
            case required
            case disallowed
        }
    }
}
