import Foundation
import HearthLocks

/// Runs work that takes long on a thread of its own, so that tasks that share the cooperative threads do not wait for it
/// (design D8).
package enum OwnThread {
    package static func run<R: Sendable>(
        _ name: String, stackSize: Int = PosixThread.usualStackSize, _ work: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let thread = PosixThread.start(stackSize: stackSize) {
                Thread.current.name = name
                continuation.resume(with: Result(catching: work))
            }
            thread?.detach()
            // Where the system refuses a thread, tasks that share this one wait.
            if thread == nil { continuation.resume(with: Result(catching: work)) }
        }
    }
}
