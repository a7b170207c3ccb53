/// The input of matrix products: `[capacity, columns]` Float32, allocated once.
///
/// Whoever writes `values` says so with `changed()`; the quantised twin is then made again by the first product that
/// reads it, once for all readers.
@safe package final class Activations {
    package let capacity: Int
    package let columns: Int
    /// `[capacity, columns]`, row after row.
    package let values: UnsafeMutablePointer<Float>
    private let memory: AlignedMemory
    /// How many tokens of the quantised twin are up to date.
    var quantisedTokens = 0

    package init(capacity: Int, columns: Int, compute: Compute) throws(KernelError) {
        guard capacity > 0, columns > 0,
            case let (count, overflow) = capacity.multipliedReportingOverflow(by: columns), !overflow, count < 1 << 56
        else { throw .badShape(name: "activations", rows: capacity, columns: columns) }
        self.capacity = capacity
        self.columns = columns
        memory = try AlignedMemory(byteCount: count * 4)
        unsafe values = unsafe memory.base.bindMemory(to: Float.self, capacity: count)
    }

    /// The values of one token.
    package subscript(token: Int) -> UnsafeMutablePointer<Float> {
        precondition(token >= 0 && token < capacity)
        return unsafe values + token * columns
    }

    /// To be called after writing `values` and before the next product.
    package func changed() { quantisedTokens = 0 }
}
