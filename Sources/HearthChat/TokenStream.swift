/// The pieces of an answer as they are generated.
///
///     for try await piece in model.tokens(for: messages) { print(piece, terminator: "") }
///
/// Read once. The model stops when the reading task is cancelled, or when nothing holds the stream any more.
public struct TokenStream: AsyncSequence, Sendable {
    public typealias Element = String

    private let pieces: AsyncThrowingStream<String, any Error>

    public init(_ pieces: AsyncThrowingStream<String, any Error>) {
        self.pieces = pieces
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: pieces.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: AsyncThrowingStream<String, any Error>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> String? {
            try await pieces.next(isolation: actor)
        }
    }
}
