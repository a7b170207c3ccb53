package import HearthKernelTypes
internal import HearthKernelsPortable

/// One or more matrices that read the same input; their outputs lie side by side.
///
/// They are re-laid when this is made (design: groups of 8 rows, `MatrixLayout`), and the file's pages are given back on the way. The reference set keeps the file's own blocks instead.
@safe package final class Linear: Sendable {
    package let inputs: Int
    package let outputs: Int
    /// Bytes that one product with one token reads.
    package let byteCount: Int
    /// The set whose kernels read this.
    package let set: KernelSet
    let parts: [Part]
    /// The re-laid groups of all parts; none in the reference set.
    private let memory: AlignedMemory?
    /// Reference: what keeps the files mapped.
    private let owners: [any AnyObject & Sendable]

    /// Addresses and numbers only: copying one counts no reference.
    @safe struct Part: @unchecked Sendable {
        let type: ElementType
        let rows: Int
        let rowBytes: Int
        /// Index of the part's first output.
        let firstOutput: Int
        /// Index of its first group among those of all parts.
        let firstGroup: Int
        /// Re-laid: the first group. Reference: the file's first row.
        let base: UnsafeRawPointer

        var groups: Int { (rows + 7) / 8 }
        var groupBytes: Int { rowBytes * 8 }

        /// Where a row of the layout lies: its group (or bundle), the rows side by side there, and its place among them.
        func place(_ row: Int) -> (base: UnsafeRawPointer, across: Int, place: Int) {
            let bundle = MatrixLayout.bundle(type, of: row / 8, groups: groups)
            return unsafe (base + bundle.first * groupBytes, bundle.count * 8, row - bundle.first * 8)
        }
    }

    /// Groups of all parts.
    var groups: Int { parts.last.map { $0.firstGroup + $0.groups } ?? 0 }

    /// Whether any part multiplies quantised activations.
    let readsQuantised: Bool
    /// Whether any part of more than one group multiplies the values as they are.
    let readsFloats: Bool

    package init(_ sources: [WeightSource], compute: Compute) throws(KernelError) {
        guard let first = sources.first else { throw .noMatrices }
        // Check everything before memory is taken.
        var places: [(rowBytes: Int, offset: Int)] = []
        var total = 0
        for source in sources {
            guard source.columns == first.columns else {
                throw .differentInputs(
                    name: source.name, columns: source.columns, firstName: first.name, firstColumns: first.columns)
            }
            let rowBytes = try source.checkedRowBytes()
            places.append((rowBytes, total))
            // Each part starts on a cache line.
            let (end, overflow) = total.addingReportingOverflow((rowBytes * ((source.rows + 7) / 8 * 8) + 63) & ~63)
            guard !overflow else { throw .outOfMemory(bytes: Int.max) }
            total = end
        }
        let keepsFile = compute.set == .reference
        let place = try keepsFile ? nil : unsafe compute.arena.take(total, pool: compute.pool, threads: compute.threads)
        memory = unsafe place?.owner
        var parts: [Part] = []
        for (source, (rowBytes, offset)) in zip(sources, places) {
            let base = unsafe place.map { unsafe UnsafeRawPointer($0.base + offset) } ?? source.bytes.baseAddress!
            parts.append(
                unsafe Part(
                    type: source.type, rows: source.rows, rowBytes: rowBytes,
                    firstOutput: parts.last.map { $0.firstOutput + $0.rows } ?? 0,
                    firstGroup: parts.last.map { $0.firstGroup + $0.groups } ?? 0,
                    base: base))
        }
        self.parts = parts
        owners = keepsFile ? sources.map(\.owner) : []
        inputs = first.columns
        outputs = parts.reduce(0) { $0 + $1.rows }
        byteCount = keepsFile ? parts.reduce(0) { $0 + $1.rows * $1.rowBytes } : total
        set = compute.set
        readsQuantised = !keepsFile && parts.contains { MatrixLayout.readsQuantised($0.type) }
        readsFloats = !keepsFile && parts.contains { !MatrixLayout.readsQuantised($0.type) && $0.groups > 1 }
        if !keepsFile {
            for (source, part) in zip(sources, parts) {
                unsafe Relay(
                    type: part.type, rows: part.rows, columns: first.columns, rowBytes: part.rowBytes,
                    source: source.bytes.baseAddress!, target: UnsafeMutableRawPointer(mutating: part.base)
                ).run(on: compute, discard: source.discard)
            }
        }
    }

    /// Decodes one row (of all parts, in order) to `inputs` values: exactly those that the file's bytes stand for.
    package func row(_ index: Int, into output: UnsafeMutablePointer<Float>) {
        precondition(index >= 0 && index < outputs)
        let part = parts.last { $0.firstOutput <= index }!
        let row = index - part.firstOutput
        if set == .reference {
            unsafe decodeBlocks(part.type, part.base + row * part.rowBytes, inputs, into: output)
            return
        }
        let (base, across, place) = unsafe part.place(row)
        unsafe decodeRow(part.type, base, columns: inputs, place: place, across: across, into: output)
    }
}
