// Raw memory behind small handles. They are declared here and get their methods in the targets with loops: a type that is
// declared in the AVX2 target would bring shared functions of its own (copying, destroying), compiled for AVX2, which the
// linker may then choose for everybody.

/// A place in packed bytes, to read from. Nothing is checked: the only caller is the checked layer in HearthKernels.
@safe package struct Stream {
    package let base: UnsafeRawPointer

    @inlinable package init(_ base: UnsafeRawPointer) { unsafe self.base = unsafe base }
    @inlinable package init(_ base: UnsafeMutableRawPointer) { unsafe self.base = UnsafeRawPointer(base) }
    @inlinable package static func + (p: Stream, offset: Int) -> Stream { unsafe Stream(p.base + offset) }
}

/// A place to write to.
@safe package struct Sink {
    package let base: UnsafeMutableRawPointer

    @inlinable package init(_ base: UnsafeMutableRawPointer) { unsafe self.base = unsafe base }
    @inlinable package static func + (p: Sink, offset: Int) -> Sink { unsafe Sink(p.base + offset) }
}

/// Quantised formats by how a block of 32 columns of a group is laid out: plain integers, so that a constant one folds the
/// branches of inlined functions away, and no comparison of enums is needed in the AVX2 target.
package enum LayoutKind {
    @inlinable package static var q4_0: Int { 0 }
    @inlinable package static var q4_1: Int { 1 }
    @inlinable package static var q5_0: Int { 2 }
    @inlinable package static var q5_1: Int { 3 }
    @inlinable package static var q4_k: Int { 4 }
    @inlinable package static var q5_k: Int { 5 }
    @inlinable package static var q6_k: Int { 6 }
    @inlinable package static var q3_k: Int { 7 }
    @inlinable package static var q2_k: Int { 8 }

    /// Blocks of 32 columns in one block of the format.
    @inlinable package static func parts(_ kind: Int) -> Int { kind >= q4_k ? 8 : 1 }

    /// Bytes of 8 rows of one block of the format: 8 times those of the file.
    @inlinable package static func groupBytes(_ kind: Int) -> Int {
        switch kind {
        case q4_0: 144
        case q4_1: 160
        case q5_0: 176
        case q5_1: 192
        case q4_k: 1152
        case q5_k: 1408
        case q6_k: 1680
        case q3_k: 880
        default: 672
        }
    }

    /// Values of five bits: sums of 16 bits hold four vectors, not eight (31 x 127 x 2 x 4 = 31,496).
    @inlinable package static func hasFifthBit(_ kind: Int) -> Bool { kind == q5_0 || kind == q5_1 || kind == q5_k }
}

/// Many tokens: a group of rows is unpacked once into a panel of bytes and Float32 scales, and every tile of tokens reads
/// that. Bytes of one block of 32 columns of 8 rows:
///
/// * `linear` (one scale per 32 columns): quads 256, scale 32, offset 32
/// * `halves` (one per 16): quads 256, d 32, scales of the first half 32, of the second 32
/// * `halvesWithMinima` (Q2_K): as `halves`, minima 32, -dmin 32
/// * `bytes` (Q8_0): |w| 256, w 256, d 32
package enum Panel {
    @inlinable package static var linear: Int { 320 }
    @inlinable package static var halves: Int { 352 }
    @inlinable package static var halvesWithMinima: Int { 416 }
    @inlinable package static var bytes: Int { 544 }
}
