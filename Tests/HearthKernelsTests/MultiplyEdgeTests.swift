import Foundation
import HearthKernelTypes
import HearthKernels
import Testing

/// A page that can be read, followed by one that cannot: reading one byte too many ends the process.
@safe final class GuardedBytes: Sendable {
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
    let length: Int
    let size: Int
    let offset: Int

    init(_ bytes: [UInt8]) {
        let page = sysconf(Int32(_SC_PAGESIZE))
        length = bytes.count
        size = (length + page - 1) / page * page + page
        offset = size - page - length
        unsafe base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
        unsafe mprotect(base + size - page, page, PROT_NONE)
        unsafe (base + offset).copyMemory(from: bytes, byteCount: length)
    }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base + offset, count: length) }

    deinit { unsafe munmap(base, size) }
}

@Suite("Matrix products at the edges")
struct MultiplyEdgeTests {
    @Test("T-82 a block of zeros has scale 0 and its product is 0", arguments: runnableSets, ElementType.allCases)
    func zeros(_ set: KernelSet, _ type: ElementType) throws {
        let compute = Compute(set: set, threads: 1)
        let columns = type.blockLength == 1 ? 32 : type.blockLength
        // Weights of zeros, and activations of zeros.
        var matrix = TestMatrix(type, rows: 8, columns: columns)
        let zero = [[Float](repeating: 0, count: columns)]
        let finite = try matrix.decoded().map { $0.allSatisfy(\.isFinite) }
        for tokens in [1, 4] {
            let products = try compute.product(try matrix.linear(compute), Array(repeating: zero[0], count: tokens))
            for row in products { for (r, value) in row.enumerated() where finite[r] { #expect(value == 0) } }
        }
        matrix.bytes = matrix.bytes.map { _ in 0 }
        for tokens in [1, 4] {
            let ones = [[Float]](repeating: [Float](repeating: 1, count: columns), count: tokens)
            let products = try compute.product(try matrix.linear(compute), ones)
            #expect(products.allSatisfy { $0.allSatisfy { $0 == 0 } })
        }
    }

    @Test("T-83 a block of almost zeros gives a finite product near 0", arguments: runnableSets, quantisedTypes)
    func almostZeros(_ set: KernelSet, _ type: ElementType) throws {
        let compute = Compute(set: set, threads: 1)
        let matrix = TestMatrix(type, rows: 8, columns: type.blockLength)
        for tiny in [1e-39, -1e-39, 1e-45, 1e-31].map({ Float($0) }) {
            for tokens in [1, 4] {
                let x = [[Float]](repeating: [Float](repeating: tiny, count: type.blockLength), count: tokens)
                for row in try compute.product(try matrix.linear(compute), x) {
                    #expect(row.allSatisfy { $0.isFinite && abs($0) < 1e-24 }, "\(tiny): \(row)")
                }
            }
        }
    }

    @Test("a NaN or an infinity among the activations is not lost", arguments: runnableSets, quantisedTypes)
    func poison(_ set: KernelSet, _ type: ElementType) throws {
        let compute = Compute(set: set, threads: 1)
        let linear = try TestMatrix(type, rows: 8, columns: 256).linear(compute)
        for value in [Float.nan, .infinity, -.infinity] {
            for tokens in [1, 4] {
                var x = randomInput(tokens: tokens, columns: 256)
                x[tokens - 1][100] = value
                let products = try compute.product(linear, x)
                #expect(products[tokens - 1].allSatisfy { !$0.isFinite })
                if tokens > 1 { #expect(products[0].allSatisfy { $0.isFinite }) }
            }
        }
    }

    @Test(
        "T-84 rows of 32, 96, 160 and 576 values, and 33 of F32, at the end of a mapped page",
        arguments: runnableSets, [ElementType.f32, .f16, .bf16, .q4_0, .q4_1, .q5_0, .q5_1, .q8_0, .iq4_nl, .mxfp4])
    func endOfPage(_ set: KernelSet, _ type: ElementType) throws {
        let compute = Compute(set: set, threads: 2)
        for columns in [32, 96, 160, 576, 33] where columns % type.blockLength == 0 {
            let matrix = TestMatrix(type, rows: 11, columns: columns)
            let guarded = GuardedBytes(matrix.bytes)
            let linear = try unsafe Linear(
                [
                    WeightSource(
                        name: "w", type: type, rows: 11, columns: columns, bytes: guarded.bytes, owner: guarded)
                ], compute: compute)
            let x = randomInput(tokens: 3, columns: columns)
            let products = try compute.product(linear, x)
            let plain = try compute.product(try matrix.linear(compute), x)
            for t in 0..<3 {
                for r in 0..<11 { #expect(products[t][r] == plain[t][r] || plain[t][r].isNaN, "\(columns) columns") }
            }
            let last = try matrix.decoded()[10]
            #expect(linear.decodedRow(10).map(\.bitPattern) == last.map(\.bitPattern))
        }
    }

    @Test("shapes that do not fit are refused with what was given and what is needed")
    func refusals() throws {
        let compute = Compute(set: .portable, threads: 1)
        let matrix = TestMatrix(.q4_0, rows: 8, columns: 64)
        let linear = try matrix.linear(compute)
        let activations = try Activations(capacity: 2, columns: 64, compute: compute)
        var out = [Float](repeating: 0, count: 64)
        func refused(_ activations: Activations, _ tokens: Int, _ compute: Compute) -> KernelError? {
            do {
                try unsafe out.withUnsafeMutableBufferPointer {
                    unsafe try compute.multiply(linear, activations, tokens: tokens, into: $0.baseAddress!)
                }
                return nil
            } catch { return error as? KernelError }
        }
        #expect(refused(activations, 3, compute) == .tokensOutOfRange(tokens: 3, capacity: 2))
        #expect(refused(activations, 0, compute) == .tokensOutOfRange(tokens: 0, capacity: 2))
        let narrow = try Activations(capacity: 2, columns: 32, compute: compute)
        #expect(refused(narrow, 1, compute) == .wrongInput(columns: 32, expected: 64))
        #expect(
            refused(activations, 1, Compute(set: .reference, threads: 1))
                == .otherSet(actual: .portable, expected: .reference))
        #expect(throws: KernelError.noMatrices) { try Linear([], compute: compute) }
        let short = OwnedBytes(Array(matrix.bytes.dropLast()))
        #expect(
            throws: KernelError.wrongByteCount(
                name: "w", type: .q4_0, rows: 8, columns: 64, actual: 287, expected: 288)
        ) { try Linear([short.source("w", .q4_0, rows: 8, columns: 64)], compute: compute) }
        #expect(throws: KernelError.raggedRow(name: "w", type: .q4_0, columns: 65)) {
            try Linear([short.source("w", .q4_0, rows: 8, columns: 65)], compute: compute)
        }
        #expect(throws: KernelError.badShape(name: "w", rows: 1 << 62, columns: 64)) {
            try Linear([short.source("w", .q4_0, rows: 1 << 62, columns: 64)], compute: compute)
        }
        #expect(
            throws: KernelError.differentInputs(name: "b", columns: 32, firstName: "a", firstColumns: 64)
        ) {
            try Linear([matrix.source("a"), TestMatrix(.q8_0, rows: 1, columns: 32).source("b")], compute: compute)
        }
    }
}
