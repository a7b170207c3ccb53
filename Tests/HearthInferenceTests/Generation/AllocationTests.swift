import Foundation
import HearthInference
import HearthTestSupport
import HearthTokens
import HearthWeights
import Synchronization
import Testing

/// A step of the generator allocates nothing: what grows with a reply was reserved before it.
///
/// The boundary is `onStep`: text, bytes of a piece and events for a reader are made behind it, by `LocalEngine`, and cost
/// memory of their own. Each test runs once more in a process that has `Tests/checks/allocations.c` preloaded, and measures there.
@Suite(.serialized) struct AllocationTests {
    /// A model of each kind of block: plain and quantised, norms behind branches, experts, biases and sinks, convolutions.
    static let fixtures = ["quant-q4_1", "gemma2-f32", "qwen2-f32", "qwen3moe-f32", "gpt-oss-mxfp4", "lfm2-f32"]

    static let ways: [(name: String, sampling: SamplingOptions)] = [
        ("greedy", .greedy),
        ("top-k and top-p", SamplingOptions(temperature: 0.8, topK: 40, topP: 0.95, seed: 1)),
        ("top-p", SamplingOptions(temperature: 0.7, topP: 0.95, seed: 2)),
        ("temperature alone", SamplingOptions(temperature: 1.2, topK: 0, topP: 1, seed: 3)),
        ("min-p and penalties", SamplingOptions(temperature: 1, minP: 0.05, repetitionPenalty: 1.1, seed: 4)),
    ]

    @Test("100 tokens of a reply allocate nothing, greedy or sampled, whatever blocks the model has")
    func steps() async throws {
        guard let counter = AllocationCounter.loaded else { return try again("steps", measured: Self.fixtures.count) }
        for name in Self.fixtures {
            let generator = try await Generator.fixture(name, ModelOptions(context: 160, threads: 2))
            for (way, sampling) in Self.ways {
                let made = try await counter.allocations(generator, sampling)
                #expect(made == 0, "\(name), \(way): \(made) allocations between tokens 16 and 116")
            }
            print("measured \(name)")
        }
    }

    @Test(
        "100 tokens of the default model allocate nothing, greedy or sampled",
        .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
    func defaultModel() async throws {
        guard let counter = AllocationCounter.loaded else { return try again("defaultModel", measured: 1) }
        let generator = try await Generator.load(options: ModelOptions(context: 160)) { try Checkpoint.open(Store.defaultModel) }
        for (way, sampling) in Self.ways {
            let made = try await counter.allocations(generator, sampling)
            #expect(made == 0, "\(way): \(made) allocations between tokens 16 and 116")
        }
        print("measured the default model")
    }

    /// What the others would see if a step allocated.
    @Test("one allocation a token is counted as 100")
    func oneAllocation() async throws {
        guard let counter = AllocationCounter.loaded else { return try again("oneAllocation", measured: 1) }
        let generator = try await Generator.fixture("quant-q4_1", ModelOptions(context: 160, threads: 2))
        #expect(try await counter.allocations(generator, .greedy, besides: { Kept.keep(Kept()) }) == 100)
        print("measured one allocation")
    }

    /// - Parameter measured: lines that the child prints when it has done its work: none is left out unnoticed.
    private func again(_ test: String, measured: Int) throws {
        let printed = try AllocationCounter.runAgain(
            "AllocationTests/\(test)", source: Fixtures.root.appending(path: "Tests/checks/allocations.c"))
        #expect(printed.split(separator: "\n").count { $0.hasPrefix("measured ") } == measured, "\(printed)")
    }
}

/// Something that takes memory.
private final class Kept: Sendable {
    private static let last = Mutex<Kept?>(nil)
    static func keep(_ kept: Kept) { last.withLock { $0 = kept } }
}

extension AllocationCounter {
    /// Allocations between tokens 16 and 116 of a reply.
    func allocations(
        _ generator: Generator, _ sampling: SamplingOptions, besides: @escaping @Sendable () -> Void = {}
    ) async throws -> Int {
        let seen = Counts()
        let report = try await generator.generate(
            GenerationRequest(prompt: tokens(9, seed: 5), sampling: sampling, limit: 120)
        ) { step in
            guard case .token = step else { return .goOn }
            switch seen.tokens.add(1, ordering: .relaxed).newValue {
            case 16:
                seen.first.store(count, ordering: .relaxed)
                show(true)
            case 17...115: besides()
            case 116:
                besides()
                seen.last.store(count, ordering: .relaxed)
                show(false)
            default: break
            }
            return .goOn
        }
        try #require(report.output == 120)
        return seen.last.load(ordering: .relaxed) - seen.first.load(ordering: .relaxed)
    }

    private final class Counts: Sendable {
        let tokens = Atomic(0), first = Atomic(0), last = Atomic(0)
    }
}
