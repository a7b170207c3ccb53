import Foundation
import HearthKernels
import HearthKernelTypes
import Testing
#if canImport(Glibc)
import Glibc
#endif

@Suite("A window over the cache")
struct WindowTests {
    #if os(Linux)
    /// Pages in front of the window lie in memory that nobody has touched: a single read would make it resident.
    @Test("blocks that the window hides are not read at all", arguments: AttentionTests.sets, [1, 5, 40])
    func hiddenBlocks(set: KernelSet, tokens: Int) throws {
        let shape = AttentionShape(heads: 4, kvHeads: 1, keyWidth: 64, valueWidth: 64, scale: 0.125, window: 100)
        let compute = Compute(set: set, threads: 2)
        let setting = try AttentionTests.Setting(shape, type: .f16, positions: 700, compute: compute)
        let first = 700 - tokens
        let expected = try setting.attend(compute, from: first, tokens: tokens)

        // The first token sees positions `first - 99` and on: what lies in earlier pages is hidden from all.
        let hidden = (first - 99) / KVLayout.pagePositions
        #expect(hidden >= 4)
        let pageBytes = (setting.layer.layout.pageBytes + 65535) & ~65535
        let untouched = try ReservedMemory(byteCount: hidden * pageBytes)
        let count = setting.layer.capacity / KVLayout.pagePositions
        let pages = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
        defer { unsafe pages.deallocate() }
        for page in 0..<count {
            let place = unsafe page < hidden
                ? untouched.base + page * pageBytes : setting.layer.pages[page] + setting.layer.offset
            unsafe (pages + page).initialize(to: place)
        }
        let layer = unsafe KVLayer(
            layout: setting.layer.layout, pages: UnsafePointer(pages), offset: 0, capacity: setting.layer.capacity,
            owner: untouched)
        let scratch = try AttentionScratch(shape: shape, positions: layer.capacity, compute: compute)
        let out = try Activations(capacity: tokens, columns: shape.heads * shape.valueWidth, compute: compute)
        let stride = shape.heads * shape.keyWidth
        try unsafe compute.attend(
            setting.queries.pointer + first * stride, tokens: tokens, stride: stride, layer: layer, from: first, shape: shape,
            scratch: scratch, into: out)
        #expect((0..<tokens * out.columns).allSatisfy { unsafe out.values[$0].bitPattern == expected[$0].bitPattern })

        var resident = [UInt8](repeating: 1, count: untouched.byteCount / Int(sysconf(Int32(_SC_PAGESIZE))))
        let answer = unsafe mincore(untouched.base, untouched.byteCount, &resident)
        #expect(answer == 0)
        #expect(resident.allSatisfy { $0 & 1 == 0 }, "\(resident.filter { $0 & 1 == 1 }.count) hidden pages were read")
    }
    #endif
}
