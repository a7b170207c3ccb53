internal import HearthKernelTypes

/// Quantised formats by how a block of 32 columns of a group is laid out: plain integers, so that a constant one folds the
/// branches of inlined functions away.
enum LayoutKind {
    @inline(__always) static var q4_0: Int { 0 }
    @inline(__always) static var q4_1: Int { 1 }
    @inline(__always) static var q5_0: Int { 2 }
    @inline(__always) static var q5_1: Int { 3 }
    @inline(__always) static var q4_k: Int { 4 }
    @inline(__always) static var q5_k: Int { 5 }
    @inline(__always) static var q6_k: Int { 6 }
    @inline(__always) static var q3_k: Int { 7 }
    @inline(__always) static var q2_k: Int { 8 }
    @inline(__always) static var q8_0: Int { 9 }
    @inline(__always) static var iq4_nl: Int { 10 }
    @inline(__always) static var mxfp4: Int { 11 }
    @inline(__always) static var iq4_xs: Int { 12 }

    /// Blocks of 32 columns in one block of the format.
    @inline(__always) static func parts(_ kind: Int) -> Int { kind >= q4_k && kind <= q2_k || kind == iq4_xs ? 8 : 1 }

    /// Bytes of 8 rows of one block of the format: 8 times those of the file.
    @inline(__always) static func groupBytes(_ kind: Int) -> Int {
        switch kind {
        case q4_0: 144
        case q4_1: 160
        case q5_0: 176
        case q5_1: 192
        case q4_k: 1152
        case q5_k: 1408
        case q6_k: 1680
        case q3_k: 880
        case q8_0: 272
        case iq4_nl: 144
        case mxfp4: 136
        case iq4_xs: 1088
        default: 672
        }
    }

    /// Several parts, each with a minimum of its own that is multiplied by the block's.
    @inline(__always) static func hasMinima(_ kind: Int) -> Bool { kind == q4_k || kind == q5_k || kind == q2_k }

    /// Values of five bits: sums of 16 bits hold four vectors, not eight (31 x 127 x 2 x 4 = 31,496).
    @inline(__always) static func hasFifthBit(_ kind: Int) -> Bool { kind == q5_0 || kind == q5_1 || kind == q5_k }
}

extension Stream {
    /// A bit cast in place of an initializer of another module, which would be a call.
    @inline(__always) init(_ base: UnsafeRawPointer) { unsafe self = unsafeBitCast(base, to: Stream.self) }
    @inline(__always) init(_ base: UnsafeMutableRawPointer) { unsafe self = unsafeBitCast(base, to: Stream.self) }
    @inline(__always) static func + (p: Stream, offset: Int) -> Stream { unsafe Stream(p.base + offset) }
}

extension Sink {
    @inline(__always) init(_ base: UnsafeMutableRawPointer) { unsafe self = unsafeBitCast(base, to: Sink.self) }
    @inline(__always) static func + (p: Sink, offset: Int) -> Sink { unsafe Sink(p.base + offset) }
}
