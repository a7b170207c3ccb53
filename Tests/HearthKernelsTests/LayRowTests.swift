import HearthKernelTypes
import HearthKernels
import HearthKernelsPortable
import Testing

/// Random bytes that are the same on every run (SplitMix64).
struct Bits: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

@Suite("Re-laid rows")
struct LayRowTests {
    @Test("un-laying gives the file's bytes back, all of them, for every format", arguments: ElementType.allCases)
    func roundTrip(_ type: ElementType) throws {
        var bits = Bits(state: 7)
        for blocks in [1, 3] {
            let columns = blocks * type.blockLength
            let rowBytes = try #require(type.byteCount(of: columns))
            let rows = (0..<8).map { _ in (0..<rowBytes).map { _ in UInt8.random(in: 0...255, using: &bits) } }
            var group = [UInt8](repeating: 0, count: rowBytes * 8)
            unsafe group.withUnsafeMutableBytes { group in
                for r in 0..<8 {
                    unsafe rows[r].withUnsafeBytes {
                        unsafe layRow(type, $0.baseAddress!, columns: columns, place: r, into: group.baseAddress!)
                    }
                }
            }
            for r in 0..<8 {
                var back = [UInt8](repeating: 0, count: rowBytes)
                unsafe group.withUnsafeBytes { group in
                    unsafe back.withUnsafeMutableBytes {
                        unsafe unlayRow(type, group.baseAddress!, columns: columns, place: r, into: $0.baseAddress!)
                    }
                }
                #expect(back == rows[r], "row \(r) of \(blocks) blocks")
            }
        }
    }

    @Test("rows of float weights lie beside those of other groups and come back", arguments: floatTypes, [16, 24, 32])
    func bundle(_ type: ElementType, _ across: Int) throws {
        var bits = Bits(state: 9)
        let columns = 5
        let rowBytes = columns * type.blockBytes
        let rows = (0..<across).map { _ in (0..<rowBytes).map { _ in UInt8.random(in: 0...255, using: &bits) } }
        var bundle = [UInt8](repeating: 0, count: rowBytes * across)
        unsafe bundle.withUnsafeMutableBytes { bundle in
            for r in 0..<across {
                unsafe rows[r].withUnsafeBytes {
                    unsafe layRow(
                        type, $0.baseAddress!, columns: columns, place: r, across: across, into: bundle.baseAddress!)
                }
            }
        }
        // Column 2 of row 3: [column][row].
        let size = type.blockBytes
        #expect(Array(bundle[(2 * across + 3) * size..<(2 * across + 4) * size]) == Array(rows[3][2 * size..<3 * size]))
        for r in 0..<across {
            var back = [UInt8](repeating: 0, count: rowBytes)
            unsafe bundle.withUnsafeBytes { bundle in
                unsafe back.withUnsafeMutableBytes {
                    unsafe unlayRow(
                        type, bundle.baseAddress!, columns: columns, place: r, across: across, into: $0.baseAddress!)
                }
            }
            #expect(back == rows[r], "row \(r) of \(across)")
        }
    }
}
