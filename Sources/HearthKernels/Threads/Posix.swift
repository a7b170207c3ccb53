#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A POSIX mutex at a fixed address.
@safe final class Lock: @unchecked Sendable {
    fileprivate let raw: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe raw = .allocate(capacity: 1)
        let code = unsafe pthread_mutex_init(raw, nil)
        precondition(code == 0, "pthread_mutex_init")
    }

    deinit {
        unsafe pthread_mutex_destroy(raw)
        unsafe raw.deallocate()
    }

    func lock() { _ = unsafe pthread_mutex_lock(raw) }
    func unlock() { _ = unsafe pthread_mutex_unlock(raw) }
}

/// A POSIX condition at a fixed address.
@safe final class Condition: @unchecked Sendable {
    private let raw: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe raw = .allocate(capacity: 1)
        let code = unsafe pthread_cond_init(raw, nil)
        precondition(code == 0, "pthread_cond_init")
    }

    deinit {
        unsafe pthread_cond_destroy(raw)
        unsafe raw.deallocate()
    }

    func wait(_ lock: Lock) { _ = unsafe pthread_cond_wait(raw, lock.raw) }
    func wakeAll() { _ = unsafe pthread_cond_broadcast(raw) }
}

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
