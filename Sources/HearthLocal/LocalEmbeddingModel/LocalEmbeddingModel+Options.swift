package import HearthInference
import HearthKernelTypes

extension LocalEmbeddingModel {
    /// How an embedding model is held and computed, and what is done with its vectors.
    public struct Options: Sendable, Hashable {
        /// Most tokens of a text; nil is what the model was trained for, and more than that is refused.
        public var contextLength: Int?
        /// Threads that compute; nil is one per physical core that this process may use.
        public var threads: Int?
        /// The implementation of the arithmetic; nil is the best one for this processor.
        public var kernels: LocalLanguageModel.Options.Kernels?
        /// nil is as the file says, and the mean where it says nothing.
        public var pooling: LocalEmbeddingModel.Pooling?
        /// Whether vectors get length 1.
        public var normalizes: Bool
        /// Whether a text that is longer than the context loses its end; otherwise it is refused.
        public var truncates: Bool

        public init(
            contextLength: Int? = nil, threads: Int? = nil, kernels: LocalLanguageModel.Options.Kernels? = nil,
            pooling: LocalEmbeddingModel.Pooling? = nil, normalizes: Bool = true, truncates: Bool = false
        ) {
            self.contextLength = contextLength
            self.threads = threads
            self.kernels = kernels
            self.pooling = pooling
            self.normalizes = normalizes
            self.truncates = truncates
        }
    }

    /// How the states of a text's tokens become one vector.
    public enum Pooling: Sendable, Hashable, CaseIterable {
        /// The mean over all tokens.
        case mean
        /// The first token's state: BERT's `[CLS]`.
        case firstToken
        case lastToken
    }
}

extension LocalEmbeddingModel.Options {
    /// The part that a loaded model is made with. Products are the package's own: a BLAS is chosen by the size of a batch, and
    /// its sums have other bits.
    package var layout: ModelOptions {
        ModelOptions(context: contextLength, threads: threads, kernels: kernels?.set, backend: .native)
    }
}

extension LocalEmbeddingModel.Pooling {
    init(_ kind: HearthInference.Pooling) {
        switch kind {
        case .mean: self = .mean
        case .first: self = .firstToken
        case .last: self = .lastToken
        }
    }

    package var kind: HearthInference.Pooling {
        switch self {
        case .mean: .mean
        case .firstToken: .first
        case .lastToken: .last
        }
    }
}
