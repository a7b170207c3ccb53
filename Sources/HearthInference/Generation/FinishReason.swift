/// Why a reply ended.
package enum FinishReason: String, Sendable, Hashable, CaseIterable {
    /// An end token, the end of a constraint, or the caller said so (a stop sequence).
    case stop
    /// The token limit or the context is full.
    case length
    /// The task was cancelled.
    case cancelled
}
