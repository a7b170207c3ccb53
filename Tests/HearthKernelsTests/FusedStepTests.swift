import HearthKernelTypes
import HearthKernels
import HearthKernelsPortable
import Testing

/// Steps that do several verbs' work in one pass: the same bits as those verbs one after the other.
@Suite("Fused steps")
struct FusedStepTests {
    static let sets = KernelSet.allCases.filter { $0.runs(on: .current) }
    static let tokens = [1, 2, 4, 5, 31, 70]

    @Test("entering a branch is adding, norm and quantising", arguments: sets, tokens)
    func enter(set: KernelSet, tokens: Int) throws {
        let (width, rows) = (192, 24)
        let compute = Compute(set: set, threads: 2)
        let reader = try TestMatrix(.q8_0, rows: rows, columns: width).linear(compute)
        for (addsBranch, normsBranch, norms, scale) in [
            (false, false, true, 1), (true, false, true, 1), (true, true, true, 0.25), (true, true, false, 1),
        ] as [(Bool, Bool, Bool, Float)] {
            var numbers = Numbers(seed: UInt64(tokens))
            let values = numbers.array(tokens * width, scale: 3), branch = numbers.array(tokens * width)
            let weight = Buffer(numbers.array(width)), branchWeight = Buffer(numbers.array(width))

            let plainX = Buffer(values), plainBranch = Buffer(branch)
            if addsBranch {
                if normsBranch {
                    unsafe compute.normRows(
                        plainBranch.pointer, weight: branchWeight.pointer, epsilon: 1e-6, rows: tokens, columns: width,
                        stride: width, into: plainBranch.pointer, outStride: width)
                }
                for index in 0..<tokens * width { unsafe plainBranch.pointer[index] *= scale }
                unsafe compute.add(plainBranch.pointer, to: plainX.pointer, count: tokens * width)
            }
            let plain = try Activations(capacity: 72, columns: width, compute: compute)
            if norms {
                try unsafe compute.norm(plainX.pointer, weight: weight.pointer, epsilon: 1e-5, tokens: tokens, into: plain)
            } else {
                unsafe plain.values.update(from: plainX.pointer, count: tokens * width)
                plain.changed()
            }

            let x = Buffer(values), owed = Buffer(branch)
            let fused = try Activations(capacity: 72, columns: width, compute: compute)
            let residual = unsafe Residual(
                branch: owed.pointer, weight: normsBranch ? UnsafePointer(branchWeight.pointer) : nil, epsilon: 1e-6, scale: scale)
            try unsafe compute.enter(
                x.pointer, adding: addsBranch ? residual : nil, weight: norms ? UnsafePointer(weight.pointer) : nil, epsilon: 1e-5,
                tokens: tokens, into: fused, for: reader)

            #expect(x.array == plainX.array)
            for index in 0..<tokens * width { #expect(unsafe fused.values[index] == plain.values[index]) }
            let products = [plain, fused].map { input in
                let out = Buffer(count: tokens * rows)
                #expect(throws: Never.self) { try unsafe compute.multiply(reader, input, tokens: tokens, into: out.pointer) }
                return out.array
            }
            #expect(products[0] == products[1])

            let settled = Buffer(values), again = Buffer(branch)
            if addsBranch {
                let residual = unsafe Residual(
                    branch: again.pointer, weight: normsBranch ? UnsafePointer(branchWeight.pointer) : nil, epsilon: 1e-6,
                    scale: scale)
                unsafe compute.settle(residual, on: settled.pointer, tokens: tokens, columns: width)
            }
            #expect(settled.array == plainX.array)
        }
    }

    @Test("a gate for a product is a gate and quantising", arguments: sets, tokens)
    func gate(set: KernelSet, tokens: Int) throws {
        let (width, rows) = (256, 16)
        let compute = Compute(set: set, threads: 2)
        let reader = try TestMatrix(.q4_0, rows: rows, columns: width).linear(compute)
        var numbers = Numbers(seed: UInt64(tokens))
        let input = Buffer(numbers.array(tokens * 2 * width, scale: 4))
        let products = try [nil, reader].map { reader in
            let gated = try Activations(capacity: 72, columns: width, compute: compute)
            // What a longer pass left behind must not be read.
            let longer = Buffer(numbers.array(72 * 2 * width))
            try unsafe compute.gate(longer.pointer, tokens: 72, width: width, activation: .silu, into: gated, for: reader)
            try unsafe compute.gate(input.pointer, tokens: tokens, width: width, activation: .silu, into: gated, for: reader)
            let out = Buffer(count: tokens * rows)
            try unsafe compute.multiply(self.reader(reader, compute, rows, width), gated, tokens: tokens, into: out.pointer)
            return out.array
        }
        #expect(products[0] == products[1])
    }

    private func reader(_ reader: Linear?, _ compute: Compute, _ rows: Int, _ width: Int) throws -> Linear {
        try reader ?? TestMatrix(.q4_0, rows: rows, columns: width).linear(compute)
    }

    @Test("keeping heads is bias, norms, rope and store", arguments: sets, tokens)
    func keep(set: KernelSet, tokens: Int) throws {
        let (heads, kvHeads, width, position) = (4, 2, 32, 100)
        let (keys, values, stride) = (heads * width, (heads + kvHeads) * width, (heads + 2 * kvHeads) * width)
        let compute = Compute(set: set, threads: 2)
        let layout = try #require(KVLayout(type: .f16, kvHeads: kvHeads, keyWidth: width, valueWidth: width))
        let table = try RopeTable(
            frequencies: RopeTable.frequencies(base: 10000, width: width), layout: .halves, positions: 200)
        // Norms of each head, or of all together.
        for together in [false, true] {
            var numbers = Numbers(seed: UInt64(tokens))
            let input = numbers.array(tokens * stride, scale: 2)
            let bias = Buffer(numbers.array(stride))
            let queryNorm = Buffer(numbers.array(together ? keys : width))
            let keyNorm = Buffer(numbers.array(together ? values - keys : width))

            let x = Buffer(input)
            let apart = try KVPages(layouts: [layout], positions: 256).layer(0)
            for token in 0..<tokens {
                let row = unsafe x.pointer + token * stride
                unsafe compute.add(bias.pointer, to: row, count: stride)
                for (norm, start, end) in [(queryNorm, 0, keys), (keyNorm, keys, values)] {
                    for first in Swift.stride(from: start, to: end, by: norm.count) {
                        unsafe compute.normRows(
                            row + first, weight: norm.pointer, epsilon: 1e-6, rows: 1, columns: norm.count, stride: stride,
                            into: row + first, outStride: stride)
                    }
                }
            }
            try unsafe compute.rope(
                x.pointer, tokens: tokens, heads: heads, headWidth: width, stride: stride, from: position, table: table)
            try unsafe compute.rope(
                x.pointer + keys, tokens: tokens, heads: kvHeads, headWidth: width, stride: stride, from: position, table: table)
            try unsafe compute.store(
                keys: x.pointer + keys, values: x.pointer + values, tokens: tokens, stride: stride, into: apart, at: position)

            let fused = Buffer(input)
            let layer = try KVPages(layouts: [layout], positions: 256).layer(0)
            let steps = unsafe HeadSteps(
                heads: heads, bias: bias.pointer, queryNorm: .init(weight: queryNorm.pointer, count: queryNorm.count),
                keyNorm: .init(weight: keyNorm.pointer, count: keyNorm.count), epsilon: 1e-6, rope: table)
            try unsafe compute.keep(fused.pointer, tokens: tokens, stride: stride, steps: steps, in: layer, at: position)

            #expect(fused.array == x.array)
            for slot in position..<position + tokens {
                let (one, other) = unsafe (
                    UnsafeRawPointer(layer.pages[slot / 128]) + layer.offset, UnsafeRawPointer(apart.pages[slot / 128]) + apart.offset
                )
                for head in 0..<kvHeads {
                    for d in 0..<width {
                        #expect(
                            unsafe keyElement(layout, page: one, head: head, slot: slot % 128, d)
                                == keyElement(layout, page: other, head: head, slot: slot % 128, d))
                        #expect(
                            unsafe valueElement(layout, page: one, head: head, slot: slot % 128, d)
                                == valueElement(layout, page: other, head: head, slot: slot % 128, d))
                    }
                }
            }
        }
    }

    @Test("one token is the caller's own work, and many tokens are one run of the pool for each step")
    func runs() throws {
        let pool = ThreadPool()
        let compute = Compute(set: .best(for: .current), threads: 2, pool: pool)
        let (width, heads) = (1536, 24)
        let layout = try #require(KVLayout(type: .f16, kvHeads: 8, keyWidth: 64, valueWidth: 64))
        let layer = try KVPages(layouts: [layout], positions: 128).layer(0)
        let table = try RopeTable(frequencies: RopeTable.frequencies(base: 10000, width: 64), layout: .halves, positions: 128)
        let reader = try TestMatrix(.q4_1, rows: 8, columns: width).linear(compute)
        let x = Buffer(count: 64 * width), owed = Buffer(count: 64 * width), weight = Buffer(count: width)
        let qkv = Buffer(count: 64 * 40 * 64), gateUp = Buffer(count: 64 * 2 * width)
        let out = try Activations(capacity: 64, columns: width, compute: compute)
        for (tokens, runs) in [(1, 0), (64, 1)] {
            func count(_ step: () throws -> Void) rethrows -> Int {
                let before = pool.runCount
                try step()
                return pool.runCount - before
            }
            let entered = try count {
                let residual = unsafe Residual(branch: owed.pointer, weight: weight.pointer, epsilon: 1e-5, scale: 1)
                try unsafe compute.enter(
                    x.pointer, adding: residual, weight: weight.pointer, epsilon: 1e-5, tokens: tokens, into: out, for: reader)
                compute.quantise(out, tokens: tokens)
            }
            let kept = try count {
                try unsafe compute.keep(
                    qkv.pointer, tokens: tokens, stride: 40 * 64, steps: HeadSteps(heads: heads, rope: table), in: layer, at: 0)
            }
            let gated = try count {
                try unsafe compute.gate(
                    gateUp.pointer, tokens: tokens, width: width, activation: .silu, into: out, for: reader)
                compute.quantise(out, tokens: tokens)
            }
            #expect([entered, kept, gated] == [runs, runs, runs], "\(tokens) tokens")
        }
    }

    @Test("positions and widths that do not fit are refused")
    func refused() throws {
        let compute = Compute(set: .portable, threads: 1)
        let layout = try #require(KVLayout(type: .f16, kvHeads: 1, keyWidth: 8, valueWidth: 8))
        let layer = try KVPages(layouts: [layout], positions: 128).layer(0)
        let x = Buffer(count: 200 * 24)
        func keep(tokens: Int = 1, stride: Int = 24, table: RopeTable? = nil, at position: Int = 0) throws {
            try unsafe compute.keep(
                x.pointer, tokens: tokens, stride: stride, steps: HeadSteps(heads: 1, rope: table), in: layer, at: position)
        }
        try keep(tokens: 128)
        #expect(throws: KernelError.positionsOutOfRange(first: 120, count: 9, capacity: 128)) { try keep(tokens: 9, at: 120) }
        #expect(throws: KernelError.wrongInput(columns: 23, expected: 24)) { try keep(stride: 23) }
        let short = try RopeTable(frequencies: [1], layout: .pairs, positions: 4)
        #expect(throws: KernelError.positionsOutOfRange(first: 4, count: 1, capacity: 4)) { try keep(table: short, at: 4) }
        let wide = try RopeTable(frequencies: Array(repeating: 1, count: 5), layout: .pairs, positions: 4)
        #expect(throws: KernelError.ropeTooWide(pairs: 5, headWidth: 8)) { try keep(table: wide) }
        let out = try Activations(capacity: 2, columns: 32, compute: compute)
        #expect(throws: KernelError.tokensOutOfRange(tokens: 3, capacity: 2)) {
            try unsafe compute.enter(x.pointer, adding: nil, weight: nil, epsilon: 0, tokens: 3, into: out, for: nil)
        }
    }
}
