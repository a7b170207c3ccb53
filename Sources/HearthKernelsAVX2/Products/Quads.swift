#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

/// A block of 32 columns of 8 rows, unpacked: vector j holds columns 4 j ... 4 j + 3 of each row, a byte each.
typealias Quads = (
    v0: __m256i, v1: __m256i, v2: __m256i, v3: __m256i, v4: __m256i, v5: __m256i, v6: __m256i, v7: __m256i
)

/// Unpacks part `j` of the block at `p`. Values are unsigned; those of Q3_K are eight times what they are, so that their
/// offset of 4 becomes Q6_K's 32.
@inline(__always)
func quads(_ kind: Int, _ p: Stream, _ j: Int) -> Quads {
    switch kind {
    case kindQ4_0: nibbles(p + 16)
    case kindQ4_1: nibbles(p + 32)
    case kindQ5_0: withFifthBits(nibbles(p + 48), p.vector(16))
    case kindQ5_1: withFifthBits(nibbles(p + 64), p.vector(32))
    case kindQ4_K: nibbles(p + (128 + 128 * j))
    case kindQ5_K: withFifthBits(nibbles(p + (160 + 160 * j)), p.vector(128 + 160 * j))
    case kindQ6_K: withHighPairs(nibbles(p + (144 + 192 * j)), p.vector(272 + 192 * j), p.vector(304 + 192 * j))
    case kindQ3_K: tripletsTimes8(p.vector(112 + 96 * j), p.vector(144 + 96 * j), p.vector(176 + 96 * j))
    default: pairs(p.vector(160 + 64 * j), p.vector(192 + 64 * j))
    }
}

@inline(__always)
private func nibbles(_ p: Stream) -> Quads {
    let mask = _mm256_set1_epi8(15)
    let (a, b, c, d) = (p.vector(0), p.vector(32), p.vector(64), p.vector(96))
    return (
        v0: _mm256_and_si256(a, mask), v1: _mm256_and_si256(b, mask),
        v2: _mm256_and_si256(c, mask), v3: _mm256_and_si256(d, mask),
        v4: _mm256_and_si256(_mm256_srli_epi16(a, 4), mask), v5: _mm256_and_si256(_mm256_srli_epi16(b, 4), mask),
        v6: _mm256_and_si256(_mm256_srli_epi16(c, 4), mask), v7: _mm256_and_si256(_mm256_srli_epi16(d, 4), mask))
}

/// Bits of `x` moved left by `left` (right where negative) and masked: 16-bit shifts, since the mask drops what crosses bytes.
@inline(__always)
private func moved(_ x: __m256i, _ left: Int32, _ mask: __m256i) -> __m256i {
    _mm256_and_si256(left >= 0 ? _mm256_slli_epi16(x, left) : _mm256_srli_epi16(x, -left), mask)
}

/// Adds bit j of `h` as bit 4 of vector j.
@inline(__always)
private func withFifthBits(_ q: Quads, _ h: __m256i) -> Quads {
    let m = _mm256_set1_epi8(16)
    return (
        v0: _mm256_or_si256(q.v0, moved(h, 4, m)), v1: _mm256_or_si256(q.v1, moved(h, 3, m)),
        v2: _mm256_or_si256(q.v2, moved(h, 2, m)), v3: _mm256_or_si256(q.v3, moved(h, 1, m)),
        v4: _mm256_or_si256(q.v4, moved(h, 0, m)), v5: _mm256_or_si256(q.v5, moved(h, -1, m)),
        v6: _mm256_or_si256(q.v6, moved(h, -2, m)), v7: _mm256_or_si256(q.v7, moved(h, -3, m)))
}

/// Adds bits 2 j of `a` (first half) and `b` (second half) as bits 4 and 5 of vector j.
@inline(__always)
private func withHighPairs(_ q: Quads, _ a: __m256i, _ b: __m256i) -> Quads {
    let m = _mm256_set1_epi8(48)
    return (
        v0: _mm256_or_si256(q.v0, moved(a, 4, m)), v1: _mm256_or_si256(q.v1, moved(a, 2, m)),
        v2: _mm256_or_si256(q.v2, moved(a, 0, m)), v3: _mm256_or_si256(q.v3, moved(a, -2, m)),
        v4: _mm256_or_si256(q.v4, moved(b, 4, m)), v5: _mm256_or_si256(q.v5, moved(b, 2, m)),
        v6: _mm256_or_si256(q.v6, moved(b, 0, m)), v7: _mm256_or_si256(q.v7, moved(b, -2, m)))
}

@inline(__always)
private func pairs(_ a: __m256i, _ b: __m256i) -> Quads {
    let m = _mm256_set1_epi8(3)
    return (
        v0: moved(a, 0, m), v1: moved(a, -2, m), v2: moved(a, -4, m), v3: moved(a, -6, m),
        v4: moved(b, 0, m), v5: moved(b, -2, m), v6: moved(b, -4, m), v7: moved(b, -6, m))
}

/// Pairs in bits 3 and 4, bit j of `h` in bit 5.
@inline(__always)
private func tripletsTimes8(_ a: __m256i, _ b: __m256i, _ h: __m256i) -> Quads {
    let (p, m) = (_mm256_set1_epi8(24), _mm256_set1_epi8(32))
    return (
        v0: _mm256_or_si256(moved(a, 3, p), moved(h, 5, m)), v1: _mm256_or_si256(moved(a, 1, p), moved(h, 4, m)),
        v2: _mm256_or_si256(moved(a, -1, p), moved(h, 3, m)), v3: _mm256_or_si256(moved(a, -3, p), moved(h, 2, m)),
        v4: _mm256_or_si256(moved(b, 3, p), moved(h, 1, m)), v5: _mm256_or_si256(moved(b, 1, p), moved(h, 0, m)),
        v6: _mm256_or_si256(moved(b, -1, p), moved(h, -1, m)), v7: _mm256_or_si256(moved(b, -3, p), moved(h, -2, m)))
}

/// Part `j` of a block of signed bytes.
@inline(__always)
func signedQuads(_ kind: Int, _ p: Stream, _ j: Int) -> Quads {
    switch kind {
    case kindQ8_0:
        (
            v0: p.vector(16), v1: p.vector(48), v2: p.vector(80), v3: p.vector(112),
            v4: p.vector(144), v5: p.vector(176), v6: p.vector(208), v7: p.vector(240)
        )
    case kindIQ4_NL: lookedUp(nonlinear, nibbles(p + 16))
    case kindMXFP4: lookedUp(halves, nibbles(p + 8))
    default: lookedUp(nonlinear, nibbles(p + (64 + 128 * j)))
    }
}

/// The entries that nibbles stand for: `vpshufb` looks up in each half of the register.
@inline(__always)
private func lookedUp(_ table: __m256i, _ q: Quads) -> Quads {
    (
        v0: _mm256_shuffle_epi8(table, q.v0), v1: _mm256_shuffle_epi8(table, q.v1),
        v2: _mm256_shuffle_epi8(table, q.v2), v3: _mm256_shuffle_epi8(table, q.v3),
        v4: _mm256_shuffle_epi8(table, q.v4), v5: _mm256_shuffle_epi8(table, q.v5),
        v6: _mm256_shuffle_epi8(table, q.v6), v7: _mm256_shuffle_epi8(table, q.v7))
}

// `CodeBook`'s tables, once for each half of a register.

@inline(__always) private var nonlinear: __m256i {
    _mm256_setr_epi8(
        -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
        -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
}

@inline(__always) private var halves: __m256i {
    _mm256_setr_epi8(
        0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12,
        0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)
}
#endif
