#if canImport(Darwin)
package import Darwin
#else
package import Glibc
#endif

/// A POSIX mutex at a fixed address.
///
/// The house has one kind of lock, and it is this one rather than `Synchronization.Mutex`: that sleeps on a futex of its
/// own on Linux, which the thread sanitizer does not know, so that it reports every use as a race. POSIX locks it knows.
@safe package final class Lock: @unchecked Sendable {
    @usableFromInline package let raw: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        unsafe raw = .allocate(capacity: 1)
        let code = unsafe pthread_mutex_init(raw, nil)
        precondition(code == 0, "pthread_mutex_init")
    }

    deinit {
        unsafe pthread_mutex_destroy(raw)
        unsafe raw.deallocate()
    }

    @inlinable package func lock() { _ = unsafe pthread_mutex_lock(raw) }
    @inlinable package func tryLock() -> Bool { unsafe pthread_mutex_trylock(raw) == 0 }
    @inlinable package func unlock() { _ = unsafe pthread_mutex_unlock(raw) }
}

/// A POSIX condition at a fixed address.
@safe package final class Condition: @unchecked Sendable {
    private let raw: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        unsafe raw = .allocate(capacity: 1)
        let code = unsafe pthread_cond_init(raw, nil)
        precondition(code == 0, "pthread_cond_init")
    }

    deinit {
        unsafe pthread_cond_destroy(raw)
        unsafe raw.deallocate()
    }

    package func wait(_ lock: Lock) { _ = unsafe pthread_cond_wait(raw, lock.raw) }
    package func wakeAll() { _ = unsafe pthread_cond_broadcast(raw) }
}
