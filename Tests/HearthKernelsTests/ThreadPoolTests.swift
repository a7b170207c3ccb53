import HearthKernels
import HearthLocks
import Synchronization
import Testing

@Suite("ThreadPool")
struct ThreadPoolTests {
    /// Counts how often each chunk ran, and which workers took part.
    final class Tally: Sendable {
        let runs: [Atomic<Int>.Box]
        let workers = Locked<Set<Int>>([])
        init(_ chunks: Int) { runs = (0..<chunks).map { _ in .init() } }
    }

    @Test("every chunk runs exactly once, whatever the number of workers", arguments: [1, 2, 3, 8])
    func eachChunkOnce(workers: Int) {
        let pool = ThreadPool()
        for chunks in [0, 1, 2, 3, 7, 64, 1000] {
            let tally = Tally(chunks)
            unsafe pool.run(chunks: chunks, workers: workers, context: Unmanaged.passUnretained(tally).toOpaque()) { context, chunk, worker in
                let tally = unsafe Unmanaged<Tally>.fromOpaque(context).takeUnretainedValue()
                tally.runs[chunk].value.add(1, ordering: .relaxed)
                tally.workers.withLock { _ = $0.insert(worker) }
            }
            #expect(tally.runs.allSatisfy { $0.value.load(ordering: .relaxed) == 1 }, "\(chunks) chunks")
            #expect(tally.workers.withLock { $0.allSatisfy { $0 >= 0 && $0 < workers } }, "\(chunks) chunks")
        }
    }

    @Test("what a chunk wrote is visible when the run returns, over many short runs in a row")
    func writesAreVisible() {
        let pool = ThreadPool()
        let count = 16
        let values = UnsafeMutablePointer<Int>.allocate(capacity: count)
        defer { unsafe values.deallocate() }
        unsafe values.initialize(repeating: 0, count: count)
        for _ in 0..<2000 {
            unsafe pool.run(chunks: count, workers: 3, context: UnsafeRawPointer(values)) { context, chunk, _ in
                unsafe UnsafeMutablePointer(mutating: context.assumingMemoryBound(to: Int.self))[chunk] += 1
            }
        }
        for index in 0..<count { #expect(unsafe values[index] == 2000) }
    }

    @Test("runs of several threads take turns and all end")
    func severalCallers() async {
        let pool = ThreadPool()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let sum = Atomic<Int>.Box()
                    for _ in 0..<200 {
                        unsafe pool.run(chunks: 5, workers: 2, context: Unmanaged.passUnretained(sum).toOpaque()) { context, chunk, _ in
                            let sum = unsafe Unmanaged<Atomic<Int>.Box>.fromOpaque(context).takeUnretainedValue()
                            sum.value.add(chunk, ordering: .relaxed)
                        }
                    }
                    return sum.value.load(ordering: .relaxed)
                }
            }
            for await sum in group { #expect(sum == 200 * 10) }
        }
    }

    @Test("sleeping workers wake for the next run")
    func wakesSleepers() async throws {
        let pool = ThreadPool()
        for _ in 0..<5 {
            let tally = Tally(8)
            unsafe pool.run(chunks: 8, workers: 2, context: Unmanaged.passUnretained(tally).toOpaque()) { context, chunk, _ in
                let tally = unsafe Unmanaged<Tally>.fromOpaque(context).takeUnretainedValue()
                tally.runs[chunk].value.add(1, ordering: .relaxed)
            }
            #expect(tally.runs.allSatisfy { $0.value.load(ordering: .relaxed) == 1 })
            try await Task.sleep(for: .milliseconds(2))  // far beyond the time a worker spins
        }
    }

    /// Chunks in the order in which each worker took them.
    final class Diary: Sendable {
        let taken = Locked<[[Int]]>(Array(repeating: [], count: 8))
        /// Notes a chunk and waits until as many have been noted, for ten seconds at most.
        func note(_ chunk: Int, of worker: Int, until count: Int) {
            taken.withLock { $0[worker].append(chunk) }
            let end = ContinuousClock.now + .seconds(10)
            while taken.withLock({ $0.reduce(0) { $0 + $1.count } }) < count, ContinuousClock.now < end {}
        }
    }

    @Test("each worker begins with the first chunk of its own share and goes on in order")
    func sharesAreNeighbours() {
        let pool = ThreadPool()
        let diary = Diary()
        unsafe pool.run(chunks: 12, workers: 3, context: Unmanaged.passUnretained(diary).toOpaque()) { context, chunk, worker in
            // Nobody goes on before all three have begun.
            unsafe Unmanaged<Diary>.fromOpaque(context).takeUnretainedValue().note(chunk, of: worker, until: 3)
        }
        for (worker, chunks) in diary.taken.withLock({ $0 }).prefix(3).enumerated() {
            let own = chunks.filter { $0 / 4 == worker }
            #expect(chunks.first == 4 * worker, "worker \(worker): \(chunks)")
            #expect(own == own.sorted(), "worker \(worker): \(chunks)")
        }
    }

    @Test("what a worker holds up is one chunk: others take the rest of its share, from the back")
    func othersTakeTheRest() {
        let pool = ThreadPool()
        let diary = Diary()
        unsafe pool.run(chunks: 16, workers: 2, context: Unmanaged.passUnretained(diary).toOpaque()) { context, chunk, worker in
            // The caller's first chunk ends when all others were taken.
            unsafe Unmanaged<Diary>.fromOpaque(context).takeUnretainedValue().note(chunk, of: worker, until: chunk == 0 ? 16 : 0)
        }
        let taken = diary.taken.withLock { $0 }
        #expect(taken[0] == [0])
        #expect(taken[1] == Array(8..<16) + (1..<8).reversed())
    }

    @Test("more workers than can be asked for are cut to the documented number")
    func reserveIsBounded() {
        let pool = ThreadPool()
        #expect(pool.reserve(workers: 0) == 1)
        #expect(pool.reserve(workers: 3) == 3)
        #expect(pool.reserve(workers: 2) == 3)
    }
}

extension Atomic where Value == Int {
    /// A counter that can be put in an array.
    final class Box: Sendable {
        let value = Atomic<Int>(0)
    }
}
