package import Foundation
package import HearthCommands
package import HearthInference
import HearthKernelTypes
import HearthKernels

/// How a model is loaded: one combination of what needs a reload.
package struct BenchSetting: Sendable {
    package let file: URL
    package let options: ModelOptions

    package init(file: URL, options: ModelOptions) {
        self.file = file
        self.options = options
    }

    /// As the engine will take them.
    var threads: Int { options.threads ?? ThreadCount.current.count }
}

/// What is to be measured: every combination of the lists, in the order in which it is measured.
package struct BenchPlan: Sendable {
    package let settings: [BenchSetting]
    /// Tests for each setting, with the batch that prompts are read in.
    package let tests: [(test: BenchTest, batch: Int)]
    /// Whether `-b` was given.
    package let batchIsAsked: Bool
    package let repetitions: Int
    /// MiB read to find the machine's read bandwidth; 0 leaves it out.
    package let bandwidth: Int
    /// Milliseconds of a pass that measures an inner loop; 0 leaves it out.
    package let loop: Int

    /// - Throws: `CommandError`, `BenchError.nothingToMeasure`, or why a model cannot be found.
    package init(_ arguments: Arguments) throws {
        let names = arguments.texts("-m")
        let files = try BenchPlan.listed(names).map { try ModelArgument.file($0) }
        let quantize = arguments.text("--quantize").flatMap { word in
            ElementType.allCases.first { $0.name.lowercased() == word }
        }
        let sets = try BenchPlan.listed(arguments.texts("--kernels")).map { try KernelChoice.current(option: $0).set }
        let backends = BenchPlan.listed(arguments.texts("--backend")).map { $0.flatMap(Backend.init) ?? .auto }
        let caches = BenchPlan.listed(arguments.texts("--kv")).map { $0.flatMap(KVType.init) ?? .f16 }
        let threads = BenchPlan.listed(arguments.integers("-t"))
        var settings: [BenchSetting] = []
        for file in files {
            for kernels in sets {
                for backend in backends {
                    for kv in caches {
                        for threads in threads {
                            let options = ModelOptions(
                                context: arguments.integer("--context"), kv: kv, threads: threads, kernels: kernels,
                                backend: backend, quantize: quantize)
                            settings.append(BenchSetting(file: file, options: options))
                        }
                    }
                }
            }
        }
        self.settings = settings
        tests = try BenchPlan.tests(arguments)
        batchIsAsked = !arguments.integers("-b").isEmpty
        repetitions = arguments.integer("-r") ?? 5
        bandwidth = arguments.integer("--bandwidth") ?? ReadBandwidth.mebibytes
        loop = arguments.integer("--loop") ?? LoopRates.milliseconds
    }

    /// The values of an option, or nil once where it was not given.
    private static func listed<T>(_ values: [T]) -> [T?] { values.isEmpty ? [nil] : values.map { $0 } }

    /// Every combination of batch, depth and test; what does not depend on these stands once, at the end.
    static func tests(_ arguments: Arguments) throws -> [(test: BenchTest, batch: Int)] {
        func counts(_ name: String, else usual: Int) -> [Int] {
            let given = arguments.integers(name)
            // As llama-bench: whoever asks for pairs alone means them alone.
            return given.isEmpty ? [usual] : given
        }
        let batches = counts("-b", else: Generator.prefillChunk)
        let usual = batches[0]
        var tests: [(test: BenchTest, batch: Int)] = []
        for batch in batches {
            for depth in counts("-d", else: 0) {
                for tokens in counts("-p", else: 512) where tokens > 0 {
                    tests.append((.prompt(tokens: tokens, depth: depth), batch))
                }
                for tokens in counts("-n", else: 128) where tokens > 0 {
                    tests.append((.generation(tokens: tokens, depth: depth), batch))
                }
                for (prompt, tokens) in pairs(arguments, "-pg") {
                    tests.append((.both(prompt: prompt, generation: tokens, depth: depth), batch))
                }
            }
        }
        for (prompt, tokens) in pairs(arguments, "--request") {
            tests.append((.request(prompt: prompt, tokens: tokens), usual))
        }
        for (prompt, cached) in pairs(arguments, "--prefix") {
            guard cached < prompt else {
                throw CommandError.badValue(
                    option: "--prefix", value: "\(prompt),\(cached)",
                    expected: "a prompt's length and a shorter one that is cached, as 512,448")
            }
            tests.append((.prefix(prompt: prompt, cached: cached), usual))
        }
        if arguments.flag("--sampling") { tests.append((.sampling, usual)) }
        guard !tests.isEmpty else { throw BenchError.nothingToMeasure }
        return tests
    }

    private static func pairs(_ arguments: Arguments, _ name: String) -> [(Int, Int)] {
        let values = arguments.integers(name)
        return stride(from: 0, to: values.count - 1, by: 2).map { (values[$0], values[$0 + 1]) }
    }
}
