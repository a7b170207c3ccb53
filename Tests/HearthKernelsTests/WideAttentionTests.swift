import HearthKernels
import HearthKernelTypes
import Testing

@Suite("Attention on AVX-512")
struct WideAttentionTests {
    /// Groups of 1 to 8 heads: every number of rows that a kernel takes, and what is left over. Widths that fill registers of 16
    /// and of 8, and some that fill neither.
    static func shapes(_ type: KVType) -> [AttentionShape] {
        var shapes: [AttentionShape] = []
        let widths = [(64, 64), (80, 80), (96, 64), (128, 128), (256, 256), (32, 96), (72, 40), (5, 3)]
        for (index, (keys, values)) in widths.enumerated() where type != .q8_0 || keys % 32 == 0 && values % 32 == 0 {
            for group in [index + 1, 8 - index] {
                let scale = 1 / Float(keys).squareRoot()
                shapes.append(AttentionShape(heads: group, kvHeads: 1, keyWidth: keys, valueWidth: values, scale: scale))
                shapes.append(
                    AttentionShape(
                        heads: 2 * group, kvHeads: 2, keyWidth: keys, valueWidth: values, scale: scale, window: 37 + 24 * index,
                        softCap: index % 2 == 0 ? 5 : 0))
            }
        }
        return shapes
    }

    @Test(
        "T-86 give the bits of AVX2, for every width, group of heads, window and soft cap, for few tokens and for many",
        .enabled(if: Compute.processorHasVNNI, "this processor has no AVX-512"), arguments: KVType.allCases)
    func twin(type: KVType) throws {
        let narrow = Compute(set: .avx2, threads: 2, usesVNNI: false), wide = Compute(set: .avx2, threads: 2, usesVNNI: true)
        for shape in Self.shapes(type) {
            let setting = try AttentionTests.Setting(shape, type: type, positions: 279, compute: narrow)
            for (first, tokens) in [(278, 1), (127, 2), (0, 5), (250, 29), (97, 100)] {
                let expected = try setting.attend(narrow, from: first, tokens: tokens)
                let actual = try setting.attend(wide, from: first, tokens: tokens)
                let same = expected.map(\.bitPattern) == actual.map(\.bitPattern)
                #expect(same, "\(type) \(shape) positions \(first) to \(first + tokens)")
            }
        }
    }

    @Test(
        "T-86 give the bits of AVX2 with sinks and with scores far apart",
        .enabled(if: Compute.processorHasVNNI, "this processor has no AVX-512"), arguments: KVType.allCases)
    func sinks(type: KVType) throws {
        let narrow = Compute(set: .avx2, threads: 1, usesVNNI: false), wide = Compute(set: .avx2, threads: 1, usesVNNI: true)
        let sinks = Buffer([0.5, 30, -30, 2, 1, 0])
        // A scale of 4 spreads scores over some hundreds: most weights are zero, some below the least normal number.
        for scale: Float in [0.125, 4] {
            let shape = unsafe AttentionShape(
                heads: 6, kvHeads: 2, keyWidth: 64, valueWidth: 64, scale: scale, sinks: UnsafePointer(sinks.pointer))
            let setting = try AttentionTests.Setting(shape, type: type, positions: 200, compute: narrow)
            for (first, tokens) in [(199, 1), (0, 200)] {
                let expected = try setting.attend(narrow, from: first, tokens: tokens)
                let actual = try setting.attend(wide, from: first, tokens: tokens)
                #expect(expected.map(\.bitPattern) == actual.map(\.bitPattern), "\(type) scale \(scale) from \(first)")
            }
        }
    }
}
