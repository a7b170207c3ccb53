package import HearthTokenizers
package import HearthTokens

/// Tokens of a reply to the text that may be shown, in one direction: bytes, whole characters, stop sequences, text.
///
/// Streamed and one-shot replies both come through here, and so does every flush.
package struct TextPipeline: Sendable {
    private var decoder: StreamDecoder
    private var matcher: StopMatcher
    /// Bytes that passed the matcher: whole characters, since what it holds begins as a stop sequence does, with the first
    /// byte of a character.
    private var passed: [UInt8] = []

    package init(_ tokenizer: Tokenizer, stops: [String]) {
        decoder = StreamDecoder(tokenizer, skippingControl: true)
        matcher = StopMatcher(stops.map { Array($0.utf8) })
    }

    /// Whether a stop sequence was found: the reply is over.
    package var isStopped: Bool { matcher.isStopped }

    /// The text that may be shown with this token.
    package mutating func push(_ token: Token) -> String {
        matcher.push(decoder.push(token).utf8, to: &passed)
        return take()
    }

    /// The text that was held back, when the reply ends for another reason than a stop sequence.
    package mutating func finish() -> String {
        matcher.push(decoder.finish().utf8, to: &passed)
        passed.append(contentsOf: matcher.finish())
        return take()
    }

    private mutating func take() -> String {
        defer { passed.removeAll(keepingCapacity: true) }
        return String(decoding: passed, as: UTF8.self)
    }
}
