/// A mistake that is easily made in a provider package. The documents on such packages warn of the first eleven.
public enum Pitfall: String, Sendable, Hashable, CaseIterable {
    /// Usage events hold totals: they replace each other, so they only grow.
    case usageIsNotATotal
    /// Metadata events are snapshots: a key that the next one leaves out is gone.
    case metadataVanished
    /// Every event of a tool call carries the function's name.
    case toolCallWithoutName
    /// A call's metadata comes before its first arguments.
    case callMetadataAfterArguments
    /// Arguments are only appended to; what the model takes back is removed with `removeToolCall`.
    case argumentsRewritten
    /// An attachment is added, never replaced: remove the old one first.
    case attachmentAddedTwice
    /// Text that was sent is corrected with `replaceTextSegment`, not by sending it again.
    case textSentAgain
    /// Signatures are bytes, not text.
    case signatureDecoded
    /// Reasoning entries are named always or never.
    case reasoningIDsMixed
    /// What is declared works, and what is not declared is not used.
    case capabilityMisdeclared
    /// An executor's configuration is plain values that identify the resource.
    case configurationIsNotPlain
    /// Entries of different kinds, and of different requests, have ids of their own.
    case entryIDReused
    /// A request gets an answer or an error.
    case silence
    /// A cancelled request ends soon.
    case cancellationIgnored
    /// A plain request is answered, with and without `prewarm`.
    case requestFailed
}

/// A pitfall that a model fell into.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    public let pitfall: Pitfall
    /// What was asked when it happened; empty for a list of events that was audited by itself.
    public let probe: String
    /// The event in which it showed, counted from 0.
    public let event: Int?
    /// What happened, and what to do.
    public let detail: String

    public var description: String {
        let place = (probe.isEmpty ? [] : [probe]) + (event.map { ["event \($0)"] } ?? [])
        return "\(pitfall.rawValue)\(place.isEmpty ? "" : " (\(place.joined(separator: ", ")))"): \(detail)"
    }
}
