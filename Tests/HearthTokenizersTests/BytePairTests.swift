import Foundation
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import Testing

@Suite("Byte-level BPE against the reference")
struct BytePairTests {
    @Test(
        "the fixtures' texts become the reference's tokens and come back",
        arguments: ["llama-f32", "llama3-f32", "qwen2-f32", "qwen3-f32", "qwen3moe-f32"])
    func fixtures(name: String) throws {
        try ReferenceCases(reference: name).check(Tokenizer.of(Fixtures.url("\(name).gguf")), name)
    }

    @Test(
        "the default model's texts become the reference's tokens",
        .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
    func defaultModel() throws {
        let name = "smollm2-135m-instruct-q4_1"
        try ReferenceCases(reference: "real/\(name)").check(Tokenizer.of(Store.defaultModel), name)
    }

    @Test(
        "the reference vocabularies' texts become their tokens",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch the vocabularies"),
        arguments: ["gpt-2", "llama-bpe", "qwen2"])
    func vocabularies(name: String) throws {
        let tokenizer = try Tokenizer.of(Store.vocabularies.appending(path: "ggml-vocab-\(name).gguf"))
        try ReferenceCases(vocabulary: name).check(tokenizer, name)
    }
}
