import HearthInference
import HearthKernels
import HearthWeights
import Testing

@Suite struct InferenceErrorTests {
    @Test(
        "each error says what happened, where, and what to do",
        arguments: [
            (
                InferenceError.unsupportedArchitecture("mamba"),
                """
                `general.architecture` is "mamba", which this engine does not compute. It computes llama, qwen2, qwen3, \
                gemma2, gemma3, phi3, olmo2, granite, smollm3, qwen3moe, gpt-oss, lfm2, and for embeddings bert, nomic-bert. Choose a \
                model of one of these.
                """
            ),
            (
                .givesNoText(architecture: "bert"),
                """
                `general.architecture` is "bert": such a model turns a text into a vector and writes none. Use it with \
                `hearth embed` or LocalEmbeddingModel, or choose a model that writes text.
                """
            ),
            (
                .givesNoEmbedding(architecture: "llama"),
                """
                `general.architecture` is "llama": such a model writes text and gives no embedding. Use it with \
                `hearth run` or LocalLanguageModel, or choose an embedding model: bert or nomic-bert.
                """
            ),
            (
                .notEnoughMemory(
                    needed: 4_123_456_789, room: MemoryRoom(MemoryReadings(machine: 9_000_000_000, group: 2_000_000_000))!),
                """
                The weights take 4123 MB of memory; this process can have 2000 MB, by the limit of its control group (a \
                container's, say). Raise that limit, or choose a smaller model or smaller weights. HEARTH_MEMORY_CHECK=0 in \
                the environment loads them all the same.
                """
            ),
            (
                .notEnoughMemory(needed: 4_123_456_789, room: MemoryRoom(MemoryReadings(machine: 2_000_000_000))!),
                """
                The weights take 4123 MB of memory; this process can have 2000 MB, which is what the machine has free. Close \
                other programs, or choose a smaller model or smaller weights. HEARTH_MEMORY_CHECK=0 in the environment loads \
                them all the same.
                """
            ),
            (
                .unusableEmbedding(text: 3),
                """
                Text 3 of the request: its states are NaN or infinite, so there is no vector. The weights may be damaged: \
                check the file's hash and fetch it again.
                """
            ),
            (
                .unsupportedSetting(key: "llama.rope.scaling.type", value: "\"yarn\"", supported: "none, linear"),
                """
                `llama.rope.scaling.type` is "yarn"; supported: none, linear. Choose a conversion of the model without it.
                """
            ),
            (
                .missingTensor("output_norm.weight", shape: [64], reason: "a width of 64"),
                """
                The tensor `output_norm.weight` of shape [64] is missing (a width of 64). The file may be cut or made by \
                another converter: fetch or convert it again.
                """
            ),
            (
                .wrongShape(
                    tensor: "blk.3.attn_k.weight", has: [2048, 2048], needs: [1024, 2048],
                    reason: "8 key heads of 128 over a width of 2048"),
                """
                `blk.3.attn_k.weight` has shape [2048, 2048]; 8 key heads of 128 over a width of 2048 need [1024, 2048]. \
                Check that the metadata belongs to these weights.
                """
            ),
            (
                .unusedTensors(["a.weight"], architecture: "llama"),
                """
                The architecture llama has no place for the tensor `a.weight`. Leaving weights out would give wrong \
                answers: choose another conversion of the model.
                """
            ),
            (
                .unusedTensors(["a", "b", "c", "d"], architecture: "qwen2"),
                """
                The architecture qwen2 has no place for 4 tensors, `a`, `b`, `c`, .... Leaving weights out would give \
                wrong answers: choose another conversion of the model.
                """
            ),
            (
                .contextTooLong(asked: 9000, trained: 8192),
                "A context of 9000 tokens was asked for; the model was trained for 8192. Ask for 8192 or fewer."
            ),
            (.badOption(name: "top-p", value: "2.0", allowed: "0 to 1"), "The option top-p is 2.0; allowed: 0 to 1."),
            (.emptyPrompt, "The prompt has no tokens. Give at least one, such as the model's beginning token."),
            (
                .promptTooLong(tokens: 40, context: 32),
                """
                The prompt has 40 tokens; the context holds 32. Shorten the prompt, or ask for a longer context (`--context`, `contextLength`) if the model was trained for one.
                """
            ),
            (
                .tokenOutOfRange(320, index: 4, vocabulary: 320),
                """
                Token 320 at index 4 is outside of the vocabulary of 320 (0 to 319). Check that the tokens were made for \
                this model.
                """
            ),
            (
                .noUsableLogits(unusable: 3, vocabulary: 8, step: 2),
                """
                Step 2: none of the 8 logits is usable (3 are NaN or plus infinity, the others minus infinity). The \
                weights may be damaged: check the file's hash and fetch it again.
                """
            ),
            (
                .noTokenAllowed(step: 5),
                "Step 5: the constraint allows no token that the model can give. Loosen the constraint."
            ),
            (
                .unusableLogits(position: 4),
                """
                Position 4: logits are NaN or infinite, so no chances follow from them. The weights may be damaged: check \
                the file's hash and fetch it again.
                """
            ),
            (
                .kernel(.wrongInput(columns: 3, expected: 4)),
                "The input is 3 values wide; the matrix reads 4."
            ),
            (
                .checkpoint(CheckpointError("m.gguf", .missingKey("llama.block_count"))),
                "\(CheckpointError("m.gguf", .missingKey("llama.block_count")))"
            ),
        ])
    func words(error: InferenceError, text: String) {
        #expect("\(error)" == text)
    }
}
