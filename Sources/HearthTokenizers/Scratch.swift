import HearthLocks

/// Room for encoding one stretch of text, kept from one to the next.
struct Scratch: Sendable {
    var text = ClassifiedText()
    var symbols: [Symbol] = []
    var merging = Merging()
}

/// The room that a tokenizer keeps between texts, so that encoding again and again does not ask the system for memory
/// again and again. Each text that is encoded at the same time has its own.
final class ScratchPool: Sendable {
    private let spare = Locked<[Scratch]>([])
    /// What longer texts needed is given back: about 50 bytes for each byte of text.
    private static let longestKept = 1 << 18
    /// As many texts as one process is likely to encode at once.
    private static let most = 4

    func take() -> Scratch { spare.withLock { $0.popLast() } ?? Scratch() }

    func give(_ scratch: Scratch, after length: Int) {
        guard length <= Self.longestKept else { return }
        spare.withLock { if $0.count < Self.most { $0.append(scratch) } }
    }
}
