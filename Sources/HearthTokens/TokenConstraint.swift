/// What a generation may say next: a mask goes out, the chosen token comes in.
///
/// A value: a copy is a checkpoint, and going back is using the copy. The generator calls `allow` before each draw and
/// `accept` with what was drawn. A constraint that has thrown keeps its error and throws it again.
package protocol TokenConstraint: Sendable {
    /// Writes which tokens may come next. `mask` covers the vocabulary and is overwritten as a whole; it is never left
    /// empty unless `isFinished`, when only an end token may follow.
    mutating func allow(into mask: inout TokenSet) throws

    /// Goes on past a token. Throws for one that `allow` does not allow here.
    mutating func accept(_ token: Token) throws

    /// Whether the text so far is complete, so that the reply may end here.
    var isFinished: Bool { get }
}
