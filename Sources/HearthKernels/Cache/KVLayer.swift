package import HearthKernelTypes

/// Keys and values of one layer: a view of pages that `owner` keeps.
///
/// Page p holds positions `p * 128 ..< (p + 1) * 128`; where it lies in memory is the owner's business.
@safe package struct KVLayer: @unchecked Sendable {
    package let layout: KVLayout
    /// Base of every page; this layer's part begins `offset` bytes into each.
    package let pages: UnsafePointer<UnsafeMutableRawPointer>
    package let offset: Int
    /// Positions there is room for.
    package let capacity: Int
    package let owner: any AnyObject & Sendable

    package init(
        layout: KVLayout, pages: UnsafePointer<UnsafeMutableRawPointer>, offset: Int, capacity: Int,
        owner: any AnyObject & Sendable
    ) {
        self.layout = layout
        unsafe self.pages = unsafe pages
        self.offset = offset
        self.capacity = capacity
        self.owner = owner
    }
}
