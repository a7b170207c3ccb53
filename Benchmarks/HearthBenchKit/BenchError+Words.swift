import Foundation

extension BenchError: CustomStringConvertible {
    /// What happened, where, and what to do.
    package var description: String {
        switch self {
        case .nothingToMeasure:
            "-p 0 and -n 0 leave nothing to measure. Give one of them a number, or ask for -pg, --request, --prefix or --sampling."
        case .needs(let option, let other): "`\(option)` says nothing without `\(other)`. Add it, or leave \(option) out."
        case .unreadableResults(let path, let reason):
            "`\(path)` holds no results: \(reason). It should be what `hearth-bench --save` or `-o json` wrote."
        case .noPeer(let path, let reason):
            "`\(path)` cannot be run: \(reason). --peer takes the path of a llama-bench program; Benchmarks/README.md says how to build one."
        case .ownTurn(let status, let words): "Our own turn ended with status \(status): \(words)"
        case .reused(let tokens, let count):
            "\(tokens) of \(count) tokens came from the cache where none should. Please report it with the command that was run."
        case .slower(let rows, let percent):
            "Slower by more than \(percent.formatted(.number.locale(Locale(identifier: "en_US_POSIX")))) %: "
                + "\(rows.joined(separator: "; ")). Measure again on a quiet machine before you look for the cause."
        case .nothingJudged(let verdicts):
            "No row could be judged (\(verdicts.joined(separator: ", "))), so none could be slower. Measure what the old file has: the same "
                + "models, tests and settings, five times or more."
        case .noRatio(let rows):
            "No ratio for \(rows.joined(separator: "; ")). Each row says why; run the peer by itself with the same model to see more."
        }
    }
}

extension PeerFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(let status, let words):
            "ended with status \(status)" + (words.isEmpty ? "" : ": \(PeerFailure.lastLine(words))")
        case .unparsable(let reason): "printed no JSON of llama-bench: \(reason)"
        case .noRow(let test): "has no row for \(test)"
        case .noSamples(let test): "has no samples for \(test)"
        }
    }

    /// The line that says why is the last one of a program that fails.
    private static func lastLine(_ words: String) -> String {
        words.split(separator: "\n").last.map(String.init) ?? words
    }
}
