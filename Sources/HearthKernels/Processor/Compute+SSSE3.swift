#if arch(x86_64)
internal import CIntrinsics
#endif

extension Compute {
    /// Whether this processor has SSSE3 (Intel's manual, volume 2, CPUID: leaf 1 ECX 9): all but AMD's before 2011 and Intel's
    /// before 2006. Its registers are SSE's, which every system saves.
    package static let processorHasSSSE3: Bool = {
        #if arch(x86_64)
        var a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0
        guard unsafe __get_cpuid_count(1, 0, &a, &b, &c, &d) != 0 else { return false }
        return c >> 9 & 1 == 1
        #else
        return false
        #endif
    }()
}
