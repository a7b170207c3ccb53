import HearthBLAS
import Testing

@Suite("BLAS")
struct BLASTests {
    @Test("a product of every shape is the sum of products, with rows apart")
    func product() throws {
        for (m, n, k) in [(1, 1, 1), (3, 5, 7), (64, 33, 100), (17, 64, 576)] {
            var numbers = Numbers(seed: UInt64(m * n * k))
            let a = numbers.array(m * (k + 3)), b = numbers.array(n * (k + 1))
            let left = Buffer(a), right = Buffer(b), out = Buffer([Float](repeating: -7, count: m * (n + 2)))
            try unsafe BLAS.multiply(m: m, n: n, k: k, left.pointer, lda: k + 3, right.pointer, ldb: k + 1, into: out.pointer, ldc: n + 2)
            let c = out.array
            for i in 0..<m {
                for j in 0..<n {
                    let expected = (0..<k).reduce(0.0) { $0 + Double(a[i * (k + 3) + $1]) * Double(b[j * (k + 1) + $1]) }
                    // k products and sums of numbers below 1 in any order: at most k roundings of a partial sum below k, in practice
                    // of one about the square root of k.
                    let tolerance = Double(k) * Double(k).squareRoot() * 0x1p-24 + 1e-7
                    #expect(abs(Double(c[i * (n + 2) + j]) - expected) <= tolerance)
                }
                #expect(c[i * (n + 2) + n] == -7 && c[i * (n + 2) + n + 1] == -7)
            }
        }
    }

    @Test("sizes that the interface cannot take are refused in words", arguments: [
        (BLASError.sizeOutOfRange(name: "k", size: 1 << 40), "A matrix product was asked for with k = 1099511627776; the BLAS takes 0 to 2147483647. Use `--backend native`."),
        (.rowsOverlap(lda: 3, ldb: 4, ldc: 1, k: 4, n: 1), "A matrix product was asked for with rows 3, 4 and 1 apart; rows of 4, 4 and 1 numbers overlap. Use `--backend native`."),
    ])
    func errors(error: BLASError, words: String) {
        #expect(error.description == words)
        let x = Buffer(count: 4), k = if case .sizeOutOfRange(_, let size) = error { size } else { 4 }
        #expect(throws: error) {
            try unsafe BLAS.multiply(m: 1, n: 1, k: k, x.pointer, lda: min(k, 3), x.pointer, ldb: 4, into: x.pointer, ldc: 1)
        }
    }

    @Test("the library has a name")
    func name() { #expect(!BLAS.name.isEmpty) }
}
