import HearthKernelTypes
import HearthKernels

extension InferenceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .checkpoint(let error):
            "\(error)"
        case .unsupportedArchitecture(let name):
            "`general.architecture` is \"\(name)\", which this engine does not compute. It computes "
                + Architectures.names.joined(separator: ", ") + ", and for embeddings "
                + Architectures.encoderNames.joined(separator: ", ") + ". Choose a model of one of these."
        case .givesNoText(let architecture):
            "`general.architecture` is \"\(architecture)\": such a model turns a text into a vector and writes none. Use it with "
                + "`hearth embed` or LocalEmbeddingModel, or choose a model that writes text."
        case .givesNoEmbedding(let architecture):
            "`general.architecture` is \"\(architecture)\": such a model writes text and gives no embedding. Use it with "
                + "`hearth run` or LocalLanguageModel, or choose an embedding model: \(Architectures.encoderNames.joined(separator: " or "))."
        case .unsupportedSetting(let key, let value, let supported):
            "`\(key)` is \(value); supported: \(supported). Choose a conversion of the model without it."
        case .missingTensor(let name, let shape, let reason):
            "The tensor `\(name)` of shape \(shape) is missing (\(reason)). The file may be cut or made by another "
                + "converter: fetch or convert it again."
        case .wrongShape(let tensor, let has, let needs, let reason):
            "`\(tensor)` has shape \(has); \(reason) need \(needs). Check that the metadata belongs to these weights."
        case .wrongType(let tensor, let has, let needs):
            "`\(tensor)` is stored as \(has.name); it is read as \(needs) only. Choose another quantisation of the model."
        case .unusedTensors(let names, let architecture):
            "The architecture \(architecture) has no place for \(names.count == 1 ? "the tensor" : "\(names.count) tensors,") "
                + names.prefix(3).map { "`\($0)`" }.joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
                + ". Leaving weights out would give wrong answers: choose another conversion of the model."
        case .contextTooLong(let asked, let trained):
            "A context of \(asked) tokens was asked for; the model was trained for \(trained). Ask for \(trained) or fewer."
        case .badOption(let name, let value, let allowed):
            "The option \(name) is \(value); allowed: \(allowed)."
        case .notEnoughMemory(let needed, let room):
            "The weights take \(Self.megabytes(needed)) of memory; this process can have \(Self.megabytes(room.byteCount)), "
                + (room.limit == .group
                    ? "by the limit of its control group (a container's, say). Raise that limit, or choose "
                    : "which is what the machine has free. Close other programs, or choose ")
                + "a smaller model or smaller weights. HEARTH_MEMORY_CHECK=0 in the environment loads them all the same."
        case .emptyPrompt:
            "The prompt has no tokens. Give at least one, such as the model's beginning token."
        case .promptTooLong(let tokens, let context):
            "The prompt has \(tokens) tokens; the context holds \(context). Shorten the prompt, or ask for a longer context "
                + "(`--context`, `contextLength`) if the model was trained for one."
        case .tokenOutOfRange(let token, let index, let vocabulary):
            "Token \(token) at index \(index) is outside of the vocabulary of \(vocabulary) (0 to \(vocabulary - 1)). "
                + "Check that the tokens were made for this model."
        case .noUsableLogits(let unusable, let vocabulary, let step):
            "Step \(step): none of the \(vocabulary) logits is usable (\(unusable) are NaN or plus infinity, the others minus "
                + "infinity). The weights may be damaged: check the file's hash and fetch it again."
        case .noTokenAllowed(let step):
            "Step \(step): the constraint allows no token that the model can give. Loosen the constraint."
        case .unusableLogits(let position):
            "Position \(position): logits are NaN or infinite, so no chances follow from them. The weights may be damaged: "
                + "check the file's hash and fetch it again."
        case .unusableEmbedding(let text):
            "Text \(text) of the request: its states are NaN or infinite, so there is no vector. The weights may be damaged: check "
                + "the file's hash and fetch it again."
        case .kernel(let error):
            "\(error)"
        }
    }

    /// Decimal units, as files are labelled: `98 MB`.
    private static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }
}
