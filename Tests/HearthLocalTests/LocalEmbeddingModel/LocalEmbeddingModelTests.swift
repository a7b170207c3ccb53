import Foundation
import HearthInference
import HearthJSON
import HearthLocal
import HearthTestSupport
import Testing

/// The public door of embeddings, on the fixtures and on the real models.
@Suite("LocalEmbeddingModel") struct LocalEmbeddingModelTests {
    typealias Options = LocalEmbeddingModel.Options

    static func fixture(_ name: String = "bert-f32", _ options: Options = Options(threads: 1)) async throws -> LocalEmbeddingModel {
        try await LocalEmbeddingModel.load(at: Fixtures.url("\(name).gguf"), options: options)
    }

    static let texts = ["The quick brown fox jumps over the lazy dog.", "", "hello world", "über café 世界", "hello world"]

    static func length(_ vector: [Float]) -> Double { vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot() }

    @Test("a loaded model tells what it is")
    func facts() async throws {
        let model = try await Self.fixture()
        #expect(model.modelID == "bert-f32" && model.dimension == 64 && model.contextLength == 64)
        #expect(model.pooling == .mean && model.loadTime > .zero)
        #expect(try await Self.fixture("nomic-bert-f32").contextLength == 256)
    }

    @Test("vectors have length 1 unless they are to stay as they are", arguments: ["bert-f32", "nomic-bert-f32"])
    func normalised(name: String) async throws {
        let plain = try await Self.fixture(name, Options(threads: 1, normalizes: false)).embed(Self.texts)
        let vectors = try await Self.fixture(name).embed(Self.texts)
        for (vector, raw) in zip(vectors, plain) {
            #expect(vector.count == 64 && abs(Self.length(vector) - 1) < 1e-6)
            #expect(Self.length(raw) > 1.5)
            #expect(abs(try LocalEmbeddingModel.similarity(vector, raw) - 1) < 1e-6)
        }
        #expect(vectors[2] == vectors[4])
    }

    @Test("a vector has the same bits alone and among others, on one thread and on two", arguments: ["bert-f32", "nomic-bert-f32"])
    func bits(name: String) async throws {
        let one = try await Self.fixture(name)
        let together = try await one.embed(Self.texts)
        for (text, vector) in zip(Self.texts, together) { #expect(try await one.embed(text) == vector) }
        #expect(try await Self.fixture(name, Options(threads: 2)).embed(Self.texts) == together)
        #expect(try await one.embed([]) == [])
    }

    @Test("an empty text has a vector: that of the tokens around a text")
    func empty() async throws {
        let model = try await Self.fixture()
        #expect(try await model.tokenCount(of: "") == 2)
        let vectors = try await model.embed(["", " \n\t"])
        #expect(vectors[0] == vectors[1] && abs(Self.length(vectors[0]) - 1) < 1e-6)
    }

    @Test("the first dimensions are those of the whole vector, at length 1 again")
    func dimensions() async throws {
        let model = try await Self.fixture("nomic-bert-f32")
        let whole = try await model.embed("hello world")
        let part = try await model.embed("hello world", dimensions: 16)
        #expect(part.count == 16 && abs(Self.length(part) - 1) < 1e-6)
        #expect(abs(try LocalEmbeddingModel.similarity(part, Array(whole.prefix(16))) - 1) < 1e-6)
        #expect(try await model.embed("hello world", dimensions: 64) == whole)
        let raw = try await Self.fixture("nomic-bert-f32", Options(threads: 1, normalizes: false)).embed("hello world")
        #expect(
            try await Self.fixture("nomic-bert-f32", Options(threads: 1, normalizes: false)).embed("hello world", dimensions: 3)
                == Array(raw.prefix(3)))
        for asked in [0, -1, 65] {
            await #expect(throws: LocalEmbeddingModelError.self) { _ = try await model.embed("hello", dimensions: asked) }
        }
    }

    @Test("the pooling may be chosen, and each gives another vector")
    func pooling() async throws {
        var vectors: [[Float]] = []
        for pooling in LocalEmbeddingModel.Pooling.allCases {
            let model = try await Self.fixture("bert-f32", Options(threads: 1, pooling: pooling))
            #expect(model.pooling == pooling)
            vectors.append(try await model.embed("hello world"))
        }
        for (a, b) in [(0, 1), (1, 2), (0, 2)] { #expect(try LocalEmbeddingModel.similarity(vectors[a], vectors[b]) < 0.99) }
    }

    @Test("a text that does not fit is refused with both lengths, or cut where that is asked for")
    func truncation() async throws {
        let model = try await Self.fixture("bert-f32", Options(contextLength: 6, threads: 1))
        let long = "hello world hello world hello"
        #expect(try await model.tokenCount(of: long) == 7)
        do {
            _ = try await model.embed(["hello", long])
            Issue.record("7 tokens fit 6")
        } catch LocalEmbeddingModelError.textTooLong(let text) {
            #expect(text.index == 1 && text.tokenCount == 7 && text.contextLength == 6)
            #expect(
                text.debugDescription
                    == "Text 2 has 7 tokens; 6 fit, those around the text included. Split it, or allow truncation, which leaves the end out.")
        }
        let cutting = try await Self.fixture("bert-f32", Options(contextLength: 6, threads: 1, truncates: true))
        let fitting = try await model.embed("hello world hello world")
        #expect(try await cutting.embed(long) == fitting)
        // What stands around a text needs its room.
        let tiny = try await Self.fixture("bert-f32", Options(contextLength: 1, threads: 1, truncates: true))
        await #expect(throws: LocalEmbeddingModelError.self) { _ = try await tiny.embed("") }
    }

    @Test("T-19 names of control tokens in a text are text")
    func markers() async throws {
        let model = try await Self.fixture()
        let count = try await model.tokenCount(of: "hello [SEP] world")
        #expect(count > 5)
        let vectors = try await model.embed(["hello [SEP] world", "hello world"])
        #expect(try LocalEmbeddingModel.similarity(vectors[0], vectors[1]) < 0.999)
    }

    @Test("a model that writes text says what to use it with, and the other way round")
    func wrongKind() async throws {
        do {
            _ = try await Self.fixture("llama-f32")
            Issue.record("llama-f32 gave embeddings")
        } catch LocalEmbeddingModelError.unusableModel(let context) {
            #expect(context.debugDescription.contains("LocalLanguageModel"))
        }
        do {
            _ = try await LocalLanguageModel(at: Fixtures.url("bert-f32.gguf")).load()
            Issue.record("bert-f32 writes text")
        } catch LocalLanguageModelError.unusableModel(let context) {
            #expect(context.debugDescription.contains("LocalEmbeddingModel"))
        }
    }

    @Test("a model that is not there, and options out of range, are told apart")
    func refusals() async throws {
        do {
            _ = try await LocalEmbeddingModel.load(at: URL(filePath: "/no/such/model.gguf"))
            Issue.record("no file was read")
        } catch LocalEmbeddingModelError.modelNotFound {}
        do {
            _ = try await LocalEmbeddingModel.load(named: "no-such-model")
            Issue.record("no model was found")
        } catch LocalEmbeddingModelError.modelNotFound {}
        for options in [Options(threads: 0), Options(contextLength: 0), Options(contextLength: 65)] {
            do {
                _ = try await Self.fixture("bert-f32", options)
                Issue.record("\(options) was taken")
            } catch LocalEmbeddingModelError.invalidOption {}
        }
        #expect(throws: LocalEmbeddingModelError.self) { _ = try LocalEmbeddingModel.similarity([1], [1, 2]) }
    }

    @Test("a cancelled call throws CancellationError")
    func cancelling() async throws {
        let model = try await Self.fixture()
        let texts = Array(repeating: Self.texts[0], count: 5000)
        let task = Task { try await model.embed(texts) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test(
        "every error of embeddings says what happened, where, and what to do",
        arguments: [
            (
                EmbeddingError.textTooLong(index: 0, tokens: 600, limit: 512),
                "Text 1 has 600 tokens; 512 fit, those around the text included. Split it, or allow truncation, which leaves the end out."
            ),
            (
                .badDimensions(asked: 800, most: 768),
                "800 dimensions were asked for; the model's vectors have 768. Ask for 1 to 768."
            ),
            (
                .noPooling(model: "m"),
                "The model `m` does not say how the states of its tokens become one vector (`pooling_type` is 0). Name a pooling: mean, first or last token."
            ),
            (
                .differentLengths(3, 4),
                "One vector has 3 values and the other 4. Compare vectors of one model, cut to the same length."
            ),
        ])
    func words(error: EmbeddingError, text: String) { #expect(error.description == text) }
}

/// Real weights against the vectors of the references, computed apart (`Tests/Fixtures/references/real`).
@Suite("Real embedding models") struct RealEmbeddingTests {
    struct Reference: Decodable {
        struct Sentence: Decodable {
            let text: String
            let embedding: [Float]
        }
        let sentences: [Sentence]
        let cosine: [[Double]]

        static func named(_ name: String) throws -> Reference {
            try JSONDecoder().decode(Reference.self, from: Fixtures.bytes("references/real/\(name).json"))
        }
    }

    static let miniLM = Store.folder.appending(path: "all-minilm-l6-v2")
    static let nomic = Store.folder.appending(path: "nomic-embed-text-v1.5-f16.gguf")

    /// - Parameter cosine: distance of a cosine from 1. Vectors of length 1 are then apart by the root of twice that, and the cosine
    ///   of two of them is off by twice as much.
    func check(_ file: URL, _ name: String, within tolerance: Float, cosine: Double) async throws {
        let reference = try Reference.named(name)
        let model = try await LocalEmbeddingModel.load(at: file)
        let vectors = try await model.embed(reference.sentences.map(\.text))
        #expect(vectors.count > 3)
        for (vector, sentence) in zip(vectors, reference.sentences) {
            #expect(try LocalEmbeddingModel.similarity(vector, sentence.embedding) > 1 - cosine)
            let worst = zip(vector, sentence.embedding).map { abs($0 - $1) }.max() ?? .infinity
            #expect(vector.count == sentence.embedding.count && worst < tolerance, "\(sentence.text): \(worst)")
        }
        for a in vectors.indices {
            for b in vectors.indices {
                let ours = try LocalEmbeddingModel.similarity(vectors[a], vectors[b])
                #expect(abs(ours - reference.cosine[a][b]) < 2 * (2 * cosine).squareRoot())
            }
        }
    }

    /// The reference has six digits of numbers of some 0.05; float32 sums add a few 1e-7.
    @Test(
        "all-minilm-l6-v2 gives its reference's vectors from text",
        .enabled(if: Store.has(miniLM), "run make test-models to fetch it"))
    func realMiniLM() async throws { try await check(Self.miniLM, "all-minilm-l6-v2", within: 1e-5, cosine: 1e-9) }

    /// llama.cpp rounds activations to half precision here: it is itself 1e-4 off exact (references/embeddings.json has exact).
    @Test(
        "nomic-embed-text-v1.5 gives its reference's vectors from text",
        .enabled(if: Store.has(nomic), "run make test-models to fetch it"))
    func realNomic() async throws { try await check(Self.nomic, "nomic-embed-text-v1.5-f16", within: 2e-4, cosine: 1e-6) }

    @Test(
        "nomic's vectors cut to 256 numbers still tell like from unlike",
        .enabled(if: Store.has(nomic), "run make test-models to fetch it"))
    func matryoshka() async throws {
        let model = try await LocalEmbeddingModel.load(at: Self.nomic)
        let vectors = try await model.embed(
            ["search_query: The cat sits on the mat.", "search_query: A kitten rests on the rug.", "search_query: Stock prices fell."],
            dimensions: 256)
        #expect(vectors.allSatisfy { $0.count == 256 })
        let like = try LocalEmbeddingModel.similarity(vectors[0], vectors[1])
        let unlike = try LocalEmbeddingModel.similarity(vectors[0], vectors[2])
        #expect(like > unlike + 0.1)
    }

    @Test(
        "a text longer than a page of keys and longer than a shared pass is read whole by both models",
        .enabled(if: Store.has(miniLM), "run make test-models to fetch it"))
    func longText() async throws {
        let model = try await LocalEmbeddingModel.load(at: Self.miniLM)
        let words = (0..<480).map { ["river", "stone", "cloud", "engine"][$0 % 4] }
        let text = words.joined(separator: " ")
        #expect(try await model.tokenCount(of: text) == 482)
        let changed = (words.dropLast() + ["violin"]).joined(separator: " ")
        let vectors = try await model.embed([text, changed])
        let cosine = try LocalEmbeddingModel.similarity(vectors[0], vectors[1])
        #expect(cosine > 0.8 && cosine < 0.99999)
    }
}
