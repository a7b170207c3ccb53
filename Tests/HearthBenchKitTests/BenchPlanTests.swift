import Foundation
import HearthBenchKit
import HearthCommands
import HearthInference
import HearthKernelTypes
import HearthTestSupport
import Testing

@Suite("BenchPlan")
struct BenchPlanTests {
    static let tiny = Fixtures.url("llama-f32.gguf").path
    static let other = Fixtures.url("qwen2-f32.gguf").path

    static func parse(_ words: [String]) throws -> Arguments { try ArgumentParser(BenchTable.table).parse(words) }
    static func plan(_ words: [String]) throws -> BenchPlan { try BenchPlan(try parse(["-m", tiny] + words)) }

    @Test("every option that says how a model is held reaches the engine, by each of its spellings")
    func optionsReachTheEngine() throws {
        for threads in [["-t", "3"], ["--threads", "3"]] {
            let words = threads + ["--kv", "q8_0", "--backend", "native", "--context", "64", "--quantize", "q4_k"]
            let options = try #require(try Self.plan(words + ["--kernels", "portable"]).settings.first).options
            #expect(
                options
                    == ModelOptions(
                        context: 64, kv: .q8_0, threads: 3, kernels: .portable, backend: .native, quantize: .q4_k))
        }
        let options = try #require(try Self.plan([]).settings.first).options
        #expect(options.threads == nil && options.quantize == nil && options.kv == .f16 && options.backend == .auto)
    }

    @Test("lists are separated by commas or repeated, and every combination is a setting")
    func settings() throws {
        let plan = try BenchPlan(
            Self.parse([
                "-m", "\(Self.tiny),\(Self.other)", "-t", "1,2", "-t", "3", "--kv", "f32,q8_0", "--kernels",
                "reference,portable", "--backend", "native", "--backend", "auto",
            ]))
        #expect(plan.settings.count == 2 * 3 * 2 * 2 * 2)
        let told = Set(plan.settings.map { "\($0.file.lastPathComponent) \($0.options)" })
        #expect(told.count == plan.settings.count)
        #expect(plan.settings.prefix(24).allSatisfy { $0.file.path == Self.tiny })
        #expect(plan.settings.prefix(3).map(\.options.threads) == [1, 2, 3])
    }

    @Test("batches, depths and counts combine; pairs come behind them, requests and the like once at the end")
    func tests() throws {
        let plan = try Self.plan([
            "-p", "8,16", "-n", "4", "-d", "0,32", "-b", "2,8", "-pg", "8,4", "--request", "6,3", "--prefix", "8,6",
            "--sampling",
        ])
        let expected: [BenchTest] = [0, 32].flatMap { depth in
            [
                .prompt(tokens: 8, depth: depth), .prompt(tokens: 16, depth: depth), .generation(tokens: 4, depth: depth),
                .both(prompt: 8, generation: 4, depth: depth),
            ] as [BenchTest]
        }
        #expect(plan.tests.prefix(8).map(\.test) == expected)
        #expect(plan.tests.prefix(8).allSatisfy { $0.batch == 2 })
        #expect(plan.tests.dropFirst(8).prefix(8).map(\.test) == expected)
        #expect(plan.tests.dropFirst(8).prefix(8).allSatisfy { $0.batch == 8 })
        #expect(
            plan.tests.dropFirst(16).map(\.test) == [
                .request(prompt: 6, tokens: 3), .prefix(prompt: 8, cached: 6), .sampling,
            ])
        #expect(try Self.plan([]).tests.map(\.test) == [.prompt(tokens: 512, depth: 0), .generation(tokens: 128, depth: 0)])
    }

    @Test("nothing to measure is an error, not an empty table")
    func nothing() throws {
        #expect(throws: BenchError.nothingToMeasure) { try Self.plan(["-p", "0", "-n", "0"]) }
        #expect(try Self.plan(["-p", "0", "-n", "0", "-pg", "8,4"]).tests.count == 1)
    }

    @Test(
        "a bad value says what its option takes",
        arguments: [
            ("-p", "8,x", "a whole number from 0 to 1048576, or several separated by commas"),
            ("-d", "-1", "a whole number from 0 to 1048576, or several separated by commas"),
            ("-t", "0", "a whole number from 1 to 256, or several separated by commas"),
            ("-t", "1,,2", "a whole number from 1 to 256, or several separated by commas"),
            ("-b", "", "a whole number from 1 to 4096, or several separated by commas"),
            ("-m", "", "MODEL, or several separated by commas"),
            ("-pg", "512", "2 values separated by commas, each a whole number from 1 to 1048576"),
            ("-pg", "512,128,1", "2 values separated by commas, each a whole number from 1 to 1048576"),
            ("--request", "512,0", "2 values separated by commas, each a whole number from 1 to 1048576"),
            ("--kv", "f16,f8", "one of f32, f16, q8_0, or several separated by commas"),
            ("--kernels", "avx3", "one of reference, portable, avx2, or several separated by commas"),
            ("--peer-fa", "2", "one of 0, 1, auto, or several separated by commas"),
            ("-o", "xml", "one of md, json, jsonl, csv"),
        ])
    func badValues(option: String, value: String, expected: String) throws {
        #expect(throws: CommandError.badValue(option: option, value: value, expected: expected)) {
            try Self.parse([option, value])
        }
    }

    @Test("a prefix is shorter than its prompt")
    func prefix() {
        let expected = "a prompt's length and a shorter one that is cached, as 512,448"
        #expect(throws: CommandError.badValue(option: "--prefix", value: "8,8", expected: expected)) {
            try Self.plan(["--prefix", "8,8"])
        }
    }

    @Test("options that mean nothing alone, or not together, are refused before anything runs")
    func partners() throws {
        func check(_ words: [String]) throws { try BenchProgram.check(Self.parse(words)) }
        #expect(throws: BenchError.needs(option: "--fail-if-slower", other: "--compare")) {
            try check(["--fail-if-slower", "5"])
        }
        #expect(throws: BenchError.needs(option: "--rounds", other: "--peer")) { try check(["--rounds", "5"]) }
        #expect(throws: BenchError.needs(option: "--peer-fa", other: "--peer")) { try check(["--peer-fa", "1"]) }
        #expect(throws: CommandError.self) { try check(["--peer", "x", "--sampling"]) }
        #expect(throws: CommandError.self) { try check(["--peer", "x", "--quantize", "q8_0"]) }
        #expect(throws: CommandError.self) { try check(["--read", "x", "-p", "1"]) }
        try check(["--read", "x", "-o", "csv", "--plot", "y", "--compare", "z", "--fail-if-slower", "5"])
    }

    @Test("the help shows each option with what it takes")
    func help() {
        let text = HelpText.verb(BenchTable.table, program: "")
        for line in ["-pg N,N ", "-d, --n-depth N,... ", "--kv f32|f16|q8_0,...", "-m, --model MODEL,...", "--sampling "] {
            #expect(text.contains("  \(line)"), "\(line) in \(text)")
        }
    }
}
