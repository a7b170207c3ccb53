import HearthKernelTypes
import HearthKernels

/// Which way batched products of each weight type go, for `hearth doctor` and `--stats`.
struct BackendPaths {
    let backend: Backend
    let set: KernelSet

    /// A batch as a prompt is read in, and a matrix of a usual size: what the table of `auto` is asked with.
    private static let tokens = 64, rows = 1024

    func path(_ type: ElementType) -> Backend {
        switch backend {
        case .native: .native
        case .blas: .blas
        case .auto: BLASTable.isFaster(type, rows: Self.rows, tokens: Self.tokens, set: set) ? .blas : .native
        }
    }

    /// `blas for F32, F16; native for the others`
    var text: String {
        let onBLAS = ElementType.allCases.filter { path($0) == .blas }.map(\.name)
        if onBLAS.isEmpty { return "native for every type" }
        if onBLAS.count == ElementType.allCases.count { return "blas for every type" }
        return "blas for \(onBLAS.joined(separator: ", ")); native for the others"
    }
}
