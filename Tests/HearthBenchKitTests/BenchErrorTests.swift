import HearthBenchKit
import HearthCommands
import Testing

@Suite("BenchError")
struct BenchErrorTests {
    static let rows: [(BenchError, ExitCode, String)] = [
        (
            .nothingToMeasure, .usage,
            "-p 0 and -n 0 leave nothing to measure. Give one of them a number, or ask for -pg, --request, --prefix or --sampling."
        ),
        (
            .needs(option: "--rounds", other: "--peer"), .usage,
            "`--rounds` says nothing without `--peer`. Add it, or leave --rounds out."
        ),
        (
            .unreadableResults(path: "a.json", reason: "there is no row in it"), .usage,
            "`a.json` holds no results: there is no row in it. It should be what `hearth-bench --save` or `-o json` wrote."
        ),
        (
            .noPeer(path: "/x", reason: "there is no such file"), .usage,
            "`/x` cannot be run: there is no such file. --peer takes the path of a llama-bench program; Benchmarks/README.md says how to build one."
        ),
        (.ownTurn(status: 4, words: "Broken."), .internalError, "Our own turn ended with status 4: Broken."),
        (
            .reused(tokens: 3, of: 8), .internalError,
            "3 of 8 tokens came from the cache where none should. Please report it with the command that was run."
        ),
        (
            .slower(rows: ["m pp512 at 91.1 % of its speed before", "m tg128 at 80.0 % of its speed before"], percent: 2.5),
            .refused,
            "Slower by more than 2.5 %: m pp512 at 91.1 % of its speed before; m tg128 at 80.0 % of its speed before. Measure again on a quiet machine before you look for the cause."
        ),
        (
            .nothingJudged(verdicts: ["only in this run", "too few runs"]), .refused,
            "No row could be judged (only in this run, too few runs), so none could be slower. Measure what the old file has: the same models, tests and settings, five times or more."
        ),
        (
            .noRatio(rows: ["m pp512, fa 1", "m tg128"]), .refused,
            "No ratio for m pp512, fa 1; m tg128. Each row says why; run the peer by itself with the same model to see more."
        ),
    ]

    @Test("each cause says what happened and what to do, and has its status", arguments: rows)
    func words(error: BenchError, code: ExitCode, text: String) {
        #expect(error.description == text)
        #expect(error.code == code)
        #expect(BenchProgram.failure(for: error) == Failure(code: code, words: text))
    }

    static let failures: [(PeerFailure, String)] = [
        (.status(1, words: "a\nb"), "ended with status 1: b"), (.status(9, words: ""), "ended with status 9"),
        (.unparsable(reason: "x"), "printed no JSON of llama-bench: x"),
        (.noRow(test: "tg128"), "has no row for tg128"), (.noSamples(test: "tg128"), "has no samples for tg128"),
    ]

    @Test("a peer's failure is told after `the peer`", arguments: failures)
    func peer(failure: PeerFailure, text: String) { #expect(failure.description == text) }
}
