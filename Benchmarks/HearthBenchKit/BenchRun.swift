import Foundation
package import HearthCommands
import HearthInference
package import HearthJSON
import HearthWeights

/// A run: the read bandwidth first, then every combination of the plan, here or in turn with a peer.
package struct BenchRun: Sendable {
    private let plan: BenchPlan
    private let peer: PeerRounds?

    /// - Throws: what is wrong with the words, before anything is measured.
    package init(_ arguments: Arguments) throws {
        plan = try BenchPlan(arguments)
        let attention = arguments.texts("--peer-fa")
        peer = try arguments.text("--peer").map {
            PeerRounds(
                try Peer(path: $0), rounds: arguments.integer("--rounds") ?? 5,
                flashAttention: attention.isEmpty ? [nil] : attention)
        }
    }

    /// - Parameter tell: gets each row as soon as it is there.
    package func run(_ tell: (JSON) -> Void) async throws {
        let ceiling = self.ceiling()
        for setting in plan.settings {
            if let peer {
                try await turns(with: peer, setting, ceiling, tell)
            } else {
                try await measure(setting, ceiling, tell)
            }
        }
    }

    private func measure(_ setting: BenchSetting, _ ceiling: [Int: Double], _ tell: (JSON) -> Void) async throws {
        var model = try await LoadedModel.load(setting)
        model.subject.bandwidthOfOne = ceiling[1]
        model.subject.bandwidth = ceiling[model.subject.threads]
        let bench = Bench(model.generator, repetitions: plan.repetitions)
        var rates = LoopRates(model.generator.weights.compute, milliseconds: plan.loop)
        for (test, batch) in plan.tests {
            progress("\(setting.file.lastPathComponent), \(test)")
            let products = Self.products(of: test, batch: batch, model.operations)
            try rates.measure(products)
            let time = Date()
            let (rows, peak) = try await MemoryPeak.during { try await bench.measure(test, batch: batch) }
            try rates.measure(products)
            for measured in rows {
                // Rows that make tokens one by one and nothing else.
                let name = measured.name
                let isDecoding = name.prompt == 0 && name.generated > 0
                tell(
                    BenchResult(
                        subject: model.subject, measured: measured, batch: batch, time: time, peak: peak,
                        bytesPerToken: isDecoding
                            ? model.bytes.perToken(count: name.generated, depth: name.depth) : nil,
                        loop: rates.ceiling(products)
                    ).json)
            }
        }
    }

    /// What a test multiplies that reads a prompt and does nothing else; others have no ceiling of loops.
    private static func products(of test: BenchTest, batch: Int, _ operations: PromptOperations) -> [PromptOperations.Products] {
        guard case .prompt(let tokens, _) = test else { return [] }
        return operations.products(tokens: tokens, batch: batch)
    }

    /// Rounds for each batch: batch and tests in one turn would be more than one combination.
    private func turns(
        with peer: PeerRounds, _ setting: BenchSetting, _ ceiling: [Int: Double], _ tell: (JSON) -> Void
    ) async throws {
        var batches: [Int] = []
        for (_, batch) in plan.tests where !batches.contains(batch) { batches.append(batch) }
        let operations = try PromptOperations(try Checkpoint.open(setting.file), quantize: setting.options.quantize)
        var rates = LoopRates(try setting.options.compute(), milliseconds: plan.loop)
        for batch in batches {
            let turn = Peer.Turn(
                setting: setting, tests: plan.tests.filter { $0.batch == batch }.map(\.test),
                batch: plan.batchIsAsked ? batch : nil, repetitions: plan.repetitions)
            let products = turn.tests.map { (Peer.name($0), Self.products(of: $0, batch: batch, operations)) }
            for (_, products) in products { try rates.measure(products) }
            let rows = try await peer.measure(turn, note: progress)
            for (_, products) in products { try rates.measure(products) }
            let loops = Dictionary(
                products.map { ($0, rates.ceiling($1)) }, uniquingKeysWith: { first, _ in first })
            for row in rows { tell(withCeiling(row, ceiling, loops)) }
        }
    }

    /// Our turns leave the ceiling to us, so that it is measured once, while nobody else runs.
    private func withCeiling(_ row: JSON, _ ceiling: [Int: Double], _ loops: [RowName: LoopCeiling?]) -> JSON {
        guard var object = row.objectValue else { return row }
        let reader = RowReader(row)
        let bandwidth = reader.int("n_threads").flatMap { ceiling[$0] }
        object["bandwidth_one_thread"] = .finite(ceiling[1])
        object["bandwidth"] = .finite(bandwidth)
        if let bandwidth, let bytes = reader.number("bytes_per_token"), let speed = reader.number("median_ts") {
            object["bandwidth_share"] = .finite(bytes * speed / bandwidth)
        }
        let name = RowName.of(
            prompt: reader.int("n_prompt") ?? 0, generated: reader.int("n_gen") ?? 0, depth: reader.int("n_depth") ?? 0)
        object.setLoop(loops[name] ?? nil, time: reader.number("median_ns"))
        return .object(object)
    }

    /// Bytes a second by threads: one, and each count that a row will have.
    private func ceiling() -> [Int: Double] {
        guard plan.bandwidth > 0, let memory = ReadBandwidth(mebibytes: plan.bandwidth) else { return [:] }
        defer { memory.free() }
        progress("read bandwidth, \(plan.bandwidth) MiB")
        var speeds: [Int: Double] = [:]
        for threads in Set(plan.settings.map(\.threads)).union([1]).sorted() {
            speeds[threads] = memory.measure(threads: threads)
        }
        return speeds
    }

    /// For whoever waits at a terminal.
    private func progress(_ what: String) {
        if StandardError.isTerminal { StandardError.line("hearth-bench: \(what)") }
    }
}
