internal import Synchronization

extension Compute {
    /// `output[t, i] = sum over k of w[i, k] * x[t, k]`; output is `[tokens, w.outputs]`.
    package func multiply(
        _ w: Linear, _ x: Activations, tokens: Int, into output: UnsafeMutablePointer<Float>
    ) throws(KernelError) {
        guard x.columns == w.inputs else { throw .wrongInput(columns: x.columns, expected: w.inputs) }
        guard tokens > 0, tokens <= x.capacity else {
            throw .tokensOutOfRange(tokens: tokens, capacity: x.capacity)
        }
        counters.products.add(1, ordering: .relaxed)
        unsafe multiplyPlainly(w, x, tokens, output)
    }

    private func multiplyPlainly(_ w: Linear, _ x: Activations, _ tokens: Int, _ output: UnsafeMutablePointer<Float>) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: w.inputs) { row in
            for i in 0..<w.outputs {
                unsafe w.row(i, into: row.baseAddress!)
                for t in 0..<tokens {
                    let input = unsafe x.values + t * w.inputs
                    var sum: Float = 0
                    for k in 0..<w.inputs { unsafe sum += row[k] * input[k] }
                    unsafe output[t * w.outputs + i] = sum
                }
            }
        }
    }
}
