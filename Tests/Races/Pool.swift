import Foundation
import HearthLocks

/// Two threads run short steps on one pool, thousands of chunks, and count each chunk in plain memory.
/// Compiled together with the pool's sources, under the thread sanitizer: what is not ordered by the pool is a race here.
struct Step {
    var counts: UnsafeMutablePointer<Int>
    var workers: Int
}

@main
struct Runs {
    static func main() {
        let pool = ThreadPool()
        let wrong = Locked(0)
        let done = DispatchSemaphore(value: 0)
        for seed in 1...2 {
            Thread {
                let bad = work(on: pool, seed: UInt64(seed))
                wrong.withLock { $0 += bad }
                done.signal()
            }.start()
        }
        done.wait()
        done.wait()
        print(wrong.withLock { $0 })
    }

    /// Returns how many chunks were not done exactly once.
    static func work(on pool: ThreadPool, seed: UInt64) -> Int {
        var state = seed
        func random(_ end: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % end
        }
        let most = 40
        let counts = UnsafeMutablePointer<Int>.allocate(capacity: most)
        defer { counts.deallocate() }
        var bad = 0
        for _ in 0..<200 {
            let (chunks, workers) = (1 + random(most), 2 + random(4))
            // Runs of one kind in a row, so that shares look as they looked before.
            for _ in 0..<1 + random(5) {
                counts.initialize(repeating: 0, count: most)
                var step = Step(counts: counts, workers: workers)
                withUnsafePointer(to: &step) { step in
                    pool.run(chunks: chunks, workers: workers, context: UnsafeRawPointer(step)) { context, chunk, worker in
                        let step = context.assumingMemoryBound(to: Step.self)
                        step.pointee.counts[chunk] += (0..<step.pointee.workers).contains(worker) ? 1 : 100
                    }
                }
                // What a late worker would read.
                step.counts = UnsafeMutablePointer(bitPattern: 8)!
                bad += (0..<most).count { counts[$0] != ($0 < chunks ? 1 : 0) }
            }
            // Longer than workers spin, at times: they sleep and are woken.
            if random(8) == 0 { usleep(UInt32(random(300))) }
        }
        return bad
    }
}
