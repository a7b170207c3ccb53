/// A large page of memory: fewer faults while it is filled, and fewer misses of the page tables' cache while it is read.
enum LargePage {
    /// Of x86-64; other systems ignore the wish for one.
    static let byteCount = 2 << 20
}
