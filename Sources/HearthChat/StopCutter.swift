/// Ends a text before the first stop sequence, wherever the pieces are cut. What may be the beginning of one is held back.
struct StopCutter: Sendable {
    private let stops: [[UInt8]]
    /// Bytes that were not given out yet: whole characters, for every piece is a string.
    private var held: [UInt8] = []
    private(set) var isStopped = false

    init(_ stops: [String]) {
        self.stops = stops.map { Array($0.utf8) }
    }

    /// Takes a piece in.
    /// - Returns: what is certain to be part of the answer.
    mutating func push(_ piece: String) -> String {
        guard !isStopped else { return "" }
        guard !stops.isEmpty else { return piece }
        held += piece.utf8
        if let end = stops.compactMap({ Self.first($0, in: held) }).min() {
            isStopped = true
            return String(decoding: held[..<end], as: UTF8.self)
        }
        // The longest end of the text that begins a stop sequence.
        let kept = stops.map { Self.overlap($0, held) }.max() ?? 0
        // A stop sequence may begin inside a character only where it is no valid text; strings are.
        let given = held.count - kept
        defer { held.removeFirst(given) }
        return String(decoding: held[..<given], as: UTF8.self)
    }

    /// What was held back and is part of the answer after all.
    mutating func finish() -> String {
        defer { held = [] }
        return isStopped ? "" : String(decoding: held, as: UTF8.self)
    }

    private static func first(_ stop: [UInt8], in text: [UInt8]) -> Int? {
        guard text.count >= stop.count else { return nil }
        return (0...(text.count - stop.count)).first { text[$0...].starts(with: stop) }
    }

    /// How many bytes at the end of the text are the beginning of the stop sequence.
    private static func overlap(_ stop: [UInt8], _ text: [UInt8]) -> Int {
        let longest = min(stop.count - 1, text.count)
        return (0...max(0, longest)).reversed().first { text.suffix($0).elementsEqual(stop.prefix($0)) } ?? 0
    }
}
