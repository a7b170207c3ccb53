import HearthKernelTypes
import HearthKernels
import Testing

@Suite("KernelError")
struct KernelErrorTests {
    static let rows: [(KernelError, String)] = [
        (.noMatrices, "A product was set up without a matrix. Give at least one."),
        (.badShape(name: "w", rows: 0, columns: 4), "`w` has shape [0, 4]; both must be positive and their product must fit 63 bits. The file is damaged or of a kind that is not supported."),
        (.raggedRow(name: "w", type: .q4_k, columns: 100), "`w` has rows of 100 values; Q4_K needs a multiple of 256. Quantise the model to another type."),
        (.wrongByteCount(name: "w", type: .f16, rows: 2, columns: 3, actual: 11, expected: 12), "`w` has 11 bytes; [2, 3] in F16 needs 12. The file is cut short or damaged: fetch it again."),
        (.differentInputs(name: "k", columns: 5, firstName: "q", firstColumns: 6), "`k` reads 5 values; `q`, which is multiplied together with it, reads 6. Check that the file belongs to its architecture."),
        (.wrongInput(columns: 5, expected: 6), "The input is 5 values wide; the matrix reads 6."),
        (.tokensOutOfRange(tokens: 9, capacity: 8), "9 tokens were asked for; the buffer takes 1 to 8."),
        (.otherSet(actual: .portable, expected: .avx2), "Buffers were laid out for the kernel set `portable`; `avx2` is running. Load the model again with the set that is to run."),
        (.outOfMemory(bytes: 77), "77 bytes of memory could not be had. Close other programs or choose a smaller model or context."),
        (.noThread, "The system refuses a thread for the model. Close other programs, or raise the limit of processes or of memory (`ulimit -u`, `ulimit -v`)."),
        (.positionsOutOfRange(first: 120, count: 9, capacity: 128), "Positions 120 to 128 were asked for; there is room for 128. Raise the context length or shorten the prompt."),
        (.headsDoNotDivide(heads: 9, kvHeads: 2), "9 query heads cannot share 2 key heads evenly. The file is damaged or of a kind that is not supported."),
        (.cacheOfOtherShape(heads: 2, keyWidth: 8, valueWidth: 8, expectedHeads: 3, expectedKeyWidth: 16, expectedValueWidth: 32), "The cache holds 2 heads with keys of 8 and values of 8 numbers; attention reads 3 heads of 16 and 32. Make a cache for this model."),
        (.badRope(pairs: 0, positions: 9), "A rotary table of 0 pairs and 9 positions was asked for; both must be positive and positions at most 1048576. Lower the context length."),
        (.badRopeFrequencies(base: 10000, width: 7, scale: 1, factors: 3), "Rotary frequencies of base 10000.0, width 7, scale 1.0 and 3 factors cannot be made: base, scale and factors must be positive, the width even, and there must be no factors or one per pair. The file is damaged."),
        (.ropeTooWide(pairs: 40, headWidth: 64), "80 numbers of each head were to be rotated; a head has 64. The file is damaged or of a kind that is not supported."),
        (.unknownKernelSet(name: "avx9"), "`avx9` is no kernel set. Use reference, portable, avx2, or leave it out for the best one."),
        (.kernelSetNotExecutable(name: "avx2", features: ["avx", "f16c"]), "The kernel set `avx2` needs avx2, fma and f16c; this processor has avx, f16c. Use `portable`."),
        (.kernelSetNotExecutable(name: "avx2", features: []), "The kernel set `avx2` needs avx2, fma and f16c; this processor has none of them. Use `portable`."),
        (.scratchTooSmall(heads: 9, keyWidth: 64, valueWidth: 32), "The memory for attention was not made for 9 heads with keys of 64 and values of 32 numbers. Make it for the shapes of all layers."),
        (
            .notFinite(name: "w", row: 3),
            "`w` holds infinity or NaN in row 3, which cannot be quantised. The file is damaged: fetch it again."
        ),
        (.blas(words: "No."), "No."),
    ]

    @Test("each cause says what happened, where, and what to do", arguments: rows)
    func words(error: KernelError, text: String) { #expect(error.description == text) }

    @Test("T-86 a set is chosen by the option, then the environment, then the processor; what cannot run is refused")
    func choice() throws {
        let old = CPUFeatures(avx: true, f16c: true)
        let new = CPUFeatures(avx: true, avx2: true, fma: true, f16c: true)
        #expect(try KernelSet.choose(explicit: nil, environment: nil, features: new) == .avx2)
        #expect(try KernelSet.choose(explicit: nil, environment: "", features: old) == .portable)
        #expect(try KernelSet.choose(explicit: nil, environment: "reference", features: new) == .reference)
        #expect(try KernelSet.choose(explicit: "portable", environment: "reference", features: new) == .portable)
        #expect(throws: KernelError.unknownKernelSet(name: "avx9")) {
            try KernelSet.choose(explicit: "avx9", environment: nil, features: new)
        }
        #expect(throws: KernelError.unknownKernelSet(name: "AVX2")) {
            try KernelSet.choose(explicit: nil, environment: "AVX2", features: new)
        }
        #expect(throws: KernelError.kernelSetNotExecutable(name: "avx2", features: ["avx", "f16c"])) {
            try KernelSet.choose(explicit: nil, environment: "avx2", features: old)
        }
    }
}
