#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

// Raw memory behind named methods. No type is declared in this target: see `Stream`.

extension Stream {
    /// 32 bytes.
    @inline(__always) func vector(_ offset: Int) -> __m256i {
        unsafe _mm256_loadu_si256((base + offset).assumingMemoryBound(to: __m256i.self))
    }

    @inline(__always) func half(_ offset: Int) -> __m128i {
        unsafe _mm_loadu_si128((base + offset).assumingMemoryBound(to: __m128i.self))
    }

    @inline(__always) func word(_ offset: Int) -> UInt64 {
        unsafe (base + offset).assumingMemoryBound(to: UInt64.self).pointee
    }

    @inline(__always) func floats(_ offset: Int) -> __m256 {
        unsafe _mm256_loadu_ps((base + offset).assumingMemoryBound(to: Float.self))
    }

    /// 8 half floats.
    @inline(__always) func halves(_ offset: Int) -> __m256 { _mm256_cvtph_ps(half(offset)) }

    /// Four bytes, eight times.
    @inline(__always) func broadcast(_ offset: Int) -> __m256i {
        unsafe _mm256_set1_epi32((base + offset).assumingMemoryBound(to: Int32.self).pointee)
    }

    /// One float, eight times.
    @inline(__always) func broadcastFloat(_ offset: Int) -> __m256 {
        unsafe _mm256_set1_ps((base + offset).assumingMemoryBound(to: Float.self).pointee)
    }
}

extension Sink {
    @inline(__always) func store(_ v: __m256i, _ offset: Int) {
        unsafe _mm256_storeu_si256((base + offset).assumingMemoryBound(to: __m256i.self), v)
    }

    @inline(__always) func store(_ v: __m256, _ offset: Int) {
        unsafe _mm256_storeu_ps((base + offset).assumingMemoryBound(to: Float.self), v)
    }

    @inline(__always) func store(_ v: __m128i, _ offset: Int) {
        unsafe _mm_storeu_si128((base + offset).assumingMemoryBound(to: __m128i.self), v)
    }

    @inline(__always) func store(_ v: __m128, _ offset: Int) {
        unsafe _mm_storeu_ps((base + offset).assumingMemoryBound(to: Float.self), v)
    }

    @inline(__always) func store(_ v: Int32, _ offset: Int) {
        unsafe (base + offset).assumingMemoryBound(to: Int32.self).pointee = v
    }

    @inline(__always) func store(_ v: Float, _ offset: Int) {
        unsafe (base + offset).assumingMemoryBound(to: Float.self).pointee = v
    }

    /// What `storeSums` wrote, zeros beyond.
    @inline(__always) func loadSums(_ offset: Int, _ count: Int) -> __m256 {
        let p = unsafe (base + offset).assumingMemoryBound(to: Float.self)
        if count >= 8 { return unsafe _mm256_loadu_ps(p) }
        var sums = _mm256_setzero_ps()
        for i in 0..<count { unsafe sums[i] = p[i] }
        return sums
    }

    /// The first `count` of 8 sums: all of them but in the last group of a matrix.
    @inline(__always) func storeSums(_ v: __m256, _ offset: Int, _ count: Int) {
        if count >= 8 { store(v, offset); return }
        for i in 0..<count { store(v[i], offset + 4 * i) }
    }
}
#endif
