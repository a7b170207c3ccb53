/// How the values of a tensor are stored. Raw values are GGUF's type numbers (`ggml_type` in the GGUF format text).
package enum ElementType: UInt32, Sendable, CaseIterable {
    case f32 = 0
    case f16 = 1
    case q4_0 = 2
    case q4_1 = 3
    case q5_0 = 6
    case q5_1 = 7
    case q8_0 = 8
    case q2_k = 10
    case q3_k = 11
    case q4_k = 12
    case q5_k = 13
    case q6_k = 14
    case iq4_nl = 20
    case iq4_xs = 23
    case bf16 = 30
    case mxfp4 = 39

    /// Values in one block: 1 for floats, 32 for the simple quantised types, 256 for K-quants and IQ4_XS.
    package var blockLength: Int {
        switch self {
        case .f32, .f16, .bf16: 1
        case .q4_0, .q4_1, .q5_0, .q5_1, .q8_0, .iq4_nl, .mxfp4: 32
        case .q2_k, .q3_k, .q4_k, .q5_k, .q6_k, .iq4_xs: 256
        }
    }

    /// Bytes of one block in a file.
    package var blockBytes: Int {
        switch self {
        case .f32: 4
        case .f16, .bf16: 2
        case .q4_0: 18  // f16 scale, 16 bytes of nibbles
        case .q4_1: 20  // f16 scale, f16 minimum, 16 bytes of nibbles
        case .q5_0: 22  // f16 scale, 4 bytes of fifth bits, 16 bytes of nibbles
        case .q5_1: 24  // as q5_0 with an f16 minimum
        case .q8_0: 34  // f16 scale, 32 signed bytes
        case .q2_k: 84  // 16 scale and minimum nibbles, 64 bytes of 2-bit values, f16 scale, f16 minimum
        case .q3_k: 110  // 32 bytes of high bits, 64 of low ones, 12 of 6-bit scales, f16 scale
        case .q4_k: 144  // f16 scale, f16 minimum, 12 bytes of 6-bit scales and minima, 128 of nibbles
        case .q5_k: 176  // as q4_k with 32 bytes of fifth bits
        case .iq4_nl: 18  // as q4_0, nibbles index a code book
        case .iq4_xs: 136  // f16 scale, 2 bytes of high and 4 of low scale bits, 128 of nibbles
        case .mxfp4: 17  // exponent of a power of two, 16 bytes of nibbles
        case .q6_k: 210  // 128 bytes of low nibbles, 64 of high pairs, 16 signed scales, f16 scale
        }
    }

    /// Bytes of `count` values, or nil where `count` is no whole number of blocks or the product does not fit an Int.
    package func byteCount(of count: Int) -> Int? {
        guard count >= 0, count % blockLength == 0 else { return nil }
        let (bytes, overflow) = (count / blockLength).multipliedReportingOverflow(by: blockBytes)
        return overflow ? nil : bytes
    }

    /// The name in capitals, as GGUF texts write it: `Q4_K`.
    package var name: String { String(describing: self).uppercased() }
}
