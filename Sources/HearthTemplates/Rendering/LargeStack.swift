#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a rendering on a thread of its own, so that how deep a template may go does not depend on where it is called from.
enum LargeStack {
    /// Address space, of which only what is used costs memory. 300 levels take a third of it in a build without
    /// optimisation, whose frames are about 14 KB a level.
    private static let size = 12 << 20
    /// What may be used of the caller's stack where no thread can be had: half of 512 KB, the smallest that threads get.
    private static let small = 256 << 10
    /// Kept free below: the deepest calls that are not counted as levels need less.
    private static let spare = 256 << 10

    private final class Job {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Waits for `body`, which is given the number of bytes of stack it may use.
    static func run(_ body: (Int) -> Void) {
        var isDone = false
        withoutActuallyEscaping({ body(size - spare) }) { escaping in
            isDone = start(Job(escaping))
        }
        if !isDone { body(small) }
    }

    /// False when there is no thread to be had.
    private static func start(_ job: Job) -> Bool {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(&attributes) }
        guard unsafe pthread_attr_setstacksize(&attributes, size) == 0 else { return false }
        let held = unsafe Unmanaged.passRetained(job)
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = unsafe pthread_create(
                &thread, &attributes,
                { argument in
                    unsafe Unmanaged<Job>.fromOpaque(argument).takeUnretainedValue().run()
                    return nil
                }, held.toOpaque())
            if code == 0, let thread = unsafe thread { unsafe pthread_join(thread, nil) }
        #else
            var thread = pthread_t()
            let code = unsafe pthread_create(
                &thread, &attributes,
                { argument in
                    if let argument = unsafe argument {
                        unsafe Unmanaged<Job>.fromOpaque(argument).takeUnretainedValue().run()
                    }
                    return nil
                }, held.toOpaque())
            if code == 0 { pthread_join(thread, nil) }
        #endif
        unsafe held.release()
        return code == 0
    }
}
