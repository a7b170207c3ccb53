#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

/// Scale and (negative) offset of 8 rows for one block of 32 columns: y = scale x q + offset.
typealias LinearScales = (scale: __m256, offset: __m256)

/// Formats with one scale per 32 columns.
@inline(__always)
func linearScales(_ kind: Int, _ p: Stream, _ j: Int) -> LinearScales {
    let d = p.halves(0)
    switch kind {
    case kindQ4_0, kindQ5_0: return (scale: d, offset: _mm256_setzero_ps())  // in the integers: `centreShift`
    case kindQ4_1, kindQ5_1: return (scale: d, offset: p.halves(16))
    default:
        let pair = sixBitPair(p + 32, j)
        let minimum = _mm256_sub_ps(_mm256_setzero_ps(), p.halves(16))
        return (
            scale: _mm256_mul_ps(d, bytesToFloats(pair.first)),
            offset: _mm256_mul_ps(minimum, bytesToFloats(pair.second)))
    }
}

/// The scale of part `j` of 8 rows, for signed bytes.
@inline(__always)
func signedScale(_ kind: Int, _ p: Stream, _ j: Int) -> __m256 {
    switch kind {
    case kindMXFP4:
        // 2^(e - 128): e - 1 is the exponent's field; for 0 and 1 the numbers are subnormal, one bit below it.
        let e = bytesToIntegers(p.word(0))
        let normal = _mm256_slli_epi32(_mm256_sub_epi32(e, _mm256_set1_epi32(1)), 23)
        let small = _mm256_sllv_epi32(_mm256_set1_epi32(0x0020_0000), e)
        let isSmall = _mm256_cmpgt_epi32(_mm256_set1_epi32(2), e)
        return unsafe unsafeBitCast(_mm256_blendv_epi8(normal, small, isSmall), to: __m256.self)
    case kindIQ4_XS:
        let low = p.word(32 + 8 * (j >> 1)) >> UInt64(4 * (j & 1)) & lowNibbles
        let high = _mm256_srlv_epi32(_mm256_cvtepu16_epi32(p.half(16)), _mm256_set1_epi32(Int32(truncatingIfNeeded: 2 * j)))
        let scale = _mm256_or_si256(
            bytesToIntegers(low), _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4))
        return _mm256_mul_ps(p.halves(0), _mm256_cvtepi32_ps(_mm256_sub_epi32(scale, _mm256_set1_epi32(32))))
    default: return p.halves(0)
    }
}

/// Scales of the halves of a block, for formats with one per 16 columns: each twice, as `vpmaddwd` wants them.
typealias HalfScales = (d: __m256, first: __m256i, second: __m256i)

/// Q6_K, Q3_K (d an eighth, since its quads are eight times their values), Q2_K.
@inline(__always)
func halfScales(_ kind: Int, _ p: Stream, _ j: Int) -> HalfScales {
    let d = p.halves(0)
    switch kind {
    case kindQ6_K:
        let scales = p.half(16 + 16 * j)
        let second = _mm_unpackhi_epi64(scales, scales)
        return (
            d: d, first: twice(_mm256_cvtepi8_epi32(scales)), second: twice(_mm256_cvtepi8_epi32(second)))
    case kindQ3_K:
        let pair = sixBitPair(p + 16, j)
        let offset = _mm256_set1_epi32(32)
        return (
            d: _mm256_mul_ps(d, _mm256_set1_ps(0.125)),
            first: twice(_mm256_sub_epi32(bytesToIntegers(pair.first), offset)),
            second: twice(_mm256_sub_epi32(bytesToIntegers(pair.second), offset)))
    default:
        let (a, b) = (p.word(32 + 16 * j), p.word(40 + 16 * j))
        return (
            d: d, first: twice(bytesToIntegers(a & lowNibbles)), second: twice(bytesToIntegers(b & lowNibbles)))
    }
}

/// Q2_K: minima of both halves of 8 rows side by side, and -dmin.
typealias HalfMinima = (minima: __m256i, d: __m256)

@inline(__always)
func halfMinima(_ p: Stream, _ j: Int) -> HalfMinima {
    let (a, b) = (p.word(32 + 16 * j) >> 4 & lowNibbles, p.word(40 + 16 * j) >> 4 & lowNibbles)
    return (
        minima: _mm256_or_si256(bytesToIntegers(a), _mm256_slli_epi32(bytesToIntegers(b), 16)),
        d: _mm256_sub_ps(_mm256_setzero_ps(), p.halves(16)))
}

@inline(__always) private var lowNibbles: UInt64 { 0x0f0f_0f0f_0f0f_0f0f }

/// Six-bit pairs of block `j`, eight rows in the bytes of a word.
@inline(__always)
private func sixBitPair(_ p: Stream, _ j: Int) -> (first: UInt64, second: UInt64) {
    let low = p.word(8 * j)
    let high = p.word(64 + 8 * (j & 3)) >> (j < 4 ? 0 : 4)
    return (
        low & lowNibbles | (high & 0x0303_0303_0303_0303) << 4,
        low >> 4 & lowNibbles | (high & 0x0c0c_0c0c_0c0c_0c0c) << 2
    )
}

@inline(__always)
private func bytesToIntegers(_ bytes: UInt64) -> __m256i {
    _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(Int64(bitPattern: bytes)))
}

@inline(__always)
private func bytesToFloats(_ bytes: UInt64) -> __m256 { _mm256_cvtepi32_ps(bytesToIntegers(bytes)) }

/// The low 16 bits of each lane in both of its halves.
@inline(__always)
private func twice(_ x: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_slli_epi32(x, 16), _mm256_and_si256(x, _mm256_set1_epi32(0xffff)))
}
#endif
