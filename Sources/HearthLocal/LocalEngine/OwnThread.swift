import Foundation
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs work that takes long on a thread of its own, so that tasks that share the cooperative threads do not wait for it
/// (design D8).
package enum OwnThread {
    private final class Job: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Parameter stackSize: as Swift's own threads have; Foundation gives 512 KB.
    package static func run<R: Sendable>(
        _ name: String, stackSize: Int = 8 << 20, _ work: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let hasThread = start(stackSize) {
                Thread.current.name = name
                continuation.resume(with: Result(catching: work))
            }
            // Where the system refuses a thread, tasks that share this one wait. (Foundation's `Thread` would say nothing, and this
            // task would wait for ever.)
            if !hasThread { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// False where there is no thread to be had.
    private static func start(_ stackSize: Int, _ run: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { unsafe attributes.deallocate() }
        guard unsafe pthread_attr_init(attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(attributes) }
        guard unsafe pthread_attr_setstacksize(attributes, stackSize) == 0 else { return false }
        let job = unsafe Unmanaged.passRetained(Job(run))
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = unsafe pthread_create(&thread, attributes, { argument in
            unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }, job.toOpaque())
        if code == 0, let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, attributes, { argument in
            unsafe Unmanaged<Job>.fromOpaque(argument!).takeRetainedValue().run()
            return nil
        }, job.toOpaque())
        if code == 0 { pthread_detach(thread) }
        #endif
        if code != 0 { unsafe job.release() }
        return code == 0
    }
}
