internal import HearthKernelTypes

/// The input of matrix products: `[capacity, columns]` Float32, allocated once.
///
/// Whoever writes `values` says so with `changed()`; the quantised twin is then made again by the first product that
/// reads it, once for all readers. One thread uses it at a time.
@safe package final class Activations {
    package let capacity: Int
    package let columns: Int
    /// `[capacity, columns]`, row after row.
    package let values: UnsafeMutablePointer<Float>
    private let memory: AlignedMemory
    /// The quantised twin in tiles (`MatrixLayout`); nothing where the columns are no whole number of blocks.
    let tiles: AlignedMemory
    /// Scratch for unpacked weights, one part a worker.
    let panels: AlignedMemory
    /// Scratch for weights in Float32 on their way to a BLAS, one part a worker; made by the first such product.
    var floatPanels: AlignedMemory?
    /// The set whose kernels read the twin.
    let set: KernelSet
    /// Whether the portable set's twin is one of bytes, as SSSE3 reads them.
    let usesSSSE3: Bool
    /// Workers that `panels` has room for.
    let workers: Int
    /// Float32 tiles of the wide kernels of float weights; made by the first such product.
    var floatTiles: AlignedMemory?
    /// How many tokens of those are up to date.
    var floatTokens = 0
    /// How many tokens of the twin are up to date, and the tokens of one tile. Whoever changes the values sets it.
    var packedTokens = 0 { didSet { floatTokens = 0 } }
    var packedWidth = 0

    package init(capacity: Int, columns: Int, compute: Compute) throws(KernelError) {
        guard capacity > 0, columns > 0,
            case let (count, overflow) = capacity.multipliedReportingOverflow(by: columns), !overflow, count < 1 << 56
        else { throw .badShape(name: "activations", rows: capacity, columns: columns) }
        self.capacity = capacity
        self.columns = columns
        set = compute.set
        usesSSSE3 = compute.usesSSSE3
        workers = compute.threads
        memory = try AlignedMemory(byteCount: count * 4)
        let tile = capacity == 1 ? 1 : (capacity + 3) & ~3
        tiles = try AlignedMemory(byteCount: MatrixLayout.tileBytes(columns: columns, tokens: tile, set: compute.set))
        panels = try AlignedMemory(byteCount: workers * Activations.panelBytes(columns))
        unsafe values = unsafe memory.base.bindMemory(to: Float.self, capacity: count)
    }

    /// The values of one token.
    package subscript(token: Int) -> UnsafeMutablePointer<Float> {
        precondition(token >= 0 && token < capacity)
        return unsafe values + token * columns
    }

    /// To be called after writing `values` and before the next product.
    package func changed() { packedTokens = 0 }

    /// Whole cache lines, so that workers do not share one.
    static func panelBytes(_ columns: Int) -> Int { (MatrixLayout.panelBytes(columns: columns) + 63) & ~63 }
}
