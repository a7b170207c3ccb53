import Foundation
import Glibc
import HearthCommands
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthKernels
import HearthWeights

/// `hearth-bench`: words in, measurements out.
package enum BenchProgram {
    package static func main() async -> Never {
        Signals.shared.install()
        let code: ExitCode
        do {
            let words = Program.rawArguments().map { String(decoding: $0, as: UTF8.self) }
            try await run(ArgumentParser(BenchTable.table).parse(words))
            code = .done
        } catch CommandError.helpAsked {
            code = help()
        } catch {
            code = Program.report(error, asJSON: false)
        }
        exit(code.rawValue)
    }

    private static func help() -> ExitCode {
        do {
            try StandardOutput.write(HelpText.verb(BenchTable.table, program: ""))
            return .done
        } catch {
            return Program.report(error, asJSON: false)
        }
    }

    static func run(_ arguments: Arguments) async throws {
        let file = try ModelArgument.file(arguments.text("-m"))
        let options = try EngineArguments.options(arguments)
        let tests = Self.tests(arguments)
        let repetitions = arguments.integer("-r") ?? 5
        let results = try await Signals.shared.stoppable {
            let checkpoint = try Checkpoint.open(file)
            let generator = try await Generator.load(options: options) { checkpoint }
            var results: [BenchResult] = []
            for test in tests {
                let time = Date()
                let samples = try await Bench(generator).samples(test, repetitions: repetitions)
                results.append(try result(test, samples, time, checkpoint, generator.weights))
            }
            return results
        }
        if arguments.text("-o") == "json" {
            var style = JSONStyle.compact
            style.indent = 2
            try StandardOutput.write(try JSON.array(results.map(\.json)).text(style) + "\n")
        } else {
            try StandardOutput.write(BenchResult.markdown(results))
        }
    }

    static func tests(_ arguments: Arguments) -> [Bench.Test] {
        let prompt = arguments.integer("-p") ?? 512
        let made = arguments.integer("-n") ?? 128
        var tests: [Bench.Test] = []
        if prompt > 0 {
            tests.append(.prompt(tokens: prompt, batch: arguments.integer("-b") ?? Generator.prefillChunk))
        }
        if made > 0 { tests.append(.generation(tokens: made)) }
        return tests
    }

    private static func result(
        _ test: Bench.Test, _ samples: Samples, _ time: Date, _ checkpoint: Checkpoint, _ weights: LanguageWeights
    ) throws -> BenchResult {
        let (prompt, made) =
            switch test {
            case .prompt(let tokens, _): (tokens, 0)
            case .generation(let tokens): (0, tokens)
            }
        return BenchResult(
            commit: Build.commit, processor: Machine.processorName, backend: weights.compute.backend.rawValue,
            kernels: weights.compute.set.rawValue, file: checkpoint.file.path,
            modelType: try modelType(checkpoint), modelBytes: checkpoint.tensors.reduce(0) { $0 + $1.byteCount },
            modelValues: checkpoint.tensors.reduce(0) { $0 + $1.count }, batch: test.batch,
            threads: weights.compute.threads,
            kv: weights.options.kv.rawValue, promptTokens: prompt, madeTokens: made, time: time, samples: samples)
    }

    /// `llama Q4_1`: the architecture and the type that most of the weights have.
    private static func modelType(_ checkpoint: Checkpoint) throws -> String {
        var sums: [(name: String, values: Int)] = []
        for tensor in checkpoint.tensors {
            if let index = sums.firstIndex(where: { $0.name == tensor.type.name }) {
                sums[index].values += tensor.count
            } else {
                sums.append((tensor.type.name, tensor.count))
            }
        }
        let type = sums.max { $0.values < $1.values }?.name ?? ""
        return "\(try checkpoint.metadata.text("general.architecture")) \(type)"
    }
}
