#if arch(x86_64)
internal import CIntrinsics
#endif

/// What the processor and the system beneath us can execute.
///
/// A feature counts when the processor reports it (cpuid), the system saves the registers it uses (OSXSAVE and the size of
/// the enabled state), and the kernel does not hide it (its flags in `/proc/cpuinfo`, where they can be read).
package struct CPUFeatures: Sendable, Hashable {
    package var avx = false
    package var avx2 = false
    package var fma = false
    package var f16c = false
    package var avx512f = false

    package init(avx: Bool = false, avx2: Bool = false, fma: Bool = false, f16c: Bool = false, avx512f: Bool = false) {
        self.avx = avx
        self.avx2 = avx2
        self.fma = fma
        self.f16c = f16c
        self.avx512f = avx512f
    }

    /// This machine's, read once.
    package static let current = CPUFeatures(CPUIDReading.live, kernelFlags: CPUIDReading.kernelFlags())

    /// Features from registers and flags, with nothing read here.
    package init(_ reading: CPUIDReading, kernelFlags: Set<String>?) {
        func kernelAllows(_ flag: String) -> Bool { kernelFlags.map { $0.contains(flag) } ?? true }
        // Intel's manual, volume 2, CPUID: leaf 1 ECX 12 FMA, 27 OSXSAVE, 28 AVX, 29 F16C; leaf 7 EBX 5 AVX2, 16 AVX-512F;
        // leaf 13 EBX: bytes of the state that XCR0 enables, 576 for x87 and SSE, 832 and more with the upper halves of YMM.
        let ymmIsSaved = reading.leaf1ecx >> 27 & 1 == 1 && reading.leaf13ebx >= 832
        avx = ymmIsSaved && reading.leaf1ecx >> 28 & 1 == 1 && kernelAllows("avx")
        fma = avx && reading.leaf1ecx >> 12 & 1 == 1 && kernelAllows("fma")
        f16c = avx && reading.leaf1ecx >> 29 & 1 == 1 && kernelAllows("f16c")
        avx2 = avx && reading.leaf7ebx >> 5 & 1 == 1 && kernelAllows("avx2")
        avx512f = avx2 && reading.leaf13ebx >= 2432 && reading.leaf7ebx >> 16 & 1 == 1 && kernelAllows("avx512f")
    }

    /// Names in the order of the fields, as `hearth doctor` prints them.
    package var names: [String] {
        [("avx", avx), ("avx2", avx2), ("fma", fma), ("f16c", f16c), ("avx512f", avx512f)].filter(\.1).map(\.0)
    }
}

/// The registers that `CPUFeatures` looks at; zeros where a processor does not know the leaf.
package struct CPUIDReading: Sendable {
    package var leaf1ecx: UInt32
    package var leaf7ebx: UInt32
    package var leaf13ebx: UInt32

    package init(leaf1ecx: UInt32, leaf7ebx: UInt32, leaf13ebx: UInt32) {
        self.leaf1ecx = leaf1ecx
        self.leaf7ebx = leaf7ebx
        self.leaf13ebx = leaf13ebx
    }

    static var live: CPUIDReading {
        #if arch(x86_64)
        func leaf(_ number: UInt32) -> (ebx: UInt32, ecx: UInt32) {
            var a: UInt32 = 0, b: UInt32 = 0, c: UInt32 = 0, d: UInt32 = 0
            // Returns 0 where the processor's highest leaf is below `number`.
            guard unsafe __get_cpuid_count(number, 0, &a, &b, &c, &d) != 0 else { return (0, 0) }
            return (b, c)
        }
        return CPUIDReading(leaf1ecx: leaf(1).ecx, leaf7ebx: leaf(7).ebx, leaf13ebx: leaf(13).ebx)
        #else
        return CPUIDReading(leaf1ecx: 0, leaf7ebx: 0, leaf13ebx: 0)
        #endif
    }

    /// The first processor's `flags` line, or nil where there is none to read.
    static func kernelFlags() -> Set<String>? {
        guard let text = SystemFile.text("/proc/cpuinfo") else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix("flags") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            return Set(line[line.index(after: colon)...].split(separator: " ").map(String.init))
        }
        return nil
    }
}
