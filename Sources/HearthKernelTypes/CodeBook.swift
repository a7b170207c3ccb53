/// What the nibbles of a type stand for where they index a table of signed bytes; a value is a scale times its code.
///
/// Sources: `kvalues_iq4nl` of the ggml format; OCP Microscaling Formats (MX) 1.0, section 5.3.3: the sixteen numbers of E2M1,
/// doubled so that they are whole.
package enum CodeBook {
    /// IQ4_NL and IQ4_XS: finer steps near 0, where most weights are.
    @inlinable package static var nonlinear: SIMD16<Int8> {
        SIMD16(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
    }

    /// MXFP4: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, times two; the scale is half of the block's power of two.
    @inlinable package static var halves: SIMD16<Int8> {
        SIMD16(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)
    }
}
