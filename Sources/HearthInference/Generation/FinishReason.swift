/// Why a reply ended.
package enum FinishReason: Sendable, Hashable, CaseIterable {
    /// An end token, the end of a constraint, or the caller said so (a stop sequence).
    case stop
    /// As many tokens as were asked for.
    case length
    /// Prompt and reply fill the context, and the limit that was asked for, if any, was not reached.
    case contextFull
    /// The task was cancelled.
    case cancelled

    /// What cut the reply; nil where it came to its own end or was cancelled.
    package var cut: String? {
        switch self {
        case .stop, .cancelled: nil
        case .length: "max_tokens"
        case .contextFull: "context"
        }
    }

    /// As programs read it. Both ways of being cut are `length`, the word that such interfaces have for them.
    package var word: String {
        switch self {
        case .stop: "stop"
        case .length, .contextFull: "length"
        case .cancelled: "cancelled"
        }
    }
}
