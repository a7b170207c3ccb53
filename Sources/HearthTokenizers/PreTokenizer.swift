/// Cuts a text into the words that merges never cross, as the pre-tokenizer that a model file names does.
///
/// Passes run one after another; each cuts what the ones before it left into its matches and the gaps between them.
package struct PreTokenizer: Sendable {
    let passes: [SplitPattern]
    /// A word that is a piece as a whole becomes that piece, whatever the merges say.
    var ignoresMerges = false
    /// What holds where the file does not say whether to add a beginning token.
    var addsBOS = false

    /// The words of a text in order, as ranges of its bytes; together they are the text.
    package func words(in text: [UInt8]) -> [Range<Int>] {
        let classified = ClassifiedText(text.span)
        var words: [Range<Int>] = []
        var start = 0
        for end in wordEnds(in: classified) {
            words.append(start..<classified.start(end))
            start = classified.start(end)
        }
        return words
    }

    /// The ends of the words in order, as indices of scalars; the last is `text.count`. Empty for an empty text.
    func wordEnds(in text: ClassifiedText) -> [Int] {
        var ends = text.count > 0 ? [text.count] : []
        for pass in passes {
            var finer: [Int] = []
            finer.reserveCapacity(ends.count * 2)
            var start = 0
            for end in ends {
                while start < end {
                    guard let match = pass.next(in: text, from: start, to: end) else { break }
                    if match.lowerBound > start { finer.append(match.lowerBound) }
                    finer.append(match.upperBound)
                    start = match.upperBound
                }
                if start < end { finer.append(end) }
                start = end
            }
            ends = finer
        }
        return ends
    }
}
