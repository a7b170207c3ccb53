import HearthKernelTypes
import HearthKernels
import HearthKernelsPortable
import Testing

@Suite("Matrix products")
struct MultiplyTests {
    /// Rows around a group of 8, tokens around a tile of 4.
    static let rows = [1, 8, 19, 40]
    static let tokens = [1, 2, 4, 7, 9]

    @Test(
        "a fast kernel gives the bits of its plain twin, whatever the rows and tokens",
        arguments: fastSets, quantisedTypes)
    func twin(_ set: KernelSet, _ type: ElementType) throws {
        try compareWithTwin(Compute(set: set, threads: 2, usesVNNI: false, usesSSSE3: false), type)
    }

    @Test(
        "T-86 products of the portable set on SSSE3 give the bits of the plain twin, and so of its other kernels",
        .enabled(if: Compute.processorHasSSSE3, "this processor has no SSSE3"), arguments: quantisedTypes)
    func twinOnSSSE3(_ type: ElementType) throws {
        try compareWithTwin(Compute(set: .portable, threads: 2, usesSSSE3: true), type)
    }

    @Test(
        "T-86 products of many tokens on AVX-512 VNNI give the bits of the plain twin, and so of AVX2",
        .enabled(if: Compute.processorHasVNNI, "this processor has no AVX-512 VNNI"), arguments: quantisedTypes)
    func twinOnVNNI(_ type: ElementType) throws {
        try compareWithTwin(Compute(set: .avx2, threads: 2, usesVNNI: true), type)
    }

    private func compareWithTwin(_ compute: Compute, _ type: ElementType) throws {
        // Rows of 1, 2, 3 and 5 blocks, and one longer than what a kernel takes at a time (768 and 1,536 columns).
        for (columns, rows) in [(1, 40), (2, 19), (3, 8), (5, 1), (1792 / type.blockLength, 11)] {
            let matrix = TestMatrix(type, rows: rows, columns: columns * type.blockLength, seed: UInt64(columns))
            let linear = try matrix.linear(compute)
            for tokens in Self.tokens {
                let x = randomInput(tokens: tokens, columns: matrix.columns)
                let products = try compute.product(linear, x)
                for t in 0..<tokens {
                    let codes = PlainActivations(x[t])
                    for r in 0..<rows {
                        let plain = plainProduct(type, matrix.row(r), codes, fused: compute.set == .avx2)
                        #expect(
                            products[t][r].bitPattern == plain.bitPattern,
                            "\(rows) x \(matrix.columns), token \(t) of \(tokens), row \(r): \(products[t][r]), plain \(plain)")
                    }
                }
            }
        }
    }

    @Test(
        "T-86 rows around the 1,536 columns of a part have the bits of AVX2 and of one token at a time, beyond 256 tokens too",
        .enabled(if: Compute.processorHasVNNI, "this processor has no AVX-512 VNNI"), arguments: quantisedTypes)
    func longRows(_ type: ElementType) throws {
        let narrow = Compute(set: .avx2, threads: 2, usesVNNI: false), wide = Compute(set: .avx2, threads: 2, usesVNNI: true)
        for columns in [1504, 1536, 1568, 1792, 3104, 3328] where columns % type.blockLength == 0 {
            let matrix = TestMatrix(type, rows: 41, columns: columns, seed: UInt64(columns))
            let (plain, parted) = (try matrix.linear(narrow), try matrix.linear(wide))
            let x = randomInput(tokens: 259, columns: columns)
            let all = try wide.product(parted, x), expected = try narrow.product(plain, x)
            for t in 0..<x.count {
                #expect(all[t].map(\.bitPattern) == expected[t].map(\.bitPattern), "\(columns) columns, token \(t)")
            }
            for t in [0, 5, 128, 255, 256, 258] {
                #expect(try wide.product(parted, [x[t]])[0].map(\.bitPattern) == all[t].map(\.bitPattern), "\(columns), \(t)")
            }
        }
    }

    @Test("float weights are summed in the order of the columns, in every fast set", arguments: fastSets, floatTypes)
    func floatTwin(_ set: KernelSet, _ type: ElementType) throws {
        try compareFloatsWithTwin(Compute(set: set, threads: 2, usesVNNI: false), type)
    }

    @Test(
        "T-86 float weights on AVX-512 are summed in the order of the columns, and so as on AVX2",
        .enabled(if: Compute.processorHasVNNI, "this processor has no AVX-512 VNNI"), arguments: floatTypes)
    func floatTwinOnAVX512(_ type: ElementType) throws {
        try compareFloatsWithTwin(Compute(set: .avx2, threads: 2, usesVNNI: true), type)
    }

    private func compareFloatsWithTwin(_ compute: Compute, _ type: ElementType) throws {
        // Bundles of 1, 2, 3 and 4 groups, and more columns than a wide kernel takes at a time (192).
        for (columns, rows) in [(33, 40), (64, 19), (160, 8), (1, 1), (401, 43), (194, 64)] {
            let matrix = TestMatrix(type, rows: rows, columns: columns)
            let linear = try matrix.linear(compute)
            let weights = try matrix.decoded()
            for index in 0..<rows {
                #expect(linear.decodedRow(index).map(\.bitPattern) == weights[index].map(\.bitPattern), "row \(index) of \(rows)")
            }
            // Wide tiles of 12 are used from 96 tokens on.
            for tokens in compute.usesVNNI ? [95, 96, 109] : Self.tokens {
                let x = randomInput(tokens: tokens, columns: columns)
                let products = try compute.product(linear, x)
                for t in 0..<tokens {
                    for r in 0..<rows {
                        var plain: Float = 0
                        for k in 0..<columns {
                            plain =
                                compute.set == .avx2
                                ? plain.addingProduct(weights[r][k], x[t][k]) : plain + weights[r][k] * x[t][k]
                        }
                        // A sum with a NaN is one in both; its bits are not promised.
                        #expect(
                            products[t][r].bitPattern == plain.bitPattern || plain.isNaN && products[t][r].isNaN,
                            "\(rows) x \(columns), token \(t) of \(tokens), row \(r): \(products[t][r]), plain \(plain)")
                    }
                }
            }
        }
    }

    @Test("every set is as near to the exact product as its arithmetic allows", arguments: runnableSets, ElementType.allCases)
    func nearExact(_ set: KernelSet, _ type: ElementType) throws {
        let compute = Compute(set: set, threads: 1)
        let columns = type.blockLength == 1 ? 200 : 512
        let matrix = TestMatrix(type, rows: 24, columns: columns)
        let weights = try matrix.decoded()
        let x = randomInput(tokens: 5, columns: columns)
        let products = try compute.product(try matrix.linear(compute), x)
        for t in 0..<5 {
            for r in 0..<24 where weights[r].allSatisfy(\.isFinite) {
                var (exact, bound) = (0.0, 0.0)
                for b in stride(from: 0, to: columns, by: 32) {
                    let block = b..<min(b + 32, columns)
                    // Activations are off by half a step; Float32 by a relative 2^-24 at each of the sum's steps,
                    // which see (offset and scale apart) at most 64 times a block's greatest product.
                    let greatest = block.map { abs(Double(x[t][$0])) }.max()!
                    let most = block.map { abs(Double(weights[r][$0])) }.max()!
                    for k in block { exact += Double(weights[r][k]) * Double(x[t][k]) }
                    if type.blockLength > 1, set != .reference { bound += 32 * most * greatest / 254 }
                    bound += 64 * most * greatest * Double(columns) * 0x1p-24
                }
                #expect(abs(Double(products[t][r]) - exact) <= bound, "token \(t), row \(r), bound \(bound)")
            }
        }
    }

    @Test("bits depend neither on threads nor on how tokens are cut", arguments: runnableSets, ElementType.allCases)
    func sameBits(_ set: KernelSet, _ type: ElementType) throws {
        let columns = type.blockLength == 1 ? 70 : 256
        let matrix = TestMatrix(type, rows: 100, columns: columns)
        let x = randomInput(tokens: 13, columns: columns)
        let one = Compute(set: set, threads: 1)
        let whole = try one.product(try matrix.linear(one), x).map { $0.map(\.bitPattern) }
        for threads in [1, 2, 3] {
            let compute = Compute(set: set, threads: threads)
            let linear = try matrix.linear(compute)
            for cut in [1, 5, 8, 13] {
                var start = 0
                while start < 13 {
                    let part = Array(x[start..<min(start + cut, 13)])
                    let products = try compute.product(linear, part).map { $0.map(\.bitPattern) }
                    #expect(products == Array(whole[start..<start + part.count]), "\(threads) threads, \(cut) tokens")
                    start += cut
                }
            }
        }
    }

    @Test("several matrices of different types are multiplied at once, outputs side by side", arguments: runnableSets)
    func parts(_ set: KernelSet) throws {
        let compute = Compute(set: set, threads: 2)
        let matrices = [
            TestMatrix(.q4_k, rows: 17, columns: 256), TestMatrix(.q6_k, rows: 9, columns: 256),
            TestMatrix(.f16, rows: 5, columns: 256), TestMatrix(.q8_0, rows: 30, columns: 256),
        ]
        let joined = try Linear(matrices.map { $0.source() }, compute: compute)
        #expect(joined.outputs == 61)
        for tokens in [1, 6] {
            let x = randomInput(tokens: tokens, columns: 256)
            let products = try compute.product(joined, x)
            let apart = try matrices.map { try compute.product(try $0.linear(compute), x) }
            for t in 0..<tokens {
                #expect(products[t].map(\.bitPattern) == apart.flatMap { $0[t] }.map(\.bitPattern))
            }
        }
        let rows = try matrices.flatMap { try $0.decoded() }
        for (index, row) in rows.enumerated() {
            #expect(joined.decodedRow(index).map(\.bitPattern) == row.map(\.bitPattern), "row \(index)")
        }
    }

    @Test("re-laid bytes are at most 2 percent more than the file's", arguments: ElementType.allCases)
    func size(_ type: ElementType) throws {
        let matrix = TestMatrix(type, rows: 576, columns: 512)
        let linear = try matrix.linear(Compute(set: .portable, threads: 1))
        #expect(linear.byteCount >= matrix.bytes.count && linear.byteCount * 100 <= matrix.bytes.count * 102)
    }
}
