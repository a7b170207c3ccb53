/// Where things lie in re-laid weights and in packed activations.
///
/// **Weights** come in groups of 8 rows. For each block of the format a group holds what 8 blocks of the file hold, in as
/// many bytes: the 8 scales side by side, and the values in vectors of 32 bytes, so that one load serves 8 rows. Byte
/// 4 r + c of vector j belongs to row r and column 4 j + c of 32 (a "quad" of columns); nibbles of vector j hold column
/// 4 j + c (low) and 16 + 4 j + c (high). Offsets in the bytes of a group, blocks of 32 columns:
///
/// | type | d | minimum | scales | values |
/// |---|---|---|---|---|
/// | F32, F16, BF16 | | | | [column][row], see below |
/// | Q4_0, Q4_1 | 0 | - / 16 | | nibbles 128 |
/// | Q5_0, Q5_1 | 0 | - / 16 | | fifth bits 32 (bit j of byte i: vector j), nibbles 128 |
/// | Q8_0 | 0 | | | bytes 256 |
/// | IQ4_NL | 0 | | | nibbles 128 |
/// | MXFP4 | | | 0: 8 bytes of exponents | nibbles 128 |
/// | IQ4_XS | 0 | | 16: 8 x 2 bytes of high bits, 32: 4 x 8 bytes of low ones | 64: 8 x nibbles 128 |
/// | Q4_K, Q5_K | 0 | 16 | 32: 64 + 32 bytes of six-bit pairs (scale, minimum) | 128: 8 x as Q4_0, Q5_0 |
/// | Q6_K | 0 | | 16: 16 x 8 signed bytes | 144: 8 x (nibbles 128, pairs 64) |
/// | Q3_K | 0 | | 16: 64 + 32 bytes of six-bit pairs (scales of both halves) | 112: 8 x (pairs 64, third bits 32) |
/// | Q2_K | 0 | 16 | 32: 16 x 8 bytes | 160: 8 x pairs 64 |
///
/// Pairs: bits 2 j of byte i of vector v hold column 16 v + 4 j + c. Six-bit pairs of block b: byte 8 b + r has the low
/// nibbles of both, byte 64 + 8 (b % 4) + r their high pairs, in its low nibble for b < 4 and its high one for the others.
///
/// Groups of **float weights** lie four and four side by side (the last ones as many as there are), `[column][32 rows]`: sums need
/// four groups at a time, since an FMA waits for the one before it, and memory is read in one stream. Four streams were measured at
/// 17 GB/s where one gives 31 (F16, 576 columns, one core of a Zen 4).
///
/// **Activations** are quantised per token and per 32 columns: a = round(x / d), d = greatest |x| / 127. They are packed in
/// tiles of T tokens (1 or 4) as one stream. A block of 32 columns takes 64 T bytes:
///
/// | offset | for token t |
/// |---|---|
/// | 4 T j + 4 t | the four bytes of quad j = 0...7 |
/// | 32 T + 4 t | d, Float32 |
/// | 36 T + 4 t | d x sum of a, Float32 |
/// | 40 T + 4 t | sums of a over columns 0...15 and 16...31, Int16 |
/// | 44 T + 4 t, 48 T + 4 t | for each half of 16 columns: -32 x sums over columns 4 j + 0, 1 and 4 j + 2, 3, Int16 |
/// | 52 T + 4 t, 56 T + 4 t | for each half of 16 columns: -32 x sum of a, Int32 |
/// | 60 T + 4 t | -128 x sum of a, Int32 |
package enum MatrixLayout {
    /// Rows of one group: 8 Float32 sums fill one AVX register.
    @inlinable package static var groupRows: Int { 8 }
    /// Tokens of one tile: 4 sums of 16 bits and 4 of Float32, a weight, a broadcast, two scales and ones fit 16 registers.
    @inlinable package static var tileTokens: Int { 4 }
    /// Tokens of one tile of floats: 12 sums hide an FMA's four cycles three times over, and use a load of weights twelve times.
    @inlinable package static var floatTileTokens: Int { 12 }
    /// Columns that share one activation scale.
    @inlinable package static var blockColumns: Int { 32 }

    /// Bytes of packed activations. The portable set keeps 16-bit values instead of bytes (76 bytes a block, see there).
    package static func tileBytes(columns: Int, tokens: Int, set: KernelSet) -> Int {
        columns / blockColumns * (set == .avx2 ? 64 : 76) * tokens
    }

    /// Scratch of one worker: two groups of rows unpacked (see `PanelLayout`). 64 bytes a column hold a group of floats
    /// (32) twice, and a block of any quantised type (at most 544 for 32 columns).
    package static func panelBytes(columns: Int) -> Int { columns * 64 }

    /// Groups of float weights side by side.
    @inlinable package static var bundleGroups: Int { 4 }

    /// The groups that group `group` of a matrix of `groups` lies side by side with, itself included.
    @inlinable @inline(__always)
    package static func bundle(_ type: ElementType, of group: Int, groups: Int) -> (first: Int, count: Int) {
        guard !readsQuantised(type) else { return (group, 1) }
        let first = group & ~(bundleGroups - 1)
        return (first, groups - first < bundleGroups ? groups - first : bundleGroups)
    }

    /// Floats are multiplied as they are; all other types read quantised activations.
    @inlinable @inline(__always)
    package static func readsQuantised(_ type: ElementType) -> Bool {
        switch type {
        case .f32, .f16, .bf16: false
        default: true
        }
    }
}
