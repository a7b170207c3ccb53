/// A prompt before it becomes tokens: bytes in runs, each written by the template or brought as data.
package struct PromptParts: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Control pieces are not read in data: what a user typed stays text.
        package var isData: Bool
    }

    /// Neighbours differ in origin; none is empty.
    package private(set) var parts: [Part] = []

    package init() {}

    /// Of all parts together.
    package var byteCount: Int { parts.reduce(0) { $0 + $1.bytes.count } }

    package mutating func append(_ bytes: some Collection<UInt8>, isData: Bool) {
        guard !bytes.isEmpty else { return }
        if parts.last?.isData == isData {
            parts[parts.count - 1].bytes.append(contentsOf: bytes)
        } else {
            parts.append(Part(bytes: Array(bytes), isData: isData))
        }
    }

    /// What follows after `start` and then `reply` as data; nil where this prompt does not begin so.
    package func rest(after start: PromptParts, reply: [UInt8]) -> PromptParts? {
        var begin = start
        begin.append(reply, isData: true)
        guard begin.parts.count <= parts.count else { return nil }
        var rest = PromptParts()
        for (index, part) in parts.enumerated() {
            guard index < begin.parts.count else {
                rest.append(part.bytes, isData: part.isData)
                continue
            }
            let expected = begin.parts[index]
            guard part.isData == expected.isData, part.bytes.starts(with: expected.bytes) else { return nil }
            if part.bytes.count > expected.bytes.count {
                // Only the last part that begins so may go on.
                guard index == begin.parts.count - 1 else { return nil }
                rest.append(part.bytes.dropFirst(expected.bytes.count), isData: part.isData)
            }
        }
        return rest
    }

    /// For `Tokenizer.encode(prompt:addBOS:)`.
    package var runs: [(bytes: [UInt8], isData: Bool)] { parts.map { ($0.bytes, $0.isData) } }
}
