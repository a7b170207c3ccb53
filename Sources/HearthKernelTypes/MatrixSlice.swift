/// Some groups of rows of one re-laid matrix: what one chunk of work multiplies.
@safe package struct MatrixSlice {
    package let type: ElementType
    package let columns: Int
    /// Rows of the whole matrix; the last group is padded to 8.
    package let rows: Int
    /// The groups to multiply.
    package let firstGroup: Int
    package let endGroup: Int
    /// Bytes of one group.
    package let groupBytes: Int
    /// The first group of the matrix.
    package let base: UnsafeRawPointer

    package init(
        type: ElementType, columns: Int, rows: Int, firstGroup: Int, endGroup: Int, groupBytes: Int,
        base: UnsafeRawPointer
    ) {
        self.type = type
        self.columns = columns
        self.rows = rows
        self.firstGroup = firstGroup
        self.endGroup = endGroup
        self.groupBytes = groupBytes
        unsafe self.base = unsafe base
    }
}

/// The activations of a product: packed tiles for quantised weights, plain values for floats.
@safe package struct ProductInput {
    package let tokens: Int
    /// Tiles, one after another; tiles of one token where `tokens` is 1.
    package let tiles: UnsafeRawPointer
    /// `[tokens, columns]`.
    package let values: UnsafePointer<Float>

    package init(tokens: Int, tiles: UnsafeRawPointer, values: UnsafePointer<Float>) {
        self.tokens = tokens
        unsafe self.tiles = unsafe tiles
        unsafe self.values = unsafe values
    }
}
