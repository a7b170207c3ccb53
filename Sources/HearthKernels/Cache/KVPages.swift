package import HearthKernelTypes

/// Memory for the keys and values of all layers, page after page, a page holding 128 positions of every layer.
///
/// The address range is reserved at once and the system gives memory when a page is first written, so a long context costs
/// what it uses and a step allocates nothing.
@safe package final class KVPages: @unchecked Sendable {
    /// Positions there is room for: what was asked for, in whole pages.
    package let capacity: Int
    package var byteCount: Int { memory.byteCount }
    /// Bytes of 128 positions of all layers.
    package let pageBytes: Int
    private let layouts: [KVLayout]
    private let offsets: [Int]
    private let memory: ReservedMemory
    private let pages: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let pageCount: Int

    package init(layouts: [KVLayout], positions: Int) throws(KernelError) {
        var offsets: [Int] = []
        var pageBytes = 0
        for layout in layouts {
            offsets.append(pageBytes)
            // Every layer begins on a cache line.
            let padded = (layout.pageBytes + 63) & ~63
            let (sum, overflow) = pageBytes.addingReportingOverflow(padded)
            guard !overflow else { throw .outOfMemory(bytes: Int.max) }
            pageBytes = sum
        }
        guard positions > 0, !layouts.isEmpty else {
            throw .positionsOutOfRange(first: 0, count: positions, capacity: 0)
        }
        let pageCount = (positions - 1) / KVLayout.pagePositions + 1
        let (bytes, overflow) = pageBytes.multipliedReportingOverflow(by: pageCount)
        guard !overflow else { throw .outOfMemory(bytes: Int.max) }
        memory = try ReservedMemory(byteCount: bytes, largePages: true)
        self.layouts = layouts
        self.offsets = offsets
        self.pageBytes = pageBytes
        self.pageCount = pageCount
        capacity = pageCount * KVLayout.pagePositions
        unsafe pages = .allocate(capacity: pageCount)
        for index in 0..<pageCount { unsafe (pages + index).initialize(to: memory.base + index * pageBytes) }
    }

    deinit {
        unsafe pages.deallocate()
    }

    package func layer(_ index: Int) -> KVLayer {
        unsafe KVLayer(
            layout: layouts[index], pages: UnsafePointer(pages), offset: offsets[index], capacity: capacity, owner: self)
    }
}
