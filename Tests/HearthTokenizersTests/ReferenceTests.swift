import Foundation
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import Testing

@Suite("Tokens equal the reference's")
struct ReferenceTests {
    @Test(
        "the fixtures' texts become the reference's tokens and come back",
        arguments: [
            "bert-f32", "gemma2-f32", "gemma3-f32", "gpt-oss-f32", "granite-f32", "lfm2-f32", "llama-f32", "llama3-f32",
            "mistral-f32", "olmo2-f32", "phi3-f32", "phi3-longrope-f32", "qwen2-f32", "qwen3-f32", "qwen3moe-f32",
            "smollm3-f32",
        ])
    func fixtures(name: String) throws {
        try ReferenceCases(reference: name).check(Tokenizer.of(Fixtures.url("\(name).gguf")), name)
    }

    @Test("A folder of safetensors gives the same ids", arguments: ["llama", "qwen2", "qwen3"])
    func folder(name: String) throws {
        try ReferenceCases(reference: "\(name)-f32").check(Tokenizer.of(Fixtures.url("safetensors/\(name)")), name)
    }

    @Test(
        "WordPiece from tokenizer.json gives the reference's ids",
        .enabled(if: Store.has(Store.folder.appending(path: "all-minilm-l6-v2")), "run make test-models to fetch it"))
    func wordPiece() throws {
        let cases = try ReferenceCases(reference: "real/all-minilm-l6-v2")
        try cases.check(Tokenizer.of(Store.folder.appending(path: "all-minilm-l6-v2")), "all-minilm-l6-v2")
    }

    @Test(
        "the default model's texts become the reference's tokens",
        .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
    func defaultModel() throws {
        try check("smollm2-135m-instruct-q4_1")
    }

    static func file(_ name: String) -> URL { Store.folder.appending(path: "\(name).gguf") }

    func check(_ name: String) throws {
        try ReferenceCases(reference: "real/\(name)").check(Tokenizer.of(Self.file(name)), name)
    }

    @Test(
        "the texts of gemma-3-270m-q4_k_m become the reference's tokens",
        .enabled(if: Store.has(file("gemma-3-270m-q4_k_m")), "run make test-models to fetch it"))
    func gemma3() throws { try check("gemma-3-270m-q4_k_m") }

    @Test(
        "the texts of qwen2.5-coder-0.5b-instruct-q4_k_m become the reference's tokens",
        .enabled(if: Store.has(file("qwen2.5-coder-0.5b-instruct-q4_k_m")), "run make test-models to fetch it"))
    func qwenSmall() throws { try check("qwen2.5-coder-0.5b-instruct-q4_k_m") }

    @Test(
        "the texts of qwen2.5-coder-1.5b-instruct-q4_k_m become the reference's tokens",
        .enabled(if: Store.has(file("qwen2.5-coder-1.5b-instruct-q4_k_m")), "run make test-models to fetch it"))
    func qwenLarge() throws { try check("qwen2.5-coder-1.5b-instruct-q4_k_m") }

    @Test(
        "the texts of deepseek-r1-distill-qwen-7b-vocab become the reference's tokens",
        .enabled(if: Store.has(file("deepseek-r1-distill-qwen-7b-vocab")), "run make test-models to fetch it"))
    func deepSeek() throws { try check("deepseek-r1-distill-qwen-7b-vocab") }

    @Test(
        "the texts of nomic-embed-text-v1.5-f16 become the reference's tokens",
        .enabled(if: Store.has(file("nomic-embed-text-v1.5-f16")), "run make test-models to fetch it"))
    func nomic() throws { try checkNomic(Tokenizer.of(Self.file("nomic-embed-text-v1.5-f16"))) }

    /// The reference engine keeps only the first letter of a Hangul syllable; BERT's own tokenizers, and the reference of
    /// all-minilm over the same vocabulary, keep all. Ours do as those.
    func checkNomic(_ tokenizer: Tokenizer) throws {
        let name = "nomic-embed-text-v1.5-f16"
        var cases = try ReferenceCases(reference: "real/\(name)")
        let count = cases.cases.count
        cases.cases.removeAll { $0.text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } }
        #expect(cases.cases.count == count - 1)
        try cases.check(tokenizer, name)
    }

    @Test(
        "the embedding models' texts become the reference's tokens with BERT's vocabulary, which is theirs",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch the vocabularies"))
    func embeddings() throws {
        let tokenizer = try Tokenizer.of(Store.vocabularies.appending(path: "ggml-vocab-bert-bge.gguf"))
        try ReferenceCases(reference: "real/all-minilm-l6-v2").check(tokenizer, "all-minilm-l6-v2")
        try checkNomic(tokenizer)
    }

    @Test(
        "the reference vocabularies' texts become their tokens",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch the vocabularies"),
        arguments: [
            "bert-bge", "command-r", "deepseek-coder", "deepseek-llm", "falcon", "gemma-4", "gpt-2", "llama-bpe",
            "llama-spm", "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder",
        ])
    func vocabularies(name: String) throws {
        let tokenizer = try Tokenizer.of(Store.vocabularies.appending(path: "ggml-vocab-\(name).gguf"))
        try ReferenceCases(vocabulary: name).check(tokenizer, name)
    }

    @Test(
        "Qwen 2.5's own texts become the reference's tokens with the reference vocabulary",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch the vocabularies"))
    func qwenCoder() throws {
        let tokenizer = try Tokenizer.of(Store.vocabularies.appending(path: "ggml-vocab-qwen2.gguf"))
        var cases = try ReferenceCases(reference: "real/qwen2.5-coder-0.5b-instruct-q4_k_m")
        // The coder's file has other added tokens: only texts without them are the same in both.
        cases.cases.removeAll { $0.text.contains("<") }
        #expect(cases.cases.count > 12)
        for item in cases.cases {
            #expect(try tokenizer.encode(item.text.utf8, control: .asText) == item.ids, "\(item.text.debugDescription)")
        }
    }
}
