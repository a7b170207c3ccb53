#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A POSIX thread that runs one function.
///
/// Foundation's `Thread` says nothing where the system refuses one, and whoever waits for it waits for ever.
@safe package struct PosixThread {
    private let id: pthread_t

    /// As Swift's own threads have on Linux.
    package static let usualStackSize = 8 << 20

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Nil where the system refuses another thread. One that is started is joined or detached.
    package static func start(
        stackSize: Int = usualStackSize, _ body: @escaping @Sendable () -> Void
    ) -> PosixThread? {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { unsafe attributes.deallocate() }
        guard unsafe pthread_attr_init(attributes) == 0 else { return nil }
        defer { unsafe pthread_attr_destroy(attributes) }
        guard unsafe pthread_attr_setstacksize(attributes, stackSize) == 0 else { return nil }
        let start = unsafe Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
        var id: pthread_t?
        let code = unsafe pthread_create(&id, attributes, { argument in
            unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, start.toOpaque())
        #else
        var id = pthread_t()
        let code = unsafe pthread_create(&id, attributes, { argument in
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

    /// Waits for its end.
    package func join() { _ = pthread_join(id, nil) }

    /// Nobody waits for it.
    package func detach() { _ = pthread_detach(id) }
}
