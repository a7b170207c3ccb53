import HearthKernels
import HearthKernelTypes
import Testing

@Suite struct AVX512WishTests {
    static let rows: [(word: String?, set: KernelSet, isUsed: Bool, reason: String)] = [
        (nil, .avx2, true, "the processor has it"),
        ("1", .avx2, true, "the processor has it"),
        ("", .avx2, false, "the processor lacks it, or a part of it"),
        (nil, .portable, false, "the portable kernels do without"),
        ("0", .avx2, false, "HEARTH_AVX512 is 0"),
        (
            "off", .avx2, true,
            "the processor has it; HEARTH_AVX512 is `off`, which is no word for it and changes nothing: 0 does without AVX-512, 1 or nothing uses it where the processor has it"
        ),
        (
            "00", .portable, false,
            "the portable kernels do without; HEARTH_AVX512 is `00`, which is no word for it and changes nothing: 0 does without AVX-512, 1 or nothing uses it where the processor has it"
        ),
    ]

    @Test("a word of HEARTH_AVX512 is followed, or named as one that is not understood", arguments: rows)
    func reasons(word: String?, set: KernelSet, isUsed: Bool, reason: String) {
        #expect(AVX512Wish(word).reason(set: set, isUsed: isUsed) == reason)
    }
}
