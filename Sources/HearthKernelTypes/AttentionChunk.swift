/// One block of positions (a page) of one key/value head, and the rows of queries that look at it.
///
/// A kernel computes for each row r, over the slots `lows[r] ..< highs[r]`:
///
///     s[p] = dot(queries[r], key[p])               the scale is in the queries already; then the soft cap
///     maxima[r] = max s[p]
///     w[p] = exp(s[p] - maxima[r])
///     sums[r] = sum of w[p]
///     sumsOfValues[r] = sum of w[p] * value[p]     p in ascending order
///
/// A row that sees nothing gets minus infinity, zero and zeros. What a row gets does not depend on the rows beside it.
@unsafe package struct AttentionChunk {
    package var type: KVType
    package var keyWidth: Int
    /// A multiple of 8.
    package var valueWidth: Int
    /// `[16][keyWidth][8]` numbers of `type`, and (q8_0) `[16][keyWidth / 32][8]` half floats.
    package var keys: UnsafeRawPointer
    package var keyScales: UnsafePointer<UInt16>
    /// `[128][valueWidth]` numbers of `type`, and (q8_0) `[128][valueWidth / 32]` half floats.
    package var values: UnsafeRawPointer
    package var valueScales: UnsafePointer<UInt16>
    /// What is read from memory after this block, by the best guess: kernels may ask for it early.
    package var next: UnsafeRawPointer
    package var rows: Int
    /// `[rows][keyWidth]`
    package var queries: UnsafePointer<Float>
    package var softCap: Float
    package var lows: UnsafePointer<Int32>
    package var highs: UnsafePointer<Int32>
    /// Scratch, `[rows][128]`.
    package var scores: UnsafeMutablePointer<Float>
    /// Scratch for kernels that first make Float32 of the block: `128 * (keyWidth + valueWidth)`.
    package var expanded: UnsafeMutablePointer<Float>
    package var maxima: UnsafeMutablePointer<Float>
    package var sums: UnsafeMutablePointer<Float>
    /// `[rows][valueWidth]`
    package var sumsOfValues: UnsafeMutablePointer<Float>

    package init(
        type: KVType, keyWidth: Int, valueWidth: Int, keys: UnsafeRawPointer, keyScales: UnsafePointer<UInt16>,
        values: UnsafeRawPointer, valueScales: UnsafePointer<UInt16>, next: UnsafeRawPointer, rows: Int,
        queries: UnsafePointer<Float>, softCap: Float, lows: UnsafePointer<Int32>, highs: UnsafePointer<Int32>,
        scores: UnsafeMutablePointer<Float>, expanded: UnsafeMutablePointer<Float>, maxima: UnsafeMutablePointer<Float>,
        sums: UnsafeMutablePointer<Float>,
        sumsOfValues: UnsafeMutablePointer<Float>
    ) {
        unsafe self.type = type
        unsafe self.keyWidth = keyWidth
        unsafe self.valueWidth = valueWidth
        unsafe self.keys = keys
        unsafe self.keyScales = keyScales
        unsafe self.values = values
        unsafe self.valueScales = valueScales
        unsafe self.next = next
        unsafe self.rows = rows
        unsafe self.queries = queries
        unsafe self.softCap = softCap
        unsafe self.lows = lows
        unsafe self.highs = highs
        unsafe self.scores = scores
        unsafe self.expanded = expanded
        unsafe self.maxima = maxima
        unsafe self.sums = sums
        unsafe self.sumsOfValues = sumsOfValues
    }
}

/// What is known of one row after some blocks: the running form of a softmax (Milakov and Gimelshein, 2018).
@unsafe package struct AttentionState {
    package var maximum: UnsafeMutablePointer<Float>
    package var sum: UnsafeMutablePointer<Float>
    /// `[valueWidth]`
    package var values: UnsafeMutablePointer<Float>

    package init(maximum: UnsafeMutablePointer<Float>, sum: UnsafeMutablePointer<Float>, values: UnsafeMutablePointer<Float>) {
        unsafe self.maximum = maximum
        unsafe self.sum = sum
        unsafe self.values = values
    }
}
