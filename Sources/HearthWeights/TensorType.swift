import HearthKernelTypes

/// Names of the tensor types that GGUF numbers (`ggml_type`), for messages about those that are not supported here.
enum TensorType {
    /// Nil for a number that the format does not have.
    static func name(_ number: UInt32) -> String? {
        if let supported = ElementType(rawValue: number) { return supported.name }
        return others[number]
    }

    /// Numbers 4, 5, 31 to 33 and 36 to 38 belonged to layouts that left the format again.
    private static let others: [UInt32: String] = [
        4: "Q4_2 (removed from the format)", 5: "Q4_3 (removed from the format)",
        9: "Q8_1", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 21: "IQ3_S",
        22: "IQ2_S", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M",
        31: "Q4_0_4_4 (removed from the format)", 32: "Q4_0_4_8 (removed from the format)",
        33: "Q4_0_8_8 (removed from the format)", 34: "TQ1_0", 35: "TQ2_0",
        36: "IQ4_NL_4_4 (removed from the format)", 37: "IQ4_NL_4_8 (removed from the format)",
        38: "IQ4_NL_8_8 (removed from the format)", 40: "NVFP4",
    ]
}
