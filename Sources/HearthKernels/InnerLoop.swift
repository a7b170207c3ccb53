package import HearthKernelTypes
internal import HearthKernelsAVX2
internal import HearthKernelsAVX512
internal import HearthKernelsPortable
internal import HearthKernelsSSSE3

/// The inner loop of products of many tokens, alone: each worker multiplies two groups of rows by the same tokens again and again,
/// through the kernel that products choose (`Compute.tileKernel`). Its rate is the ceiling of these products.
///
/// Where a kernel takes unpacked weights (`vnni`, `wideFloats`) they are unpacked once, when this is made, and all operands stay in
/// the first-level cache. The others unpack on the way: they get 256 tokens at a time, which makes that some two hundredths
/// of the work, and whose activations come from the second-level cache (0.2 to 0.5 MB).
///
/// Each worker has activations, panel and output of its own. What is timed gives the product's own bits (`isRight`), and a sum of
/// outputs that were spoiled beforehand shows that no repetition was left out (`run`, `expected`).
@safe package final class InnerLoop {
    package let kernel: TileKernel
    /// Multiplications and additions of one repetition.
    package let operations: Int

    private let linear: Linear
    private let activations: [Activations]
    private let outputs: [AlignedMemory]
    private let pool: ThreadPool
    private let columns: Int
    private let tokens: Int
    /// What a product makes of the operands, `[tokens, 16]`.
    private let product: [Float]

    /// Two groups.
    private static var rows: Int { 2 * MatrixLayout.groupRows }

    /// For all threads of `compute`. `kernel` is what its `tileKernel` gives for this type and some number of tokens.
    package init(_ type: ElementType, kernel: TileKernel, compute: Compute) throws(KernelError) {
        let isQuantised = MatrixLayout.readsQuantised(type)
        // As many columns as the kernel itself takes at a time, and one tile of tokens. Unpacking on the way: K-quants have blocks
        // of 256 columns, and floats take four bytes a value.
        let (columns, tokens) =
            switch kernel {
            case .vnni: (768, 8)
            case .wideFloats: (192, MatrixLayout.floatTileTokens)
            case .avx2, .ssse3, .portable: (isQuantised ? 768 : 256, 256)
            }
        let alone = Compute(
            set: compute.set, threads: 1, backend: .native, pool: compute.pool, usesVNNI: compute.usesVNNI,
            usesSSSE3: compute.usesSSSE3)
        linear = try Linear([WeightSource(type, rows: Self.rows, columns: columns)], compute: alone)
        activations = try (0..<compute.threads).map { _ throws(KernelError) in
            let x = try Activations(capacity: tokens, columns: columns, compute: alone)
            var bits = Bits()
            for index in 0..<tokens * columns { unsafe x.values[index] = Float(bits.next() % 2001) / 1000 - 1 }
            x.changed()
            return x
        }
        outputs = try (0..<compute.threads).map { _ throws(KernelError) in
            try AlignedMemory(byteCount: 4 * tokens * Self.rows)
        }
        let count = tokens * Self.rows
        for (x, output) in zip(activations, outputs) {
            try unsafe alone.multiply(linear, x, tokens: tokens, into: output.base.bindMemory(to: Float.self, capacity: count))
            if kernel == .wideFloats { try alone.packFloats(x, tokens: tokens) }
            unsafe linear.unpack(for: kernel, into: x.panels.base)
        }
        let first = unsafe outputs[0].base.assumingMemoryBound(to: Float.self)
        product = (0..<count).map { unsafe first[$0] }
        self.kernel = kernel
        pool = compute.pool
        (self.columns, self.tokens) = (columns, tokens)
        operations = 2 * count * columns
    }

    /// Runs `chunks` times `repetitions` repetitions on all threads at once. Before each one a place of the output is spoiled, the
    /// next one each time; the sum is that of the bits found there afterwards.
    package func run(chunks: Int, repetitions: Int) -> UInt64 {
        let stride = 8  // a cache line a worker
        var sums = [UInt64](repeating: 0, count: (outputs.count + 1) * stride)
        let part = linear.parts[0]
        let slice = unsafe MatrixSlice(
            type: part.type, columns: columns, rows: Self.rows, firstGroup: 0, endGroup: 2, groupBytes: part.groupBytes,
            base: part.base)
        let steps = zip(activations, outputs).map { x, output in
            unsafe Repetition(
                kernel: kernel, slice: slice,
                input: ProductInput(tokens: tokens, tiles: UnsafeRawPointer(x.tiles.base), values: UnsafePointer(x.values)),
                panel: x.panels.base,
                floatTiles: x.floatTiles.map { unsafe UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) },
                output: output.base.assumingMemoryBound(to: Float.self),
                tileBytes: MatrixLayout.tileBytes(columns: columns, tokens: MatrixLayout.tileTokens, set: x.set))
        }
        let places = product.count
        unsafe steps.withUnsafeBufferPointer { steps in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                var job = (steps: steps.baseAddress!, sums: sums.baseAddress!, repetitions: repetitions, places: places)
                unsafe withUnsafePointer(to: &job) { pointer in
                    unsafe pool.run(chunks: chunks, workers: outputs.count, context: UnsafeRawPointer(pointer)) {
                        context, _, worker in
                        typealias Job = (
                            steps: UnsafePointer<Repetition>, sums: UnsafeMutablePointer<UInt64>, repetitions: Int, places: Int
                        )
                        let job = unsafe context.assumingMemoryBound(to: Job.self).pointee
                        let step = unsafe job.steps[worker]
                        var (sum, place): (UInt64, Int) = (0, 0)
                        for _ in unsafe 0..<job.repetitions {
                            unsafe step.output[place] = .nan
                            step()
                            unsafe sum &+= UInt64(step.output[place].bitPattern)
                            place += 1
                            if unsafe place == job.places { place = 0 }
                        }
                        unsafe job.sums[8 * worker] &+= sum
                    }
                }
            }
        }
        return sums.reduce(0, &+)
    }

    /// The sum that `run` must return.
    package func expected(chunks: Int, repetitions: Int) -> UInt64 {
        let bits = product.map { UInt64($0.bitPattern) }
        let (whole, rest) = repetitions.quotientAndRemainder(dividingBy: bits.count)
        let sum = bits.reduce(0, &+) &* UInt64(whole) &+ bits.prefix(rest).reduce(0, &+)
        return sum &* UInt64(chunks)
    }

    /// Whether the output of every worker has the bits of a product, and none that is no number.
    package var isRight: Bool {
        outputs.allSatisfy { output in
            product.indices.allSatisfy { index in
                let value = unsafe output.base.assumingMemoryBound(to: Float.self)[index]
                return value.isFinite && value.bitPattern == product[index].bitPattern
            }
        }
    }
}

/// One worker's operands: addresses and numbers only.
@safe private struct Repetition {
    let kernel: TileKernel
    let slice: MatrixSlice
    let input: ProductInput
    let panel: UnsafeMutableRawPointer
    let floatTiles: UnsafePointer<Float>?
    let output: UnsafeMutablePointer<Float>
    /// Bytes of a tile of all columns: the portable set's.
    let tileBytes: Int

    func callAsFunction() {
        let (columns, rows) = (slice.columns, slice.rows)
        switch kernel {
        case .vnni:
            unsafe vnniTiles(
                slice.type, panel, input, blocks: columns / 32, first: 0, count: columns / 32, rows: rows, ahead: slice.base,
                aheadBytes: 0, groupBytes: slice.groupBytes, into: output, stride: rows)
        case .wideFloats:
            unsafe wideFloatTiles(
                panel.assumingMemoryBound(to: Float.self), floatTiles!, tokens: input.tokens, columns: columns, rows: rows,
                into: output, stride: rows)
        case .avx2: unsafe avx2Tiles(slice, input, panel: panel, into: output, stride: rows)
        case .ssse3:
            for group in slice.firstGroup..<slice.endGroup {
                unsafe portableUnpackBytes(slice.type, slice.base + group * slice.groupBytes, columns: columns, into: panel)
                unsafe ssse3Tiles(
                    slice.type, panel, input, tileBytes: tileBytes, first: 0, count: columns / 32, rows: rows - 8 * group,
                    into: output + 8 * group, stride: rows)
            }
        case .portable: unsafe portableTiles(slice, input, panel: panel, into: output, stride: rows)
        }
    }
}

extension Linear {
    /// The panel of two groups, for a kernel that takes one.
    fileprivate func unpack(for kernel: TileKernel, into panel: UnsafeMutableRawPointer) {
        let part = parts[0]
        switch kernel {
        case .vnni: unsafe avx2UnpackWide(part.type, part.base, groupBytes: part.groupBytes, columns: inputs, into: panel)
        case .wideFloats:
            // Two groups are a bundle of two: their columns lie side by side.
            let bytes = MatrixLayout.groupRows * part.type.blockBytes
            unsafe wideFloatPanel(
                part.type, part.base, step: 2 * bytes, part.base + bytes, nextStep: 2 * bytes, columns: inputs,
                into: panel.assumingMemoryBound(to: Float.self))
        case .avx2, .ssse3, .portable: break
        }
    }
}

extension WeightSource {
    /// Weights of any type, none of them infinite, not a number or denormal: bit 5 of every byte is set and bit 6 is not, so that
    /// one that is the upper byte of a scale in half precision (or of a Float32, or an exponent) says 2^-96 to 2^64.
    fileprivate init(_ type: ElementType, rows: Int, columns: Int) throws(KernelError) {
        let count = (type.byteCount(of: columns) ?? 0) * rows
        let memory = try AlignedMemory(byteCount: count)
        var bits = Bits()
        for index in 0..<count {
            unsafe memory.base.storeBytes(
                of: UInt8(truncatingIfNeeded: bits.next()) & 0x9f | 0x20, toByteOffset: index, as: UInt8.self)
        }
        unsafe self.init(
            name: "inner loop", type: type, rows: rows, columns: columns,
            bytes: UnsafeRawBufferPointer(start: memory.base, count: count), owner: memory)
    }
}

/// Numbers that look random, the same each time: Marsaglia's xorshift ("Xorshift RNGs", 2003) with the shifts 13, 7, 17.
private struct Bits {
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15  // any but 0

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
