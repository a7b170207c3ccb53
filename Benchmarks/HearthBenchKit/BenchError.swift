package import HearthCommands

/// Why `hearth-bench` ended early where no other room has a word for it. The words are in `BenchError+Words.swift`.
package enum BenchError: Error, Sendable, Equatable {
    case nothingToMeasure
    /// An option that means nothing without another one.
    case needs(option: String, other: String)
    case unreadableResults(path: String, reason: String)
    case noPeer(path: String, reason: String)
    /// Our own turn beside a peer failed.
    case ownTurn(status: Int32, words: String)
    /// A run that should find an empty cache took tokens from it.
    case reused(tokens: Int, of: Int)
    case slower(rows: [String], percent: Double)
    /// `--fail-if-slower` with no row that could be judged.
    case nothingJudged(verdicts: [String])
    /// Rows that were asked for beside a peer and have no ratio.
    case noRatio(rows: [String])

    package var code: ExitCode {
        switch self {
        case .nothingToMeasure, .needs, .unreadableResults, .noPeer: .usage
        case .ownTurn, .reused: .internalError
        case .slower, .nothingJudged, .noRatio: .refused
        }
    }
}

/// Why the peer has no figure for a row. Told in the row: the others go on.
package enum PeerFailure: Error, Sendable, Equatable {
    case status(Int32, words: String)
    case unparsable(reason: String)
    case noRow(test: String)
    case noSamples(test: String)
}
