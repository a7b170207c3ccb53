/// A value that only the holder of its lock can touch.
///
///     private let state = Locked(State())
///     state.withLock { $0.count += 1 }
///
/// The lock is not recursive: asking for it again inside `withLock` waits for ever.
@safe package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline let lock = Lock()
    /// At an address of its own: a stored property would be checked for exclusive access a second time.
    @usableFromInline let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Runs `body` on the value while no one else can. What `body` throws or returns is passed on.
    @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try unsafe body(&value.pointee)
    }

    /// As `withLock`, unless someone else holds the lock: then nil, at once.
    @inlinable package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try unsafe body(&value.pointee)
    }
}
