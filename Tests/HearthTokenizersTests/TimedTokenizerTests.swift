import Foundation
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import Testing

/// Timed and memory-limited: run alone, in release.
@Suite("Timed traps of tokenizers", .serialized)
struct TimedTokenizerTests {
    /// Best of five, in seconds of this thread's processor time: what else runs on the machine does not count.
    static func time(_ work: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<5 {
            let start = processorTime()
            try work()
            best = min(best, processorTime() - start)
        }
        return best
    }

    static func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Runs `work` on a thread with a stack of 512 KB.
    static func onSmallStack<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }

    static let runs = ["A", " ", ".", "あ", "\n", "a1", "é", "Aa"]

    static let tokenizers: [(String, URL)] =
        ([("smollm", Store.defaultModel)]
        + ["llama-bpe", "qwen2", "deepseek-llm", "falcon", "gemma-4", "llama-spm", "nomic-bert-moe", "bert-bge"].map {
            ($0, Store.vocabularies.appending(path: "ggml-vocab-\($0).gguf"))
        } + [("gpt-4o", Fixtures.url("gpt-oss-f32.gguf"))]).filter { Store.has($0.1) }

    @Test("T-22 a run of 50,000 takes at most 15 times one of 5,000, on a small stack", arguments: tokenizers)
    func longRuns(name: String, file: URL) async throws {
        let tokenizer = try Tokenizer.of(file)
        for run in Self.runs {
            let measured: Result<Run, any Error> = await Self.onSmallStack { Result { try Run(run, name, tokenizer) } }
            let result = try measured.get()
            #expect(result.comesBack, "\(name), \(run.debugDescription)")
            #expect(result.ratio <= 15, "\(name), \(run.debugDescription): \(result)")
        }
    }

    /// One kind of run at both lengths.
    struct Run {
        var short = Double.infinity
        var long = Double.infinity
        var comesBack: Bool
        /// The least of three measurements: a neighbour that empties the caches must not decide. Work that grows with
        /// the square would show 100 each time. Below 50 µs the clock and the allocator weigh more than the work.
        var ratio = Double.infinity

        init(_ run: String, _ name: String, _ tokenizer: Tokenizer) throws {
            let shortText = Array(String(repeating: run, count: 5_000 / run.unicodeScalars.count).utf8)
            let longText = Array(String(repeating: run, count: 50_000 / run.unicodeScalars.count).utf8)
            let tokens = try tokenizer.encode(longText, control: .recognised)
            // These two do not give every text back: WordPiece drops spaces, unigram joins them.
            let loses = name == "bert-bge" || name == "nomic-bert-moe"
            comesBack =
                loses || tokenizer.decode(tokens, skippingControl: false).suffix(longText.count) == longText[...]
            for _ in 0..<3 where ratio > 15 {
                short = try TimedTokenizerTests.time { _ = try tokenizer.encode(shortText, control: .recognised) }
                long = try TimedTokenizerTests.time { _ = try tokenizer.encode(longText, control: .recognised) }
                ratio = min(ratio, long / max(short, 50e-6))
            }
        }
    }

    @Test("T-81 a text of 20,000 characters is encoded in under 100 ms", arguments: tokenizers)
    func longText(name: String, file: URL) throws {
        let tokenizer = try Tokenizer.of(file)
        let prose = try [UInt8](Fixtures.bytes("texts/prose.txt")) + [UInt8](Fixtures.bytes("texts/code.txt"))
        var text: [UInt8] = []
        while text.count < 20_000 { text += prose }
        let seconds = try Self.time { _ = try tokenizer.encode(text, control: .asText) }
        #if DEBUG
            #expect(seconds < 5, "\(name): \(seconds) s without optimisation")
        #else
            #expect(seconds < 0.1, "\(name): \(seconds) s")
        #endif
    }
}
