package import HearthInference
import HearthKernelTypes

extension LocalLanguageModel {
    /// How a local model is held, computed and sampled, beyond what `GenerationOptions` says.
    ///
    /// What is nil is the model's own default. Where a request's `GenerationOptions` say something else, they hold.
    public struct Options: Sendable, Hashable {
        // MARK: Held and computed: a change loads the model again.

        /// Most tokens of a conversation, the answer included; nil is what the model was trained for.
        public var contextLength: Int?
        /// How keys and values are kept: `f16` unless said otherwise.
        public var cacheType: CacheType
        /// Threads that compute; nil is one per physical core that this process may use.
        public var threads: Int?
        /// The implementation of the arithmetic; nil is the best one for this processor.
        public var kernels: Kernels?
        /// Who computes products over many tokens.
        public var backend: Backend
        /// What weights that the file keeps as floats (`F32`, `F16`, `BF16`) are brought into while they are loaded; nil leaves
        /// them as they are. Takes a quarter to a half of the memory of `BF16`, and answers differ a little.
        ///
        ///     LocalLanguageModel(at: folderOfSafetensors, options: .init(quantization: .q8))
        ///
        /// Weights that the file keeps in fewer bits already stay as they are, as do norms and biases. A matrix whose rows the
        /// type's blocks do not divide becomes `q8`, or stays. With a file that is quantised throughout, this changes nothing and
        /// is no error: answers have the same bits as without. ``LoadedModel/quantizedTensorCount`` is 0 then.
        public var quantization: Quantization?

        // MARK: Sampled: may change from request to request.

        /// Candidates kept by rank; 0 keeps all.
        public var topK: Int?
        /// Candidates kept by cumulative probability, 0 to 1; 1 keeps all. Goes together with top-k.
        public var topP: Double?
        /// Candidates kept that are at least this likely, as a share of the likeliest; 0 keeps all.
        public var minP: Double?
        /// Makes tokens of the last 64 less likely: divides their logits when positive, multiplies them when negative.
        public var repetitionPenalty: Double?
        /// Taken from a recent token's logit once per occurrence.
        public var frequencyPenalty: Double?
        /// Taken from a recent token's logit once.
        public var presencePenalty: Double?
        /// Texts that end the answer and are no part of it.
        public var stopSequences: [String]
        /// The same seed gives the same answer; nil draws one. The response's metadata says which it was.
        public var seed: UInt64?

        public init(
            contextLength: Int? = nil, cacheType: CacheType = .f16, threads: Int? = nil, kernels: Kernels? = nil,
            backend: Backend = .automatic, quantization: Quantization? = nil, topK: Int? = nil, topP: Double? = nil,
            minP: Double? = nil, repetitionPenalty: Double? = nil, frequencyPenalty: Double? = nil, presencePenalty: Double? = nil,
            stopSequences: [String] = [], seed: UInt64? = nil
        ) {
            self.contextLength = contextLength
            self.cacheType = cacheType
            self.threads = threads
            self.kernels = kernels
            self.backend = backend
            self.quantization = quantization
            self.topK = topK
            self.topP = topP
            self.minP = minP
            self.repetitionPenalty = repetitionPenalty
            self.frequencyPenalty = frequencyPenalty
            self.presencePenalty = presencePenalty
            self.stopSequences = stopSequences
            self.seed = seed
        }

        public enum CacheType: Sendable, Hashable, CaseIterable {
            case f32
            case f16
            /// Eight bits with one scale for 32 values: half the memory of `f16`, a little less exact.
            case q8
        }

        /// Types that float weights can be brought into, the most exact first.
        public enum Quantization: Sendable, Hashable, CaseIterable {
            /// Eight bits and a half for a weight.
            case q8
            /// Six bits and a half; rows of a multiple of 256 values.
            case q6K
            /// Four bits and a half with offsets; rows of a multiple of 256 values.
            case q4K
            /// Four bits and a half.
            case q4
        }

        public enum Kernels: Sendable, Hashable, CaseIterable {
            /// The plain definition of the others; slow.
            case reference
            case portable
            case avx2
        }

        public enum Backend: Sendable, Hashable, CaseIterable {
            /// Whichever is faster for a type and shape, by a table.
            case automatic
            /// The package's own kernels: answers do not depend on threads, on how a prompt is cut, or on the cache.
            case native
            /// OpenBLAS.
            case blas
        }
    }
}

extension LocalLanguageModel.Options {
    /// The part that a loaded model is made with.
    package var layout: ModelOptions {
        ModelOptions(
            context: contextLength, kv: cacheType.kvType, threads: threads, kernels: kernels?.set,
            backend: backend.backend, quantize: quantization?.type)
    }
}

extension LocalLanguageModel.Options.CacheType {
    var kvType: KVType {
        switch self {
        case .f32: .f32
        case .f16: .f16
        case .q8: .q8_0
        }
    }
}

extension LocalLanguageModel.Options.Quantization {
    var type: ElementType {
        switch self {
        case .q8: .q8_0
        case .q6K: .q6_k
        case .q4K: .q4_k
        case .q4: .q4_0
        }
    }
}

extension LocalLanguageModel.Options.Kernels {
    var set: KernelSet {
        switch self {
        case .reference: .reference
        case .portable: .portable
        case .avx2: .avx2
        }
    }
}

extension LocalLanguageModel.Options.Backend {
    var backend: HearthKernelTypes.Backend {
        switch self {
        case .automatic: .auto
        case .native: .native
        case .blas: .blas
        }
    }
}
