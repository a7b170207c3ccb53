package import HearthKernelTypes
package import HearthWeights

/// Which tensors of a model are brought into a smaller type, and into which one.
package enum QuantisePlan {
    /// The type that `tensor` gets where `asked` was asked for; nil where it stays as it is.
    ///
    /// Matrices of floats do; vectors do not, nor does the router of a mixture of experts, whose small differences choose
    /// whole branches. Rows that are no whole blocks become Q8_0 where 32 divides them.
    package static func type(of tensor: TensorHandle, asked: ElementType) -> ElementType? {
        guard [.f32, .f16, .bf16].contains(tensor.type), tensor.shape.count >= 2, tensor.name.hasSuffix(".weight"),
            !tensor.name.contains("ffn_gate_inp"), !tensor.name.contains("shortconv.conv")
        else { return nil }
        if tensor.columns % asked.blockLength == 0 { return asked }
        return tensor.columns % ElementType.q8_0.blockLength == 0 ? .q8_0 : nil
    }
}
