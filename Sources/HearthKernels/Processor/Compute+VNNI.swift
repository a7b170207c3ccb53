#if arch(x86_64)
internal import CIntrinsics
#endif
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension Compute {
    /// The wish of this process's environment.
    package static let avx512Wish = AVX512Wish(unsafe getenv("HEARTH_AVX512").map { unsafe String(cString: $0) })

    /// Whether this processor has AVX-512 F, BW, VL and VNNI, and the system saves their registers.
    ///
    /// Intel's manual, volume 2, CPUID: leaf 7 EBX 30 is BW, 31 VL; ECX 11 VNNI. `CPUFeatures` looks at F and the registers.
    ///
    /// `HEARTH_AVX512=0` in the environment says no for the process (`AVX512Wish`).
    package static let processorHasVNNI: Bool = {
        #if arch(x86_64)
        if avx512Wish == .without { return false }
        guard CPUFeatures.current.avx512f else { return false }
        var a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0
        guard unsafe __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 else { return false }
        return b >> 30 == 3 && c >> 11 & 1 == 1
        #else
        return false
        #endif
    }()
}
