import HearthKernels
import HearthKernelTypes
import Testing

@Suite("CPUFeatures")
struct CPUFeaturesTests {
    @Test("T-86 the AVX2 set needs AVX2, FMA and F16C: none implies another", arguments: [
        (CPUFeatures(avx: true, avx2: true, fma: true, f16c: true, avx512f: true), KernelSet.avx2),
        (CPUFeatures(avx: true, avx2: true, fma: true, f16c: true), .avx2),
        (CPUFeatures(avx: true, avx2: true, fma: false, f16c: true), .portable),
        (CPUFeatures(avx: true, avx2: true, fma: true, f16c: false), .portable),
        (CPUFeatures(avx: true, avx2: false, fma: true, f16c: true), .portable),
        (CPUFeatures(avx: true, avx2: false, fma: false, f16c: true), .portable),
        (CPUFeatures(avx: true), .portable),
        (CPUFeatures(), .portable),
    ])
    func best(features: CPUFeatures, expected: KernelSet) {
        #expect(KernelSet.best(for: features) == expected)
        #expect(KernelSet.avx2.runs(on: features) == (expected == .avx2))
        #expect(KernelSet.portable.runs(on: features) && KernelSet.reference.runs(on: features))
    }

    /// Leaf 1 ECX of a processor with FMA (12), OSXSAVE (27), AVX (28) and F16C (29); leaf 7 EBX with AVX2 (5).
    static let full = CPUIDReading(leaf1ecx: 1 << 12 | 1 << 27 | 1 << 28 | 1 << 29, leaf7ebx: 1 << 5, leaf13ebx: 832)

    @Test("T-86 a feature counts only where the system saves its registers and the kernel shows it")
    func reading() {
        let all: Set<String> = ["fpu", "avx", "avx2", "fma", "f16c"]
        #expect(CPUFeatures(Self.full, kernelFlags: all).names == ["avx", "avx2", "fma", "f16c"])
        #expect(CPUFeatures(Self.full, kernelFlags: nil).names == ["avx", "avx2", "fma", "f16c"])
        #expect(CPUFeatures(Self.full, kernelFlags: all.subtracting(["fma"])).names == ["avx", "avx2", "f16c"])
        #expect(CPUFeatures(Self.full, kernelFlags: ["fpu"]).names == [])

        var noXSAVE = Self.full
        noXSAVE.leaf1ecx &= ~(1 << 27)
        #expect(CPUFeatures(noXSAVE, kernelFlags: all).names == [])

        var onlySSESaved = Self.full
        onlySSESaved.leaf13ebx = 576
        #expect(CPUFeatures(onlySSESaved, kernelFlags: all).names == [])

        #expect(CPUFeatures(CPUIDReading(leaf1ecx: 0, leaf7ebx: 0, leaf13ebx: 0), kernelFlags: all).names == [])
    }
}
