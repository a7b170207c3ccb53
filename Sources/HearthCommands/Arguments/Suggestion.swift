/// "Did you mean": the nearest known word, when it is near enough.
enum Suggestion {
    /// Words at most this many edits away are worth naming: one typing slip in a short word, two in a longer one.
    private static func reach(of word: String) -> Int { word.utf8.count <= 5 ? 1 : 2 }

    static func nearest(to word: String, among known: [String]) -> String? {
        let ranked = known.map { (distance: distance(Array(word.utf8), Array($0.utf8)), word: $0) }
        guard let best = ranked.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) else { return nil }
        return best.distance <= reach(of: word) ? best.word : nil
    }

    /// Edits between two words, where exchanging two neighbours counts as one (optimal string alignment).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
