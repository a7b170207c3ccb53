#if arch(x86_64)
internal import HearthKernelTypes

// Quantised formats by how a block of 32 columns of a group is laid out: plain integers, so that a constant one folds the
// branches of inlined functions away. No type is declared in this target: see `Stream`.

@inline(__always) var kindQ4_0: Int { 0 }
@inline(__always) var kindQ4_1: Int { 1 }
@inline(__always) var kindQ5_0: Int { 2 }
@inline(__always) var kindQ5_1: Int { 3 }
@inline(__always) var kindQ4_K: Int { 4 }
@inline(__always) var kindQ5_K: Int { 5 }
@inline(__always) var kindQ6_K: Int { 6 }
@inline(__always) var kindQ3_K: Int { 7 }
@inline(__always) var kindQ2_K: Int { 8 }
// Signed bytes: as they are, or out of a code book.
@inline(__always) var kindQ8_0: Int { 9 }
@inline(__always) var kindIQ4_NL: Int { 10 }
@inline(__always) var kindMXFP4: Int { 11 }
@inline(__always) var kindIQ4_XS: Int { 12 }

/// Blocks of 32 columns in one block of the format.
@inline(__always) func parts(_ kind: Int) -> Int { kind >= kindQ4_K && kind <= kindQ2_K || kind == kindIQ4_XS ? 8 : 1 }

/// Bytes of 8 rows of one block of the format: 8 times those of the file.
@inline(__always) func groupBytes(_ kind: Int) -> Int {
    switch kind {
    case kindQ4_0: 144
    case kindQ4_1: 160
    case kindQ5_0: 176
    case kindQ5_1: 192
    case kindQ4_K: 1152
    case kindQ5_K: 1408
    case kindQ6_K: 1680
    case kindQ3_K: 880
    case kindQ8_0: 272
    case kindIQ4_NL: 144
    case kindMXFP4: 136
    case kindIQ4_XS: 1088
    default: 672
    }
}

/// Values of five bits: sums of 16 bits hold four vectors, not eight (31 x 127 x 2 x 4 = 31,496).
@inline(__always) func hasFifthBit(_ kind: Int) -> Bool { kind == kindQ5_0 || kind == kindQ5_1 || kind == kindQ5_K }

/// Values less 8 or 16 have no other offset: a shift right of -128 x the sum of the activations makes -8 or -16 times it.
@inline(__always) func centreShift(_ kind: Int) -> Int32 { kind == kindQ4_0 ? 4 : kind == kindQ5_0 ? 3 : 0 }

// Many tokens: a group of rows is unpacked once into a panel of bytes and Float32 scales, and every tile of tokens reads
// that. Bytes of one block of 32 columns of 8 rows:

/// One scale per 32 columns: quads 256, scale 32, offset 32.
@inline(__always) var linearPanel: Int { 320 }
/// One per 16: quads 256, d 32, scales of the first half 32, of the second 32.
@inline(__always) var halvesPanel: Int { 352 }
/// Q2_K: as before, then minima 32, -dmin 32.
@inline(__always) var halvesPanelWithMinima: Int { 416 }
/// Signed bytes: |w| 256, w 256, scale 32.
@inline(__always) var bytesPanel: Int { 544 }

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
#endif
