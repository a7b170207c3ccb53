package import HearthTokens

/// Tokens to text as they come: whole Unicode scalars only.
///
/// A character over several tokens is held back until it is whole. What is pushed and what `finish` returns, joined, is
/// `String(decoding:)` of the batch's bytes: bytes that can no longer become a character come out as U+FFFD.
package struct StreamDecoder: Sendable {
    private var pieces: PieceDecoder
    /// Bytes that have not come out: at most the three that begin a scalar, between calls.
    private var pending: [UInt8] = []

    /// - Parameter isContinuation: the tokens go on a text, so that the first one's leading space is part of it.
    package init(_ tokenizer: Tokenizer, skippingControl: Bool, isContinuation: Bool = false) {
        pieces = PieceDecoder(tokenizer, skippingControl: skippingControl, isContinuation: isContinuation)
    }

    /// The text that is complete with this token; empty where a character still misses bytes.
    package mutating func push(_ token: Token) -> String {
        pieces.append(token, to: &pending)
        let held = Self.unfinished(pending)
        guard held < pending.count else { return "" }
        let text = String(decoding: pending.dropLast(held), as: UTF8.self)
        pending.removeFirst(pending.count - held)
        return text
    }

    /// What is left: the beginning of a character that was cut off.
    package mutating func finish() -> String {
        defer { pending.removeAll() }
        pieces.finish(&pending)
        return String(decoding: pending, as: UTF8.self)
    }

    /// How many bytes at the end begin a scalar that more bytes could complete.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for held in 1...3 where held <= bytes.count {
            let first = bytes[bytes.count - held]
            if first & 0xC0 == 0x80 { continue }  // a continuation byte: look further left
            guard let padded = completion(of: bytes.suffix(held)) else { return 0 }
            return padded
        }
        return 0
    }

    /// The length of `beginning` if well-formed bytes could follow it to make one scalar.
    private static func completion(of beginning: ArraySlice<UInt8>) -> Int? {
        guard let first = beginning.first else { return nil }
        let length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1
        guard beginning.count < length else { return nil }
        // Some lead bytes narrow what may follow; 0x80 or 0xBF fits after each of them.
        let candidates: [UInt8] = [0x80, 0xBF]
        for second in candidates {
            var whole = Array(beginning)
            while whole.count < length { whole.append(whole.count == 1 ? second : 0x80) }
            if decodeScalar(whole.span, at: 0).length == length { return beginning.count }
        }
        return nil
    }
}
