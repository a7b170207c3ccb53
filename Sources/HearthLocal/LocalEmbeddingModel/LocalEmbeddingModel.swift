public import Foundation
import HearthInference
import HearthModels

/// A model that turns texts into vectors on this machine, from a GGUF file or a folder of safetensors.
///
///     let model = try await LocalEmbeddingModel.load(named: "all-minilm-l6-v2")
///     let vectors = try await model.embed(["The cat sits on the mat.", "A kitten rests on the rug."])
///     let cosine = try LocalEmbeddingModel.similarity(vectors[0], vectors[1])      // 0.66
///
/// Texts of like meaning get vectors of like direction. A vector is `dimension` numbers, of length 1 unless
/// ``Options/normalizes`` says otherwise, so that the dot product of two is their cosine.
///
/// Some models were trained with a word before each text that says what it is for, and lose accuracy without it. It is the
/// caller's to write: nomic-embed-text wants `search_query: ` before a question, `search_document: ` before a text that is
/// searched, `clustering: ` or `classification: ` for these. all-minilm-l6-v2 wants none.
///
/// A text's vector has the same bits whatever texts stand beside it and however many threads compute. Names of control tokens in
/// a text (`[SEP]`) are text. Copies share the weights, which go with the last of them; each `load` reads the file again.
public struct LocalEmbeddingModel: Sendable {
    package let engine: EmbeddingEngine

    /// What the model was loaded with.
    public let options: LocalEmbeddingModel.Options

    // MARK: Loading

    /// Loads a model of the store by its name (`hearth list` shows them), or by a path.
    /// - Throws: ``LocalEmbeddingModelError``.
    public nonisolated(nonsending) static func load(
        named name: String, options: LocalEmbeddingModel.Options = Options()
    ) async throws -> LocalEmbeddingModel {
        let file: URL
        do { file = try ModelStore.standard().file(for: name) } catch { throw LocalEmbeddingModelError.error(for: error) }
        return try await load(at: file, options: options)
    }

    /// Loads the model in a GGUF file, or in a folder with `config.json`, `tokenizer.json` and `model.safetensors`.
    /// - Throws: ``LocalEmbeddingModelError``. A model that writes text is ``LocalEmbeddingModelError/unusableModel(_:)``.
    public nonisolated(nonsending) static func load(
        at url: URL, options: LocalEmbeddingModel.Options = Options()
    ) async throws -> LocalEmbeddingModel {
        do {
            let engine = try await EmbeddingEngine(file: url, options: options.layout, pooling: options.pooling?.kind)
            return LocalEmbeddingModel(engine: engine, options: options)
        } catch {
            throw LocalEmbeddingModelError.error(for: error)
        }
    }

    // MARK: The model

    /// The file's name without its ending, or the folder's.
    public var modelID: String { engine.facts.modelID }

    /// Numbers of a whole vector.
    public var dimension: Int { engine.dimension }

    /// Most tokens of a text, the two or so that the model wants around it included.
    public var contextLength: Int { engine.context }

    /// How the states of a text's tokens become one vector: as asked, else as the file says.
    public var pooling: LocalEmbeddingModel.Pooling { Pooling(engine.pooling) }

    /// How long loading took.
    public var loadTime: Duration { engine.loadTime }

    /// Tokens of a text as ``embed(_:dimensions:)-(String,_)`` counts them, for callers that split long texts.
    /// - Throws: ``LocalEmbeddingModelError``.
    public nonisolated(nonsending) func tokenCount(of text: String) async throws -> Int {
        do { return try await engine.tokenCount(of: text) } catch { throw LocalEmbeddingModelError.error(for: error) }
    }

    // MARK: Embedding

    /// The vector of one text. An empty text has one too.
    ///
    /// - Parameter dimensions: keeps so many numbers from the front and scales what is left to length 1 again (unless
    ///   ``Options/normalizes`` is false). Only vectors of models that were trained for it stay useful (nomic-embed-text-v1.5: 768, 512, 256, 128, 64; Kusupati et al.,
    ///   "Matryoshka Representation Learning", 2022). nil keeps all.
    /// - Returns: `dimension` numbers, or `dimensions` of them.
    /// - Throws: ``LocalEmbeddingModelError/textTooLong(_:)``, ``LocalEmbeddingModelError/invalidOption(_:)`` for dimensions that
    ///   the model does not have, `CancellationError`.
    public nonisolated(nonsending) func embed(_ text: String, dimensions: Int? = nil) async throws -> [Float] {
        try await embed([text], dimensions: dimensions)[0]
    }

    /// The vectors of several texts, in their order: short texts share passes over the weights, so that many at once are faster
    /// than one after the other, and each vector has the same bits as by itself.
    ///
    /// One text that cannot be embedded fails the whole call; the error says which.
    /// - Parameter dimensions: as for one text.
    /// - Returns: `[texts.count][dimension]` numbers.
    /// - Throws: as for one text. A cancelled task throws `CancellationError` within one layer.
    public nonisolated(nonsending) func embed(_ texts: [String], dimensions: Int? = nil) async throws -> [[Float]] {
        let request = EmbeddingRequest(
            dimensions: dimensions, normalises: options.normalizes, truncates: options.truncates)
        do {
            return try await engine.embed(texts, request).map(\.vector)
        } catch {
            throw LocalEmbeddingModelError.error(for: error)
        }
    }

    /// The cosine of the angle between two vectors: 1 for the same direction, 0 for none in common, and for a vector of zeros.
    /// - Throws: ``LocalEmbeddingModelError/invalidOption(_:)`` where one is longer than the other.
    public static func similarity(_ first: [Float], _ second: [Float]) throws -> Double {
        guard first.count == second.count else {
            throw LocalEmbeddingModelError.error(for: EmbeddingError.differentLengths(first.count, second.count))
        }
        return EmbeddingVector.cosine(first, second)
    }
}
