import HearthKernelTypes
import HearthKernels
import Testing

@Suite("InnerLoop")
struct InnerLoopTests {
    /// Every way of computing that this processor has, the ones without the newer instructions among them.
    static let computes: [Compute] = fastSets.flatMap { set in
        [true, false].map { wide in
            Compute(
                set: set, threads: 2, backend: .native, usesVNNI: wide && Compute.processorHasVNNI,
                usesSSSE3: wide && Compute.processorHasSSSE3)
        }
    }

    @Test("what is repeated gives a product's bits, and the sum shows that nothing was left out", arguments: ElementType.allCases)
    func bits(_ type: ElementType) throws {
        for compute in Self.computes {
            for tokens in [4, 8, 256] {
                let kernel = try #require(compute.tileKernel(for: type, tokens: tokens))
                let loop = try InnerLoop(type, kernel: kernel, compute: compute)
                #expect(loop.isRight)
                // More repetitions than the tile of 8 tokens has places, and no whole number of rounds.
                let repetitions = [TileKernel.vnni, .wideFloats].contains(kernel) ? 300 : 2
                let sum = loop.run(chunks: 3, repetitions: repetitions)
                #expect(sum == loop.expected(chunks: 3, repetitions: repetitions), "\(kernel)")
                #expect(loop.isRight, "\(kernel)")
                // One repetition less is another sum.
                #expect(sum != loop.expected(chunks: 3, repetitions: repetitions - 1))
            }
        }
    }

    @Test("operations are two for each row, column and token of a repetition")
    func operations() throws {
        for compute in Self.computes {
            for (type, kernels) in [
                (ElementType.q4_k, [TileKernel.vnni: 16 * 768 * 8, .avx2: 16 * 768 * 256, .ssse3: 16 * 768 * 256, .portable: 16 * 768 * 256]),
                (.f16, [.wideFloats: 16 * 192 * 12, .avx2: 16 * 256 * 256, .portable: 16 * 256 * 256]),
            ] {
                let kernel = try #require(compute.tileKernel(for: type, tokens: 256))
                #expect(try InnerLoop(type, kernel: kernel, compute: compute).operations == 2 * #require(kernels[kernel]))
            }
        }
    }

    @Test("one token, the reference and products on a BLAS have no loop of tiles")
    func none() {
        let compute = Compute(set: .portable, threads: 1)
        #expect(compute.tileKernel(for: .q4_0, tokens: 1) == nil)
        #expect(compute.tileKernel(for: .q4_0, tokens: 2) != nil)
        // `auto` gives floats of the portable set to the BLAS from 32 tokens on.
        #expect(compute.tileKernel(for: .f32, tokens: 31) == .portable)
        #expect(compute.tileKernel(for: .f32, tokens: 32) == nil)
        #expect(Compute(set: .portable, threads: 1, backend: .blas).tileKernel(for: .q4_0, tokens: 2) == nil)
        #expect(Compute(set: .reference, threads: 1).tileKernel(for: .q4_0, tokens: 2) == nil)
    }

    @Test("the kernels of the AVX2 set are chosen by type and tokens", .enabled(if: fastSets.contains(.avx2)))
    func choice() {
        let (wide, narrow) = (Compute(set: .avx2, threads: 1, usesVNNI: true), Compute(set: .avx2, threads: 1, usesVNNI: false))
        let cases: [(type: ElementType, tokens: Int, kernel: TileKernel)] = [
            (.q4_0, 4, .avx2), (.q4_0, 5, .vnni), (.q8_0, 2, .vnni), (.f16, 95, .avx2), (.f16, 96, .wideFloats),
        ]
        for (type, tokens, kernel) in cases {
            #expect(wide.tileKernel(for: type, tokens: tokens) == kernel)
            #expect(narrow.tileKernel(for: type, tokens: tokens) == .avx2)
        }
    }
}
