/// Why the engine of embeddings refuses a request. Errors of the rooms below pass through it unchanged.
package enum EmbeddingError: Error, Equatable {
    /// A text of the request, counted from 0, with the tokens that stand around it.
    case textTooLong(index: Int, tokens: Int, limit: Int)
    case badDimensions(asked: Int, most: Int)
    /// The file says that states are not pooled, and nobody said how.
    case noPooling(model: String)
    /// Vectors of two lengths have no angle between them.
    case differentLengths(Int, Int)
}
