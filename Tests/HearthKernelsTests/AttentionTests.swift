import Foundation
import HearthKernels
import HearthKernelTypes
import HearthKernelsPortable
import Testing

@Suite("Attention and its cache")
struct AttentionTests {
    static let sets = VerbTests.sets

    /// A layer filled with repeatable keys and values, and queries for all positions.
    struct Setting {
        let shape: AttentionShape
        let layer: KVLayer
        let positions: Int
        let queries: Buffer
        let keys: [Float]
        let values: [Float]

        init(_ shape: AttentionShape, type: KVType, positions: Int, capacity: Int? = nil, compute: Compute) throws {
            self.shape = shape
            self.positions = positions
            let layout = try #require(
                KVLayout(type: type, kvHeads: shape.kvHeads, keyWidth: shape.keyWidth, valueWidth: shape.valueWidth))
            let pages = try KVPages(layouts: [layout, layout], positions: capacity ?? positions)
            layer = pages.layer(1)
            var numbers = Numbers(seed: UInt64(positions * 31 + shape.keyWidth))
            queries = Buffer(numbers.array(positions * shape.heads * shape.keyWidth, scale: 2))
            keys = numbers.array(positions * shape.kvHeads * shape.keyWidth, scale: 2)
            values = numbers.array(positions * shape.kvHeads * shape.valueWidth)
            let k = Buffer(keys), v = Buffer(values)
            // Keys and values have strides of their own: stored one token at a time here, in batches elsewhere.
            for t in 0..<positions {
                try unsafe compute.store(
                    keys: k.pointer + t * shape.kvHeads * shape.keyWidth, values: v.pointer + t * shape.kvHeads * shape.valueWidth,
                    tokens: 1, stride: 0, into: layer, at: t)
            }
        }

        /// Output rows of tokens `first ..< first + tokens`.
        func attend(_ compute: Compute, from first: Int, tokens: Int) throws -> [Float] {
            let scratch = try AttentionScratch(shape: shape, positions: layer.capacity, compute: compute)
            let out = try Activations(capacity: tokens, columns: shape.heads * shape.valueWidth, compute: compute)
            let stride = shape.heads * shape.keyWidth
            try unsafe compute.attend(
                queries.pointer + first * stride, tokens: tokens, stride: stride, layer: layer, from: first, shape: shape,
                scratch: scratch, into: out)
            return (0..<tokens * out.columns).map { unsafe out.values[$0] }
        }

        /// The formula in Double over what the cache holds.
        func expected(position: Int, head: Int) -> [Double] {
            expected(position: position, sees: (shape.window > 0 ? max(0, position - shape.window + 1) : 0)..<position + 1, head: head)
        }

        func expected(position: Int, sees seen: Range<Int>, head: Int) -> [Double] {
            let kvHead = head / (shape.heads / shape.kvHeads)
            let q = (0..<shape.keyWidth).map { unsafe Double(queries.pointer[(position * shape.heads + head) * shape.keyWidth + $0]) }
            func page(_ p: Int) -> UnsafeRawPointer { unsafe UnsafeRawPointer(layer.pages[p / 128] + layer.offset) }
            let scores = seen.map { p in
                let dot = (0..<shape.keyWidth).reduce(0.0) {
                    unsafe $0 + q[$1] * Double(keyElement(layer.layout, page: page(p), head: kvHead, slot: p % 128, $1))
                }
                let s = dot * Double(shape.scale)
                return shape.softCap > 0 ? Double(shape.softCap) * tanh(s / Double(shape.softCap)) : s
            }
            var total = scores.reduce(0.0) { $0 + Foundation.exp($1) }
            if let sinks = unsafe shape.sinks { total += Foundation.exp(unsafe Double(sinks[head])) }
            return (0..<shape.valueWidth).map { d in
                zip(seen, scores).reduce(0.0) { sum, item in
                    sum + Foundation.exp(item.1) / total
                        * Double(unsafe valueElement(layer.layout, page: page(item.0), head: kvHead, slot: item.0 % 128, d))
                }
            }
        }
    }

    /// A dot product of w numbers up to 2 in running Float32 errs by at most w * w * 4 * 2^-24 at worst, by about the square root
    /// of w of that as a walk; scores here stay below `scale * 4 * w`. A weight errs by its score's error, values are below 1.
    static func tolerance(_ shape: AttentionShape) -> Double {
        let w = Double(shape.keyWidth)
        let score = Double(shape.scale) * 4 * w.squareRoot() * w * 0x1p-24
        return 4 * score + 16 * 0x1p-24
    }

    static let shapes = [
        AttentionShape(heads: 9, kvHeads: 3, keyWidth: 64, valueWidth: 64, scale: 0.125),
        AttentionShape(heads: 2, kvHeads: 2, keyWidth: 32, valueWidth: 96, scale: 0.17),
        AttentionShape(heads: 16, kvHeads: 2, keyWidth: 128, valueWidth: 128, scale: 0.088),
        AttentionShape(heads: 4, kvHeads: 1, keyWidth: 64, valueWidth: 64, scale: 0.125, window: 70),
        AttentionShape(heads: 5, kvHeads: 1, keyWidth: 64, valueWidth: 32, scale: 0.125, softCap: 3),
    ]

    @Test("attention follows its formula, on every set, for one token and for many", arguments: sets, KVType.allCases)
    func formula(set: KernelSet, type: KVType) throws {
        let compute = Compute(set: set, threads: 2)
        for shape in Self.shapes {
            let setting = try Setting(shape, type: type, positions: 300, compute: compute)
            let width = shape.heads * shape.valueWidth
            // The reference computes a batch token by token: one cut is enough for it.
            let cuts = [(299, 1), (270, 30), (0, 1), (127, 1), (128, 1), (120, 20)]
            for (first, tokens) in set == .reference ? [cuts[0], (126, 3)] : cuts {
                let out = try setting.attend(compute, from: first, tokens: tokens)
                for (t, head) in [(0, 0), (tokens - 1, shape.heads - 1)] {
                    let expected = setting.expected(position: first + t, head: head)
                    for d in 0..<shape.valueWidth {
                        let actual = Double(out[t * width + head * shape.valueWidth + d])
                        guard abs(actual - expected[d]) > Self.tolerance(shape) else { continue }
                        Issue.record(
                            "\(set) \(type) \(shape.heads)/\(shape.kvHeads) position \(first + t) head \(head) d \(d): \(actual), expected \(expected[d])")
                        return
                    }
                }
            }
        }
    }

    @Test("widths that fill no register are attended too", arguments: sets, [KVType.f32, .f16])
    func oddWidths(set: KernelSet, type: KVType) throws {
        let compute = Compute(set: set, threads: 2)
        for shape in [
            AttentionShape(heads: 7, kvHeads: 1, keyWidth: 5, valueWidth: 3, scale: 0.4),
            AttentionShape(heads: 2, kvHeads: 1, keyWidth: 12, valueWidth: 20, scale: 0.3),
            AttentionShape(heads: 4, kvHeads: 4, keyWidth: 80, valueWidth: 40, scale: 0.11),
        ] {
            let setting = try Setting(shape, type: type, positions: 140, compute: compute)
            for (first, tokens) in [(139, 1), (0, 140)] {
                let out = try setting.attend(compute, from: first, tokens: tokens)
                let (t, head) = (tokens - 1, shape.heads - 1)
                let expected = setting.expected(position: first + t, head: head)
                for d in 0..<shape.valueWidth {
                    let actual = Double(out[(t * shape.heads + head) * shape.valueWidth + d])
                    #expect(abs(actual - expected[d]) <= Self.tolerance(shape), "\(set) \(type) \(shape.keyWidth) d \(d)")
                }
            }
        }
    }

    @Test("a sink takes weight and gives no value", arguments: sets)
    func sinks(set: KernelSet) throws {
        let compute = Compute(set: set, threads: 2)
        let sinks = Buffer([0.5, 30, -30, 2])
        let shape = unsafe AttentionShape(heads: 4, kvHeads: 2, keyWidth: 64, valueWidth: 64, scale: 0.125, sinks: UnsafePointer(sinks.pointer))
        let setting = try Setting(shape, type: .f32, positions: 200, compute: compute)
        for (first, tokens) in [(199, 1), (150, 50)] {
            let out = try setting.attend(compute, from: first, tokens: tokens)
            for head in 0..<4 {
                let expected = setting.expected(position: first, head: head)
                let worst = (0..<64).map { abs(Double(out[head * 64 + $0]) - expected[$0]) }.max()!
                #expect(worst <= Self.tolerance(shape), "\(set) head \(head)")
            }
        }
    }

    @Test("the same bits for any number of threads and any cut of the tokens", arguments: sets, KVType.allCases)
    func sameBits(set: KernelSet, type: KVType) throws {
        for shape in set == .reference ? [Self.shapes[3]] : Self.shapes {
            let one = Compute(set: set, threads: 1)
            let setting = try Setting(shape, type: type, positions: 150, capacity: 600, compute: one)
            let width = shape.heads * shape.valueWidth
            let whole = try setting.attend(one, from: 0, tokens: 150)
            for (threads, cut) in [(1, 1), (2, 1), (3, 7), (2, 64), (4, 100)] {
                let compute = Compute(set: set, threads: threads)
                var first = cut == 1 ? 120 : 0  // one at a time is slow in the reference set: the last thirty are enough
                while first < 150 {
                    let tokens = min(cut, 150 - first)
                    let part = try setting.attend(compute, from: first, tokens: tokens)
                    #expect(part == Array(whole[first * width..<(first + tokens) * width]), "\(set) \(type) threads \(threads) cut \(cut) at \(first)")
                    first += tokens
                }
            }
        }
    }

    @Test("the same bits for one token and for many behind a dozen blocks", arguments: sets.filter { $0 != .reference })
    func sameBitsAtDepth(set: KernelSet) throws {
        let odd = AttentionShape(heads: 2, kvHeads: 1, keyWidth: 64, valueWidth: 40, scale: 0.125)
        for shape in [Self.shapes[0], Self.shapes[3], odd] {
            let compute = Compute(set: set, threads: 2)
            let setting = try Setting(shape, type: .f16, positions: 1500, compute: compute)
            let width = shape.heads * shape.valueWidth
            let whole = try setting.attend(compute, from: 1490, tokens: 10)
            for (first, tokens) in [(1490, 1), (1499, 1), (1491, 8), (1493, 3)] {
                let part = try setting.attend(compute, from: first, tokens: tokens)
                let start = (first - 1490) * width
                #expect(part == Array(whole[start..<start + tokens * width]), "\(set) \(tokens) tokens at \(first)")
            }
        }
    }

    @Test("stored numbers come back within half a step of their type", arguments: KVType.allCases)
    func storeAndRead(type: KVType) throws {
        let shape = AttentionShape(heads: 2, kvHeads: 2, keyWidth: 64, valueWidth: 32, scale: 1)
        let setting = try Setting(shape, type: type, positions: 150, compute: Compute(set: .reference, threads: 1))
        let layout = setting.layer.layout
        for position in [0, 7, 8, 127, 128, 149] {
            let page = unsafe UnsafeRawPointer(setting.layer.pages[position / 128] + setting.layer.offset)
            for head in 0..<2 {
                for d in 0..<64 {
                    let key = setting.keys[(position * 2 + head) * 64 + d]
                    let read = unsafe keyElement(layout, page: page, head: head, slot: position % 128, d)
                    // f16: half a unit of 11 bits. q8_0: half a step of max/127 <= 2/127, and the scale's own rounding times 127.
                    let tolerance: Float = type == .f32 ? 0 : type == .f16 ? 0x1p-11 : 1.0 / 127 + 0x1p-10
                    if abs(read - key) > tolerance { Issue.record("key \(position) \(head) \(d): \(read), stored \(key)") }
                    guard d < 32 else { continue }
                    let value = setting.values[(position * 2 + head) * 32 + d]
                    let back = unsafe valueElement(layout, page: page, head: head, slot: position % 128, d)
                    if abs(back - value) > tolerance { Issue.record("value \(position) \(head) \(d): \(back), stored \(value)") }
                }
            }
        }
    }

    @Test("T-82 T-83 zeros and almost zeros are kept as finite numbers near zero", arguments: KVType.allCases, [0, 1e-39].map { Float($0) })
    func tiny(type: KVType, value: Float) throws {
        let layout = try #require(KVLayout(type: type, kvHeads: 1, keyWidth: 32, valueWidth: 32))
        let layer = try KVPages(layouts: [layout], positions: 1).layer(0)
        let x = Buffer([Float](repeating: value, count: 32))
        try unsafe Compute(set: .reference, threads: 1).store(keys: x.pointer, values: x.pointer, tokens: 1, stride: 32, into: layer, at: 0)
        for d in 0..<32 {
            let key = unsafe keyElement(layout, page: UnsafeRawPointer(layer.pages[0]), head: 0, slot: 0, d)
            let back = unsafe valueElement(layout, page: UnsafeRawPointer(layer.pages[0]), head: 0, slot: 0, d)
            #expect(key.isFinite && abs(key) <= 1e-38 && back.isFinite && abs(back) <= 1e-38)
            if value == 0 { #expect(key == 0 && back == 0) }
        }
    }

    @Test("what does not fit is refused with the numbers")
    func refusals() throws {
        let compute = Compute(set: .reference, threads: 1)
        let shape = AttentionShape(heads: 2, kvHeads: 2, keyWidth: 8, valueWidth: 8, scale: 1)
        let setting = try Setting(shape, type: .f32, positions: 10, compute: compute)
        #expect(throws: KernelError.positionsOutOfRange(first: 120, count: 9, capacity: 128)) {
            try unsafe compute.store(
                keys: setting.queries.pointer, values: setting.queries.pointer, tokens: 9, stride: 16, into: setting.layer, at: 120)
        }
        let scratch = try AttentionScratch(shape: shape, positions: 128, compute: compute)
        let out = try Activations(capacity: 4, columns: 16, compute: compute)
        var other = shape
        other.heads = 3
        #expect(throws: KernelError.headsDoNotDivide(heads: 3, kvHeads: 2)) {
            try unsafe compute.attend(
                setting.queries.pointer, tokens: 1, stride: 16, layer: setting.layer, from: 0, shape: other, scratch: scratch, into: out)
        }
        other = shape
        other.keyWidth = 16
        #expect(throws: KernelError.cacheOfOtherShape(
            heads: 2, keyWidth: 8, valueWidth: 8, expectedHeads: 2, expectedKeyWidth: 16, expectedValueWidth: 8)
        ) {
            try unsafe compute.attend(
                setting.queries.pointer, tokens: 1, stride: 16, layer: setting.layer, from: 0, shape: other, scratch: scratch, into: out)
        }
        #expect(throws: KernelError.positionsOutOfRange(first: 127, count: 2, capacity: 128)) {
            try unsafe compute.attend(
                setting.queries.pointer, tokens: 2, stride: 16, layer: setting.layer, from: 127, shape: shape, scratch: scratch, into: out)
        }
        #expect(KVLayout(type: .q8_0, kvHeads: 1, keyWidth: 40, valueWidth: 64) == nil)
        #expect(KVLayout(type: .f16, kvHeads: 0, keyWidth: 40, valueWidth: 64) == nil)
    }
}
