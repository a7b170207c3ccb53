#if canImport(Accelerate)
internal import Accelerate
#else
internal import COpenBLAS
#endif

/// Matrix products of a BLAS: Accelerate where it can be imported, else OpenBLAS. Knows nothing of weights' layouts or threads:
/// each call runs on the thread that makes it, so our own pool can share out panels.
package enum BLAS {
    /// `c[i, j] = sum over p of a[i, p] * b[j, p]`: a is `[m, k]`, b is `[n, k]`, c is `[m, n]`, rows `lda`, `ldb` and `ldc` apart.
    package static func multiply(
        m: Int, n: Int, k: Int, _ a: UnsafePointer<Float>, lda: Int, _ b: UnsafePointer<Float>, ldb: Int,
        into c: UnsafeMutablePointer<Float>, ldc: Int
    ) throws(BLASError) {
        for (name, size) in [("m", m), ("n", n), ("k", k), ("lda", lda), ("ldb", ldb), ("ldc", ldc)]
        where size < 0 || size > Int(Int32.max) { throw .sizeOutOfRange(name: name, size: size) }
        guard lda >= k, ldb >= k, ldc >= n else { throw .rowsOverlap(lda: lda, ldb: ldb, ldc: ldc, k: k, n: n) }
        guard m > 0, n > 0 else { return }
        _ = oneThread
        unsafe cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasTrans, Int32(m), Int32(n), Int32(k), 1, a, Int32(lda), b, Int32(ldb), 0, c,
            Int32(ldc))
    }

    /// `OpenBLAS 0.3.21 ... Zen`, as `hearth doctor` shows it.
    package static var name: String {
        #if canImport(Accelerate)
        return "Accelerate"
        #else
        _ = oneThread
        let config = unsafe openblas_get_config().map { unsafe String(cString: $0) } ?? "OpenBLAS"
        let core = unsafe openblas_get_corename().map { unsafe String(cString: $0) } ?? ""
        return core.isEmpty || config.contains(core) ? config : config + " " + core
        #endif
    }

    /// OpenBLAS starts threads of its own otherwise; set once, at first use.
    private static let oneThread: Void = {
        #if !canImport(Accelerate)
        openblas_set_num_threads(1)
        #endif
    }()
}

/// What a BLAS is not asked for.
package enum BLASError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A size that the library's 32-bit interface cannot take.
    case sizeOutOfRange(name: String, size: Int)
    /// Rows that would run into each other.
    case rowsOverlap(lda: Int, ldb: Int, ldc: Int, k: Int, n: Int)

    package var description: String {
        switch self {
        case .sizeOutOfRange(let name, let size):
            "A matrix product was asked for with \(name) = \(size); the BLAS takes 0 to \(Int32.max). Use `--backend native`."
        case .rowsOverlap(let lda, let ldb, let ldc, let k, let n):
            "A matrix product was asked for with rows \(lda), \(ldb) and \(ldc) apart; rows of \(k), \(k) and \(n) numbers overlap. "
                + "Use `--backend native`."
        }
    }
}
