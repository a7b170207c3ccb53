import Foundation

/// Runs work that takes long on a thread of its own, so that tasks that share the cooperative threads do not wait for it
/// (design D8).
enum OwnThread {
    static func run<R: Sendable>(_ name: String, _ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result(catching: work)) }
            thread.name = name
            thread.stackSize = 8 << 20  // as Swift's own threads have; Foundation gives 512 KB
            thread.start()
        }
    }
}
