#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread that runs one function and can be waited for.
@safe struct PosixThread {
    private let id: pthread_t

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Nil where the system refuses another thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> PosixThread? {
        let start = unsafe Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
        var id: pthread_t?
        let code = unsafe pthread_create(&id, nil, { argument in
            unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, start.toOpaque())
        #else
        var id = pthread_t()
        let code = unsafe pthread_create(&id, nil, { argument in
            unsafe Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, start.toOpaque())
        #endif
        guard code == 0 else {
            unsafe start.release()
            return nil
        }
        #if canImport(Darwin)
        return PosixThread(id: id!)
        #else
        return PosixThread(id: id)
        #endif
    }

    func join() { _ = pthread_join(id, nil) }
}

/// Nanoseconds of a clock that only runs forward.
@inline(__always)
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}
