/// Finds the known word that a misspelt one was meant to be.
enum Spelling {
    /// The nearest word within two changes, and less than half of the word; nil when there is none.
    static func closest(to word: String, in known: [String]) -> String? {
        let limit = min(2, (word.utf8.count - 1) / 2)
        guard word.utf8.count <= 40 else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(Array(word.utf8), Array(candidate.utf8))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Levenshtein's distance.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let change = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
