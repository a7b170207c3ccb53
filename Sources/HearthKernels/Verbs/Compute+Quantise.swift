package import HearthKernelTypes
internal import HearthKernelsPortable

extension Compute {
    /// Types that a matrix can be brought into.
    package static var quantisedTypes: [ElementType] { quantisedTargets }

    /// The matrix in another type, in memory of its own. Rows are divided among the workers; each row's result is its own.
    /// - Parameter type: one of `quantisedTypes`, whose blocks fit the rows.
    /// - Throws: `KernelError`, `.notFinite` where a value has no code.
    package func quantised(_ source: WeightSource, to type: ElementType) throws(KernelError) -> WeightSource {
        let sourceBytes = try source.checkedRowBytes()
        guard quantisedTargets.contains(type), source.columns % type.blockLength == 0,
            let rowBytes = type.byteCount(of: source.columns),
            case let (total, overflow) = rowBytes.multipliedReportingOverflow(by: source.rows), !overflow
        else { throw .raggedRow(name: source.name, type: type, columns: source.columns) }
        let memory = try AlignedMemory(byteCount: total, zeroed: false)
        let step = unsafe QuantiseStep(
            from: source.type, to: type, columns: source.columns, sourceBytes: sourceBytes, targetBytes: rowBytes,
            source: source.bytes.baseAddress!, target: memory.base)
        let failed = UnsafeMutablePointer<Bool>.allocate(capacity: source.rows)
        defer { unsafe failed.deallocate() }
        unsafe failed.initialize(repeating: false, count: source.rows)
        // Some 64 thousand values: far more work than taking a chunk.
        unsafe run((step, failed), items: source.rows, perChunk: max(1, 65_536 / source.columns)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<(QuantiseStep, UnsafeMutablePointer<Bool>)>.self)
            let (step, failed) = unsafe split.pointee.step
            let range = unsafe split.pointee.range(chunk)
            unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: step.columns) { row in
                for index in range.first..<range.first + range.count {
                    unsafe failed[index] = !step.run(row: index, through: row.baseAddress!)
                }
            }
        }
        for row in 0..<source.rows where unsafe failed[row] { throw .notFinite(name: source.name, row: row) }
        return unsafe WeightSource(
            name: source.name, type: type, rows: source.rows, columns: source.columns,
            bytes: UnsafeRawBufferPointer(start: memory.base, count: total), owner: memory)
    }
}

/// One matrix on its way to another type.
@safe private struct QuantiseStep {
    let from: ElementType
    let to: ElementType
    let columns: Int
    let sourceBytes: Int
    let targetBytes: Int
    let source: UnsafeRawPointer
    let target: UnsafeMutableRawPointer

    /// False where a value of the row is not finite.
    func run(row: Int, through values: UnsafeMutablePointer<Float>) -> Bool {
        unsafe decodeBlocks(from, source + row * sourceBytes, columns, into: values)
        guard unsafe areFinite(values, columns) else { return false }
        unsafe quantiseBlocks(to, values, columns, into: target + row * targetBytes)
        return true
    }
}
