#if canImport(Glibc)
import Glibc
#endif

/// Memory that was freed and that the C library keeps for later.
enum FreedMemory {
    /// Gives it back to the system. After work that took much for a moment, on a thread that ends: its share would lie idle for as
    /// long as the process lives. Looked up by name, since not every C library has it and no module of Swift's shows it.
    static func giveBack() {
        #if canImport(Glibc)
        guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
        _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
        #endif
    }
}
