import Foundation
import HearthInference
import HearthKernelTypes
import HearthTestSupport
import HearthTokens
import HearthWeights
import Testing

/// What encoders give for some token sequences (`Tests/Fixtures/make-embedding-references.py`).
struct EmbeddingReference: Decodable {
    let tokens: [Token]
    let mean: [Float]
    /// Of fixtures only.
    let first: [Float]?
    let last: [Float]?

    static func named(_ name: String) throws -> [EmbeddingReference] {
        let all = try JSONDecoder().decode([String: [EmbeddingReference]].self, from: Fixtures.bytes("references/embeddings.json"))
        return try #require(all[name])
    }

    /// The number of the fixtures' own reference (`references/bert-f32.json`).
    struct Fixture: Decodable {
        let tokens: [Token]
        let embedding_exact: [Float]
    }
}

extension Embedder {
    static func fixture(_ name: String, _ options: ModelOptions = .native) async throws -> Embedder {
        try await load(options: options) { try Checkpoint.open(Fixtures.url("\(name).gguf")) }
    }
}

extension ModelOptions {
    static let native = ModelOptions(threads: 1, backend: .native)
}

/// Largest distance of two vectors' numbers.
func difference(_ a: [Float], _ b: [Float]) -> Float {
    a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
}

@Suite struct EmbedderTests {
    static let fixtures = ["bert-f32", "nomic-bert-f32"]

    /// Float32 sums of some hundred products err by a few 1e-6 of states of size 1 (Fixtures/README.md).
    @Test("float weights give the exact vectors, however they are pooled", arguments: fixtures, Checked.kernels)
    func exact(name: String, set: KernelSet) async throws {
        let embedder = try await Embedder.fixture(name, .native.with { $0.kernels = set })
        let references = try EmbeddingReference.named(name)
        #expect(references.count > 5 && references.contains { $0.tokens.count == embedder.weights.context })
        let texts = references.map(\.tokens)
        for (pooling, expected) in [
            (Pooling.mean, references.map(\.mean)), (.first, references.compactMap(\.first)), (.last, references.compactMap(\.last)),
        ] {
            for (vector, reference) in zip(try await embedder.embed(texts, pooling: pooling), expected) {
                #expect(difference(vector, reference) < 1e-4)
            }
        }
    }

    @Test("the fixture's own reference, computed apart, is met too")
    func fixtureReference() async throws {
        let reference = try JSONDecoder().decode(
            EmbeddingReference.Fixture.self, from: Fixtures.bytes("references/bert-f32.json"))
        let vectors = try await Embedder.fixture("bert-f32").embed([reference.tokens], pooling: .mean)
        #expect(difference(vectors[0], reference.embedding_exact) < 1e-4)
    }

    @Test("a vector has the same bits alone, among others, in any order, and on any number of threads", arguments: fixtures, Checked.kernels)
    func bits(name: String, set: KernelSet) async throws {
        let references = try EmbeddingReference.named(name).map(\.tokens)
        // The reference set computes by the formula, one number at a time: short texts are enough for it.
        let texts = set == .reference ? references.filter { $0.count < 40 } : references + references.reversed()
        let one = try await Embedder.fixture(name, .native.with { $0.kernels = set })
        var alone: [[Float]] = []
        for text in texts { alone += try await one.embed([text], pooling: .mean) }
        #expect(try await one.embed(texts, pooling: .mean) == alone)
        let reversed = try await one.embed(texts.reversed(), pooling: .mean)
        #expect(Array(reversed.reversed()) == alone)
        for threads in [2, 3] {
            let several = try await Embedder.fixture(name, .native.with { ($0.kernels, $0.threads) = (set, threads) })
            #expect(try await several.embed(texts, pooling: .mean) == alone)
        }
    }

    @Test("every token of a text counts, wherever it stands: nothing is masked", arguments: fixtures)
    func bothWays(name: String) async throws {
        let embedder = try await Embedder.fixture(name)
        let text: [Token] = [2, 20, 30, 40, 50, 60, 3]
        let vectors = try await embedder.embed([text, [2, 20, 30, 40, 50, 61, 3], [2, 21, 30, 40, 50, 60, 3]], pooling: .first)
        // The first token's state knows what comes behind it.
        #expect(difference(vectors[0], vectors[1]) > 1e-3 && difference(vectors[0], vectors[2]) > 1e-3)
        let swapped = try await embedder.embed([text, [2, 30, 20, 40, 50, 60, 3]], pooling: .mean)
        #expect(difference(swapped[0], swapped[1]) > 1e-3)
    }

    @Test("texts that cannot be evaluated are refused before any is")
    func refusals() async throws {
        let embedder = try await Embedder.fixture("bert-f32")
        func embed(_ texts: [[Token]]) async throws { _ = try await embedder.embed(texts, pooling: .mean) }
        await #expect(throws: InferenceError.self) { try await embed([[2, 3], []]) }
        do {
            try await embed([Array(repeating: 5, count: 65)])
            Issue.record("65 tokens fit a context of 64")
        } catch InferenceError.promptTooLong(let tokens, let context) {
            #expect((tokens, context) == (65, 64))
        }
        do {
            try await embed([[2, 3], [2, -1]])
            Issue.record("there is no token -1")
        } catch InferenceError.tokenOutOfRange(let token, let index, _) {
            #expect((token, index) == (-1, 1))
        }
        #expect(try await embedder.embed([], pooling: .mean).isEmpty)
    }

    @Test("a cancelled request ends as one, and the next is answered")
    func cancelling() async throws {
        let embedder = try await Embedder.fixture("bert-f32")
        let text = try EmbeddingReference.named("bert-f32")[4]
        let many = Array(repeating: text.tokens, count: 20_000)
        let task = Task { try await embedder.embed(many, pooling: .mean) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let vectors = try await embedder.embed([text.tokens], pooling: .mean)
        #expect(difference(vectors[0], text.mean) < 1e-4)
    }

    @Test("a shorter context is kept to, and a longer one than the model's refused")
    func context() async throws {
        let embedder = try await Embedder.fixture("bert-f32", .native.with { $0.context = 8 })
        #expect(embedder.weights.context == 8)
        let reference = try EmbeddingReference.named("bert-f32")[2]
        let vectors = try await embedder.embed([reference.tokens], pooling: .mean)
        #expect(difference(vectors[0], reference.mean) < 1e-4)
        do {
            _ = try await Embedder.fixture("bert-f32", .native.with { $0.context = 65 })
            Issue.record("65 positions of 64")
        } catch InferenceError.contextTooLong(let asked, let trained) {
            #expect((asked, trained) == (65, 64))
        }
    }

    @Test("an embedding model gives no text and a model that writes text no embedding: both say what to use")
    func wrongKind() async throws {
        do {
            _ = try await Generator.fixture("bert-f32")
            Issue.record("bert-f32 gave logits")
        } catch InferenceError.givesNoText(let architecture) {
            #expect(architecture == "bert")
        }
        do {
            _ = try await Embedder.fixture("llama-f32")
            Issue.record("llama-f32 gave embeddings")
        } catch InferenceError.givesNoEmbedding(let architecture) {
            #expect(architecture == "llama")
        }
    }

    static let nomic = Store.folder.appending(path: "nomic-embed-text-v1.5-f16.gguf")

    /// F16 weights with Float32 activations: as exact as Float32 weights. Numbers of a vector of length 1 are some 0.04.
    @Test(
        "nomic-embed-text-v1.5 gives the exact vectors of its weights",
        .enabled(if: Store.has(nomic), "run make test-models to fetch it"))
    func realNomic() async throws {
        let embedder = try await Embedder.load(options: ModelOptions(backend: .native)) { try Checkpoint.open(Self.nomic) }
        let references = try EmbeddingReference.named("nomic-embed-text-v1.5-f16")
        let vectors = try await embedder.embed(references.map(\.tokens), pooling: .mean)
        for (vector, reference) in zip(vectors, references) {
            #expect(difference(EmbeddingVector.normalised(vector), reference.mean) < 1e-5)
        }
    }
}

@Suite struct EmbeddingVectorTests {
    @Test("a normalised vector has length 1, and zeros stay zeros")
    func normalised() {
        #expect(EmbeddingVector.normalised([3, 0, 4]) == [0.6, 0, 0.8])
        #expect(EmbeddingVector.normalised([0, 0]) == [0, 0])
        #expect(EmbeddingVector.normalised([1e-30, 0]) == [1, 0])
    }

    @Test("the cosine is that of the angle, and of no angle 0")
    func cosine() {
        #expect(EmbeddingVector.cosine([1, 0], [0, 2]) == 0)
        #expect(abs(EmbeddingVector.cosine([1, 1], [3, 3]) - 1) < 1e-15)
        #expect(abs(EmbeddingVector.cosine([1, 2], [-1, -2]) + 1) < 1e-15)
        #expect(EmbeddingVector.cosine([0, 0], [1, 0]) == 0)
    }
}
