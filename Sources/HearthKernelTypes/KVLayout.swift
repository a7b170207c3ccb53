/// How one page holds the keys and values of one layer.
///
/// A page is `pagePositions` positions. Per key/value head, keys first:
///
///     keys    [group of 8 positions][keyWidth][8]          one load serves 8 positions, no sums across a register
///     scales  [group][keyWidth / 32][8] f16                q8_0 only
/// then per head, values:
///     values  [position][paddedValueWidth]                 one load serves 8 outputs
///     scales  [position][paddedValueWidth / 32] f16        q8_0 only
package struct KVLayout: Sendable, Hashable {
    /// Positions of a page, which is also the block of positions that attention sums before it merges: small enough that its
    /// keys and values of one head (32 KB for f16, width 64) stay in the second cache, large enough that merging is 1 %.
    package static let pagePositions = 128
    /// Positions side by side: a 32-byte register of Float32.
    package static let groupPositions = 8

    package let type: KVType
    package let kvHeads: Int
    package let keyWidth: Int
    package let valueWidth: Int
    /// `valueWidth` rounded up to a register of 8; the rest is zero.
    package let paddedValueWidth: Int
    /// Bytes of one number.
    package let elementBytes: Int
    /// Bytes of the keys of one head in a page, without and with their scales.
    package let keyCodeBytes: Int
    package let keyHeadBytes: Int
    package let valueCodeBytes: Int
    package let valueHeadBytes: Int
    /// Offset of the first head's values in a page.
    package let valuesOffset: Int
    package let pageBytes: Int

    /// Nil where a size is not positive, does not fit, or (q8_0) a width is no multiple of 32.
    package init?(type: KVType, kvHeads: Int, keyWidth: Int, valueWidth: Int) {
        // 2^20 bounds every product below far inside an Int.
        guard (1...1 << 20).contains(kvHeads), (1...1 << 20).contains(keyWidth), (1...1 << 20).contains(valueWidth) else {
            return nil
        }
        if type == .q8_0 && (keyWidth % 32 != 0 || valueWidth % 32 != 0) { return nil }
        self.type = type
        self.kvHeads = kvHeads
        self.keyWidth = keyWidth
        self.valueWidth = valueWidth
        paddedValueWidth = (valueWidth + 7) / 8 * 8
        switch type {
        case .f32: elementBytes = 4
        case .f16: elementBytes = 2
        case .q8_0: elementBytes = 1
        }
        let scaleBytes = type == .q8_0 ? 2 : 0
        keyCodeBytes = Self.pagePositions * keyWidth * elementBytes
        keyHeadBytes = keyCodeBytes + Self.pagePositions * (keyWidth / 32) * scaleBytes
        valueCodeBytes = Self.pagePositions * paddedValueWidth * elementBytes
        valueHeadBytes = valueCodeBytes + Self.pagePositions * (paddedValueWidth / 32) * scaleBytes
        valuesOffset = kvHeads * keyHeadBytes
        pageBytes = kvHeads * (keyHeadBytes + valueHeadBytes)
    }
}
