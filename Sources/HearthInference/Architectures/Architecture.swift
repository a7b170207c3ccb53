import HearthKernelTypes
import HearthWeights

/// One family of decoders: a file each in this folder, always the same parts in the same order: hyperparameters, weights
/// by name and shape, forward.
protocol Architecture: Sendable {
    /// `general.architecture` of its files.
    static var name: String { get }

    /// Reads hyperparameters and asks for every weight.
    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError)

    /// What buffers and caches are made from.
    var shape: DecoderShape { get }

    /// Takes the tokens of `pass` from embedding to the last layer: `pass.x` holds the result.
    func forward(_ pass: ForwardPass) throws

    /// Logits of the states `first ..< first + count` of `pass.x`, into `pass.logits`.
    func logits(_ pass: ForwardPass, first: Int, count: Int) throws
}

/// Widths of the buffers of a forward pass, in values per token.
struct DecoderShape: Sendable {
    let width: Int
    /// Queries, keys and values side by side: the widest layer's.
    let attentionInput: Int
    /// Outputs of all query heads: the widest layer's.
    let attentionOutput: Int
    let feedForward: Int
    let vocabulary: Int
    /// Most positions of a sequence.
    let context: Int
    /// Attention of the layer with the most heads.
    let attention: AttentionShape
    /// What each layer with attention keeps per position.
    let layers: [KVShape]
    /// What layers with a short convolution keep; nil where there are none.
    let convolutions: ConvolutionShape?
    /// Experts of a layer; 0 where a token is given to the whole feed-forward.
    let experts: Int

    init(
        _ h: Hyperparameters, vocabulary: Int, experts: ExpertSettings? = nil, convolutions: ConvolutionShape? = nil
    ) {
        width = h.width
        // A convolution's three inputs take the same place.
        attentionInput = max(h.qkvWidth, convolutions == nil ? 0 : 3 * h.width)
        attentionOutput = h.heads * h.valueWidth
        feedForward = experts?.feedForward ?? h.feedForward
        self.experts = experts?.count ?? 0
        self.convolutions = convolutions
        self.vocabulary = vocabulary
        context = h.context
        attention = h.attentionShape()
        let layer = KVShape(heads: h.kvHeads, keyWidth: h.keyWidth, valueWidth: h.valueWidth)
        layers = Array(repeating: layer, count: h.layers - (convolutions?.layers ?? 0))
    }
}

/// The architectures that are here.
enum Architectures {
    static let all: [any Architecture.Type] = [
        Llama.self, Qwen2.self, Qwen3.self, Gemma2.self, Gemma3.self, Phi3.self, OLMo2.self, Granite.self, SmolLM3.self,
        Qwen3MoE.self, GPTOSS.self, LFM2.self,
    ]
    static var names: [String] { all.map { $0.name } }
    static func named(_ name: String) -> (any Architecture.Type)? { all.first { $0.name == name } }

    /// Those that turn a text into a vector.
    static let encoders: [any EncoderArchitecture.Type] = [BERT.self, NomicBERT.self]
    static var encoderNames: [String] { encoders.map { $0.name } }
    static func encoder(named name: String) -> (any EncoderArchitecture.Type)? { encoders.first { $0.name == name } }
}
