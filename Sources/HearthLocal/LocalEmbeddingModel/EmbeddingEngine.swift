package import Foundation
package import HearthInference
package import HearthTokenizers
import HearthTokens
import HearthWeights

/// What is done with the vectors of a request.
package struct EmbeddingRequest: Sendable {
    /// Values kept from the front of each vector; nil keeps all.
    package var dimensions: Int?
    /// Whether vectors get length 1, after they were cut.
    package var normalises = true
    /// Whether a text that does not fit is cut; otherwise it is an error.
    package var truncates = false

    package init(dimensions: Int? = nil, normalises: Bool = true, truncates: Bool = false) {
        self.dimensions = dimensions
        self.normalises = normalises
        self.truncates = truncates
    }
}

/// The vector of one text.
package struct Embedding: Sendable {
    package let vector: [Float]
    /// Tokens that were evaluated, those around the text included.
    package let tokens: Int
    /// Whether text was left out.
    package let isTruncated: Bool
}

/// A loaded embedding model with its tokenizer: what `LocalEmbeddingModel` and `hearth embed` use.
///
/// Loading and tokenising run on threads of their own, and everything that computes on the embedder's.
package final class EmbeddingEngine: Sendable {
    package let facts: EngineFacts
    package let embedder: Embedder
    package let tokenizer: Tokenizer
    package let pooling: HearthInference.Pooling
    /// How long loading took.
    package let loadTime: Duration

    /// Most tokens of a text, those around it included.
    package var context: Int { embedder.weights.context }
    /// Values of a whole vector.
    package var dimension: Int { embedder.weights.dimension }

    /// - Parameter pooling: nil is the file's own.
    /// - Throws: `CheckpointError`, `InferenceError`, `TokenizerError`, `EmbeddingError.noPooling`.
    package init(file: URL, options: ModelOptions, pooling: HearthInference.Pooling? = nil) async throws {
        let start = ContinuousClock.now
        let checkpoint = try await OwnThread.run("hearth open") { try Checkpoint.open(file) }
        embedder = try await Embedder.load(options: options) { checkpoint }
        facts = try EngineFacts(checkpoint, file)
        guard let pooling = pooling ?? embedder.weights.pooling else {
            throw EmbeddingError.noPooling(model: facts.modelID)
        }
        self.pooling = pooling
        let metadata = checkpoint.metadata
        tokenizer = try await OwnThread.run("hearth text") { try Tokenizer(TokenizerFacts(metadata: metadata)) }
        loadTime = .now - start
    }

    /// A vector for each text, in order. Names of control tokens in a text are text.
    /// - Parameter start: place of the first text, for errors: callers with many texts give them in parts.
    /// - Throws: `EmbeddingError`, `TokenizerError`, `InferenceError`, `CancellationError`.
    package func embed(
        _ texts: [String], _ request: EmbeddingRequest, countingFrom start: Int = 0
    ) async throws -> [Embedding] {
        let kept = request.dimensions ?? dimension
        guard (1...dimension).contains(kept) else { throw EmbeddingError.badDimensions(asked: kept, most: dimension) }
        if texts.isEmpty { return [] }
        let inputs = try await OwnThread.run("hearth text") { [self] in
            try texts.enumerated().map { try tokens(of: $1, at: start + $0, truncates: request.truncates) }
        }
        let vectors = try await embedder.embed(inputs.map(\.tokens), pooling: pooling)
        return zip(inputs, vectors).map { input, vector in
            let front = kept == vector.count ? vector : Array(vector.prefix(kept))
            return Embedding(
                vector: request.normalises ? EmbeddingVector.normalised(front) : front, tokens: input.tokens.count,
                isTruncated: input.isTruncated)
        }
    }

    /// Tokens of a text with those that the model wants around it.
    package func tokenCount(of text: String) async throws -> Int {
        try await OwnThread.run("hearth text") { [self] in
            tokenizer.framed(try tokenizer.encode(text.utf8, control: .asText)).count
        }
    }

    private func tokens(of text: String, at index: Int, truncates: Bool) throws -> (tokens: [Token], isTruncated: Bool) {
        let inside = try tokenizer.encode(text.utf8, control: .asText)
        let whole = tokenizer.framed(inside)
        if whole.count <= context { return (whole, false) }
        // What stands around a text stays; the text loses its end.
        let room = context - (whole.count - inside.count)
        guard truncates, room >= 0 else {
            throw EmbeddingError.textTooLong(index: index, tokens: whole.count, limit: context)
        }
        return (tokenizer.framed(Array(inside.prefix(room))), true)
    }
}
