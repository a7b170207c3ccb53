import Foundation
import HearthBenchKit
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthTestSupport
import HearthWeights
import Testing

@Suite("LoopRates")
struct LoopRatesTests {
    static func rates(_ options: ModelOptions = ModelOptions(threads: 2, backend: .native), milliseconds: Int = 1) throws -> LoopRates {
        LoopRates(try options.compute(), milliseconds: milliseconds)
    }

    @Test("a prompt's ceiling is the sum of what each loop takes, at the rate that was measured here")
    func ceiling() throws {
        var rates = try Self.rates()
        let products = [
            PromptOperations.Products(type: .q4_k, tokens: 64, operations: 3_000_000),
            PromptOperations.Products(type: .q6_k, tokens: 64, operations: 1_000_000),
            PromptOperations.Products(type: .q4_k, tokens: 64, operations: 1_000_000),
        ]
        #expect(rates.ceiling(products) == nil)
        try rates.measure(products)
        let ceiling = try #require(rates.ceiling(products))
        #expect(ceiling.operations == 5_000_000)
        #expect(ceiling.rates.map { $0.loop.prefix(4) } == ["Q4_K", "Q6_K"])
        // Slower than a pocket calculator or faster than any two threads would be a mistake of units.
        #expect(ceiling.rates.allSatisfy { $0.rate > 1e7 && $0.rate < 1e13 })
        let seconds = 4e6 / ceiling.rates[0].rate + 1e6 / ceiling.rates[1].rate
        #expect(abs(ceiling.seconds - seconds) < 1e-6 * seconds)
        #expect(abs(ceiling.rate - 5e6 / seconds) < 1e-6 * ceiling.rate)
        // Measured again, a rate is never lower.
        try rates.measure(products)
        #expect(try #require(rates.ceiling(products)).rates[0].rate >= ceiling.rates[0].rate)
    }

    @Test("there is no ceiling where one product has no loop of tiles, or nothing is to be measured")
    func none() throws {
        let products = [PromptOperations.Products(type: .q4_k, tokens: 64, operations: 1_000_000)]
        let one = [PromptOperations.Products(type: .q4_k, tokens: 1, operations: 1_000_000)]
        for (options, milliseconds, products) in [
            (ModelOptions(threads: 1, backend: .blas), 1, products), (ModelOptions(threads: 1, kernels: .reference), 1, products),
            (ModelOptions(threads: 1), 0, products), (ModelOptions(threads: 1), 1, products + one), (ModelOptions(threads: 1), 1, []),
        ] {
            var rates = try Self.rates(options, milliseconds: milliseconds)
            try rates.measure(products)
            #expect(rates.ceiling(products) == nil)
        }
    }

    @Test("a row that reads a prompt has a share of its loop, one that makes tokens has none")
    func rows() async throws {
        let arguments = try BenchPlanTests.parse([
            "-m", Fixtures.url("quant-q4_k_m.gguf").path, "-p", "32,33", "-n", "4", "-pg", "16,4", "-r", "1", "-b", "32", "-t", "1",
            "--backend", "native", "--bandwidth", "0", "--loop", "1",
        ])
        var rows: [JSON] = []
        try await BenchRun(arguments).run { rows.append($0) }
        #expect(rows.map { $0["test"]?.stringValue } == ["pp32", "pp33", "tg4", "pp16+tg4"])
        let share = try #require(rows[0]["loop_share"]?.doubleValue)
        #expect(share > 0)
        let operations = try #require(rows[0]["prompt_operations"]?.intValue)
        #expect(operations == 32 * 2 * 2 * 256 * 1536 + 2 * 320 * 256)
        let (rate, time) = (try #require(rows[0]["loop_ops"]?.doubleValue), try #require(rows[0]["median_ns"]?.doubleValue))
        #expect(abs(share - Double(operations) / rate / time * 1e9) < 1e-9 * share)
        // The last token of 33 is a batch of its own, and no tile.
        for row in rows.dropFirst() { #expect(row["loop_share"]?.isNull == true && row["loop_rates"]?.isNull == true) }
    }

    @Test("files that were saved before there were shares are read, shown, compared and drawn")
    func olderFiles() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Benchmarks/results")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        #expect(!files.isEmpty)
        for file in files {
            let rows = try BenchRows.read(Array(try Data(contentsOf: file)), from: file.path)
            // As they were before.
            let older = rows.map { row in
                var object = row.objectValue ?? JSONObject()
                for name in ["prompt_operations", "loop_ops", "loop_share", "loop_rates"] { object[name] = nil }
                return JSON.object(object)
            }
            #expect(try BenchRows.read(Array(BenchRows.json(older).utf8), from: "older") == older)
            #expect(!BenchMarkdown.text(older).contains("of its loop"))
            let verdicts = Comparison(new: rows, old: older).rows.map(\.verdict)
            #expect(verdicts.count == rows.count && !verdicts.contains(.onlyHere) && !verdicts.contains(.onlyThere))
            #expect(BenchPlot.svg(older).hasPrefix("<svg"))
        }
    }
}
