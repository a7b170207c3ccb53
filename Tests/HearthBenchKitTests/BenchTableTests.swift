import HearthBenchKit
import HearthCommands
import HearthInference
import HearthKernelTypes
import Testing

@Suite("BenchTable")
struct BenchTableTests {
    @Test("every option that says how a model is held reaches the engine, by each of its spellings")
    func optionsReachTheEngine() throws {
        for threads in [["-t", "3"], ["--threads", "3"]] {
            let words = threads + ["--kv", "q8_0", "--backend", "native", "--context", "64", "--quantize", "q8_0"]
            let options = try EngineArguments.options(ArgumentParser(BenchTable.table).parse(words))
            #expect(options.threads == 3)
            #expect(options.kv == .q8_0)
            #expect(options.backend == .native)
            #expect(options.context == 64)
            #expect(options.quantize != nil)
        }
        let options = try EngineArguments.options(ArgumentParser(BenchTable.table).parse([]))
        #expect(options.threads == nil)
        #expect(options.quantize == nil)
    }
}
