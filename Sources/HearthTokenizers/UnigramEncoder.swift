import HearthTokens

/// SentencePiece's unigram model (`t5`): the segmentation with the highest sum of scores (Viterbi; Kudo 2018,
/// arXiv:1804.10959).
struct UnigramEncoder: Sendable {
    private let vocabulary: Vocabulary
    private let normalizer: UnigramNormalizer
    /// Score of a scalar that no piece stands for: SentencePiece's 10 below the worst piece.
    private let unknownScore: Double
    private let bytes: ByteFallback
    private let pieces: SortedPieces
    /// No piece goes on behind a space.
    private let splitsWords: Bool
    /// A space goes before a text that begins with something else.
    private let beginsWithSpace: Bool

    init(
        vocabulary: Vocabulary, normalizer: UnigramNormalizer, splitsWords: Bool = false, beginsWithSpace: Bool = false
    ) {
        self.splitsWords = splitsWords
        self.beginsWithSpace = beginsWithSpace
        self.vocabulary = vocabulary
        pieces = SortedPieces(vocabulary) { vocabulary.kind(of: $0).isOrdinary }
        self.normalizer = normalizer
        bytes = ByteFallback(vocabulary)
        var worst = Float.infinity
        for (kind, score) in zip(vocabulary.kinds, vocabulary.scores) where kind == .normal {
            worst = min(worst, score)
        }
        unknownScore = Double(worst.isFinite ? worst : 0) - 10
    }

    /// The best way to a place in the text: its last token (−1 for an unknown scalar), where that begins, and the sum.
    private struct Step {
        var token: Token = -1
        var start = 0
        var score = -Double.infinity
    }

    /// - Parameter begins: the text begins the input, or follows an added token before which a space may go.
    func encode(
        _ fragment: Span<UInt8>, begins: Bool, into output: inout [Token], _ scratch: inout Scratch
    ) throws(TokenizerError) {
        var normalized = try normalizer.normalize(fragment)
        if beginsWithSpace, begins, !normalized.isEmpty, normalized[0] != 0x20 { normalized.insert(0x20, at: 0) }
        scratch.text.read(normalized.span)
        let text = scratch.text
        var steps = Array(repeating: Step(), count: text.count + 1)
        steps[0].score = 0
        for first in 0..<text.count {
            let sum = steps[first].score
            var hasScalar = false
            var search = pieces.all
            for last in first + 1...text.count {
                if splitsWords, last > first + 1, text.scalars[last - 1] == 0x20 { break }
                search.narrow(
                    pieces, normalized.span, to: text.start(last) - text.start(first), from: text.start(first))
                if search.isEmpty { break }
                guard let token = search.match(pieces) else { continue }
                if last == first + 1 { hasScalar = true }
                let score = vocabulary.kind(of: token) == .userDefined ? 0 : Double(vocabulary.scores[Int(token)])
                if sum + score > steps[last].score {
                    steps[last] = Step(token: token, start: first, score: sum + score)
                }
            }
            if !hasScalar, sum + unknownScore > steps[first + 1].score {
                steps[first + 1] = Step(token: -1, start: first, score: sum + unknownScore)
            }
        }
        var path: [Step] = []
        var place = text.count
        while place > 0 {
            // Neighbouring unknown scalars are one unknown text.
            if steps[place].token < 0, let next = path.last, next.token < 0 {
                path[path.count - 1].start = steps[place].start
            } else {
                path.append(steps[place])
            }
            place = steps[place].start
        }
        var end = path.count
        while end > 0 {
            end -= 1
            let step = path[end]
            if step.token >= 0 {
                output.append(step.token)
            } else {
                let next = end > 0 ? path[end - 1].start : text.count
                try bytes.append(normalized.span, text.start(step.start)..<text.start(next), to: &output)
            }
        }
    }
}
