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
        /// Reference: keeps the file mapped.
        let owner: (any AnyObject & Sendable)?

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
        let place = try keepsFile ? nil : unsafe compute.arena.take(total)
        memory = unsafe place?.owner
        var parts: [Part] = []
        for (source, (rowBytes, offset)) in zip(sources, places) {
            let base = unsafe place.map { unsafe UnsafeRawPointer($0.base + offset) } ?? source.bytes.baseAddress!
            parts.append(
                unsafe Part(
                    type: source.type, rows: source.rows, rowBytes: rowBytes,
                    firstOutput: parts.last.map { $0.firstOutput + $0.rows } ?? 0,
                    firstGroup: parts.last.map { $0.firstGroup + $0.groups } ?? 0,
                    base: base, owner: keepsFile ? source.owner : nil))
        }
        self.parts = parts
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

/// Re-lays one matrix, groups divided among the workers.
@safe struct Relay {
    let type: ElementType
    let rows: Int
    let columns: Int
    let rowBytes: Int
    let source: UnsafeRawPointer
    let target: UnsafeMutableRawPointer

    /// Groups of one chunk: some 256 KB, a fraction of a millisecond's work; whole bundles.
    private var chunkGroups: Int { (max(1, 262_144 / (rowBytes * 8)) + 3) & ~3 }

    /// Groups between two times that the file's pages are given back: 8 MB, so that no more than that is in memory twice, and the
    /// hand-over and the system call cost nothing beside it.
    private var stretchGroups: Int { max(1, (8 << 20) / (rowBytes * 8) / chunkGroups) * chunkGroups }

    func run(on compute: Compute, discard: ((Range<Int>) -> Void)?) {
        let groups = (rows + 7) / 8
        for first in stride(from: 0, to: groups, by: stretchGroups) {
            let end = min(first + stretchGroups, groups)
            run(on: compute, first..<end)
            discard?(first * 8 * rowBytes..<min(end * 8, rows) * rowBytes)
        }
    }

    /// - Parameter groups: of whole chunks, but for the last.
    private func run(on compute: Compute, _ groups: Range<Int>) {
        var job = (relay: self, firstChunk: groups.lowerBound / chunkGroups)
        unsafe withUnsafePointer(to: &job) { pointer in
            unsafe compute.pool.run(
                chunks: (groups.count + chunkGroups - 1) / chunkGroups, workers: compute.threads,
                context: UnsafeRawPointer(pointer)
            ) { context, chunk, _ in
                let (job, firstChunk) = unsafe context.assumingMemoryBound(to: (relay: Relay, firstChunk: Int).self).pointee
                let first = (firstChunk + chunk) * job.chunkGroups * 8
                let (groups, groupBytes) = ((job.rows + 7) / 8, job.rowBytes * 8)
                if first + job.chunkGroups * 8 > job.rows {
                    // The rows that fill the last group up are zeros, whose products are 0.
                    let last = MatrixLayout.bundle(job.type, of: groups - 1, groups: groups)
                    unsafe (job.target + last.first * groupBytes).initializeMemory(
                        as: UInt8.self, repeating: 0, count: last.count * groupBytes)
                }
                for row in first..<min(first + job.chunkGroups * 8, job.rows) {
                    let bundle = MatrixLayout.bundle(job.type, of: row / 8, groups: groups)
                    unsafe layRow(
                        job.type, job.source + row * job.rowBytes, columns: job.columns, place: row - bundle.first * 8,
                        across: bundle.count * 8, into: job.target + bundle.first * groupBytes)
                }
            }
        }
    }
}
