import HearthKernelTypes
import HearthKernels
import Synchronization
import Testing

@Suite("Products on the BLAS")
struct BLASProductTests {
    @Test("every type agrees with the sum of products, and is counted", arguments: runnableSets, ElementType.allCases)
    func product(_ set: KernelSet, _ type: ElementType) throws {
        // More rows than a panel has (256), so that two workers share them.
        let (rows, columns, tokens) = type.blockLength == 256 ? (300, 512, 3) : (300, 96, 5)
        let matrix = TestMatrix(type, rows: rows, columns: columns)
        let compute = Compute(set: set, threads: 2, backend: .blas)
        let linear = try matrix.linear(compute)
        let x = randomInput(tokens: tokens, columns: columns)
        let actual = try compute.product(linear, x)
        #expect(compute.counters.blasProducts.load(ordering: .relaxed) == 1)
        let weights = try matrix.decoded()
        for t in 0..<tokens {
            for r in [0, 1, 255, 256, 299] {
                let terms = (0..<columns).map { Double(weights[r][$0]) * Double(x[t][$0]) }
                let expected = terms.reduce(0, +)
                // A sum of n terms in any order errs by at most n roundings of the sum of magnitudes.
                let tolerance = Double(columns) * 0x1p-24 * terms.reduce(0) { $0 + abs($1) }
                if !(abs(Double(actual[t][r]) - expected) <= tolerance) && expected.isFinite {
                    Issue.record("\(set) \(type) token \(t) row \(r): \(actual[t][r]), expected \(expected) within \(tolerance)")
                }
            }
        }
    }

    @Test("left to itself, only the portable set's large batches of float weights go to the BLAS", arguments: runnableSets)
    func table(_ set: KernelSet) throws {
        let compute = Compute(set: set, threads: 1)
        for (type, rows, tokens, isBLAS) in [
            (ElementType.f32, 64, 64, true), (.bf16, 64, 32, true), (.f16, 64, 31, false), (.f16, 8, 64, false), (.q4_1, 64, 512, false),
        ] {
            let linear = try TestMatrix(type, rows: rows, columns: 32).linear(compute)
            #expect(compute.usesBLAS(linear, tokens: tokens) == (isBLAS && set == .portable), "\(type) \(rows) \(tokens)")
        }
    }

    @Test("one token, and every product of the native backend, stay on our kernels")
    func choice() throws {
        let matrix = TestMatrix(.f32, rows: 16, columns: 32)
        for (backend, tokens, products) in [(Backend.blas, 1, 0), (.blas, 2, 1), (.native, 64, 0)] {
            let compute = Compute(set: .portable, threads: 1, backend: backend)
            let linear = try matrix.linear(compute)
            _ = try compute.product(linear, randomInput(tokens: tokens, columns: 32))
            #expect(compute.counters.blasProducts.load(ordering: .relaxed) == products, "\(backend) \(tokens)")
            #expect(compute.usesBLAS(linear, tokens: tokens) == (products == 1))
        }
    }
}
