internal import HearthKernelTypes
internal import HearthKernelsPortable

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
