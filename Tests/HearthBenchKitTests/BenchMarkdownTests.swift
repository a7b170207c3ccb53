import Foundation
import HearthBenchKit
import HearthJSON
import Testing

@Suite("BenchMarkdown")
struct BenchMarkdownTests {
    @Test("a line for each row, llama-bench's columns first")
    func table() {
        let samples = Samples(tokens: 128, nanoseconds: [1_000_000_000])
        #expect(
            BenchMarkdown.text([SamplesTests.result(samples).json]) == """
                | model      | size      | params   | backend | threads | test  | t/s           | ms           |
                | ---------- | --------- | -------- | ------- | ------- | ----- | ------------- | ------------ |
                | llama Q4_1 | 93.46 MiB | 134.52 M | native  | 2       | tg128 | 128.00 ± 0.00 | 7.81 a token |

                build: abc, P, kernels avx2
                each run reads new tokens; its cache is empty but for the depth or prefix that the row names

                """)
    }

    @Test("what only some rows have is a column, and what differs among rows is told")
    func columns() {
        var first = SamplesTests.result(Samples(tokens: 512, nanoseconds: [400_000_000]), .prompt(512, depth: 4096))
        first.peak = 104_857_600
        var second = SamplesTests.result(Samples(tokens: 1, nanoseconds: [40_000_000]), .firstToken(512, cached: 448))
        second.subject.kv = "q8_0"
        second.measured.gain = 8.1
        second.subject.load = .milliseconds(49)
        second.subject.loadPeak = 120 << 20
        second.subject.bandwidthOfOne = 23.4e9
        second.subject.bandwidth = 46e9
        let text = BenchMarkdown.text([first.json, second.json])
        #expect(text.contains("| native  | 2       | f16  | pp512 @ d4096        | 1280.00 ± 0.00 | 400.0 | 100.00 MiB |"))
        #expect(
            text.contains(
                "| native  | 2       | q8_0 | ttft512 (448 cached) |                | 40.0  |            | 8.10 times sooner than without |"
            ))
        #expect(text.contains("\nm, avx2, 2 threads: loaded in 49.0 ms (2.0 GB/s, page cache warm), peak 120.00 MiB\n"))
        second.subject.freshMemory = 4e9
        #expect(
            BenchMarkdown.text([second.json]).contains(
                ": loaded in 49.0 ms (2.0 GB/s, page cache warm; 50 % of the 4.0 GB/s at which fresh memory came), peak 120.00 MiB\n"))
        #expect(text.contains("\nread bandwidth: 23.4 GB/s on 1 thread, 46.0 GB/s on 2\n"))
    }

    @Test("a prompt's share of its loops is a column, here and beside a peer, and the loops' rates stand below")
    func loops() throws {
        var result = SamplesTests.result(Samples(tokens: 512, nanoseconds: [400_000_000]), .prompt(512))
        result.loop = LoopCeiling()
        result.loop?.add(120_000_000_000, at: 500e9, loop: "Q4_1 vnni")
        result.loop?.add(20_000_000_000, at: 250e9, loop: "Q8_0 vnni")
        let other = SamplesTests.result(Samples(tokens: 128, nanoseconds: [1_000_000_000])).json
        let text = BenchMarkdown.text([result.json, other])
        #expect(text.contains("| test  | t/s            | ms           | of its loop |\n"), "\(text)")
        #expect(text.contains("| pp512 | 1280.00 ± 0.00 | 400.0        | 80 %        |\n"))
        #expect(text.contains("| tg128 | 128.00 ± 0.00  | 7.81 a token |             |\n"))
        #expect(text.contains("\ninner loops of m on 2 threads: Q4_1 vnni 500.0 Gop/s, Q8_0 vnni 250.0 Gop/s\n"))
        var beside = try #require(result.json.objectValue)
        beside["peer"] = "llama-bench"
        let mixed = BenchMarkdown.text([.object(beside), other])
        #expect(mixed.contains("| of its loop |"))
        // The first has no figure of its peer, the second no peer.
        #expect(mixed.components(separatedBy: "not measured: the peer").count == 2, "\(mixed)")
    }

    @Test("a bar in a name does not end its cell")
    func bars() {
        var result = SamplesTests.result(Samples(tokens: 2, nanoseconds: [1]))
        result.subject.modelType = "a|b"
        #expect(BenchMarkdown.text([result.json]).contains("| a\\|b"))
    }
}
