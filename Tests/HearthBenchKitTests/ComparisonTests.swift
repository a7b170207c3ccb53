import HearthBenchKit
import HearthJSON
import Testing

@Suite("Comparison")
struct ComparisonTests {
    static func row(_ times: [Int64], _ name: RowName = .prompt(512), threads: Int = 2) -> JSON {
        var result = SamplesTests.result(Samples(tokens: 512, nanoseconds: times), name)
        result.subject.threads = threads
        return result.json
    }

    @Test(
        "ranks of small samples have the chances of Mann and Whitney's tables",
        arguments: [
            // All of one below all of the other: 2 ways of binomial(10, 5) = 252, and of binomial(8, 4) = 70.
            ([1.0, 2, 3, 4, 5], [6.0, 7, 8, 9, 10], 2.0 / 252), ([1.0, 2, 3, 4], [5.0, 6, 7, 8], 2.0 / 70),
            // One pair crosses: the rank sums 15 and 16.
            ([1.0, 2, 3, 4, 6], [5.0, 7, 8, 9, 10], 4.0 / 252),
            ([1.0, 2], [3.0, 4], 2.0 / 6), ([1.0, 4], [2.0, 3], 1), ([1.0], [2.0], 1),
            // Equal values share their ranks: nothing can be told.
            ([1.0, 1, 1, 1, 1], [1.0, 1, 1, 1, 1], 1), ([], [1.0], 1),
        ] as [([Double], [Double], Double)])
    func chances(a: [Double], b: [Double], p: Double) {
        #expect(abs(RankTest.p(a, b) - p) < 1e-12)
        #expect(abs(RankTest.p(b, a) - p) < 1e-12)
    }

    @Test("the normal curve takes over where counting ends, near what counting gives")
    func manyRuns() {
        // Interleaved but for a shift of some ranks, 30 and 31 values each.
        func p(_ count: Int) -> Double {
            RankTest.p((0..<count).map { Double(2 * $0) }, (0..<count).map { Double(2 * $0 + 13) })
        }
        // 60 are counted, 62 are not; both sizes give nearly the same.
        #expect(abs(p(30) - p(31)) < 0.01)
        #expect(RankTest.p((0..<50).map(Double.init), (50..<100).map(Double.init)) < 1e-10)
        #expect(abs(RankTest.smallest(5, 5) - 2.0 / 252) < 1e-15)
        #expect(RankTest.smallest(3, 3) == 0.1)
    }

    @Test("verdicts come from the repetitions of both runs")
    func verdicts() throws {
        let old = [100, 101, 102, 103, 104].map { Int64($0 * 1_000_000) }
        func verdict(_ new: [Int]) throws -> Comparison.Row {
            try #require(
                Comparison(new: [Self.row(new.map { Int64($0 * 1_000_000) })], old: [Self.row(old)]).rows.first)
        }
        let faster = try verdict([50, 51, 52, 53, 54])
        #expect(faster.verdict == .faster)
        #expect(abs(try #require(faster.speedup) - 102.0 / 52) < 1e-12)
        #expect(try verdict([150, 151, 152, 153, 154]).verdict == .slower)
        #expect(try verdict([99, 100, 102, 104, 105]).verdict == .noDifference)
        // One disturbed run does not make the others slow.
        #expect(try verdict([100, 101, 102, 103, 900]).verdict == .noDifference)
        // Three runs against five can be 2 in 56 apart, three against three 2 in 20.
        #expect(try verdict([50, 51, 52]).verdict == .faster)
        #expect(
            Comparison(new: [Self.row([1, 2, 3])], old: [Self.row([4, 5, 6])]).rows.map(\.verdict) == [.tooFewRuns])
        #expect(Comparison(new: [Self.row([])], old: [Self.row([4])]).rows.map(\.verdict) == [.notMeasured])
    }

    @Test("rows that only one side has are listed, whatever they differ in")
    func oneSided() {
        let new = [Self.row([1, 1, 1]), Self.row([1, 1, 1], .generation(128))]
        let old = [Self.row([1, 1, 1], threads: 1), Self.row([2, 2, 2], .generation(128, depth: 64)), Self.row([1, 1, 1])]
        let comparison = Comparison(new: new, old: old)
        #expect(comparison.rows.map(\.verdict) == [.tooFewRuns, .onlyHere, .onlyThere, .onlyThere])
        #expect(comparison.json.map { $0["n_threads"]?.intValue } == [2, 2, 1, 2])
        let text = BenchMarkdown.text(comparison.json)
        #expect(text.contains("| only in the old one |"))
        #expect(text.contains("| only in this run "))
    }

    @Test("rows that are alike are compared in their order")
    func alike() {
        let rows = [Self.row([10, 10, 10, 10, 10]), Self.row([20, 20, 20, 20, 20])]
        #expect(Comparison(new: rows, old: rows).rows.map(\.verdict) == [.noDifference, .noDifference])
    }

    @Test("a row beside a cached prefix is compared with an older file's, which had no name of its own")
    func olderName() {
        let times: [Int64] = [10, 11, 12, 13, 14]
        let (old, new) = (Self.row(times, .firstToken(512)), Self.row(times, .firstToken(512, cached: 0)))
        #expect(RowName.firstToken(512).full == "ttft512")
        #expect(new["test"]?.stringValue == "ttft512 (0 cached)")
        #expect(new["prompt_cache"]?.stringValue == "empty")
        #expect(Comparison(new: [new], old: [old]).rows.map(\.verdict) == [.noDifference])
        // A request alone does not take the row that has the other's name.
        let verdicts = Comparison(new: [old, new], old: [new]).rows.map(\.verdict)
        #expect(verdicts == [.onlyHere, .noDifference])
    }

    @Test("only rows that are slower beyond chance and beyond the percentage fail")
    func failing() {
        let old = [Self.row([100, 101, 102, 103, 104]), Self.row([100, 101, 102, 103, 104], .generation(128))]
        let new = [Self.row([110, 111, 112, 113, 114]), Self.row([100, 101, 102, 103, 900], .generation(128))]
        let comparison = Comparison(new: new, old: old)
        #expect(comparison.slower(thanBy: 5) == ["m pp512 at 91.1 % of its speed before"])
        #expect(comparison.slower(thanBy: 10) == [])
        #expect(comparison.hasJudged)
        let few = Comparison(new: [Self.row([1, 2])], old: [Self.row([3, 4]), Self.row([1], .generation(128))])
        #expect(!few.hasJudged)
        #expect(few.verdicts == ["too few runs", "only in the old one"])
    }
}
