import HearthKernels
import Testing

@Suite("WeightArena")
struct WeightArenaTests {
    private static let megabyte = 1 << 20

    @Test("memory that is brought in, and given back beside it, keeps what it holds", arguments: [1, 3])
    func keepsContents(threads: Int) throws {
        let memory = try AlignedMemory(byteCount: 8 * Self.megabyte + 1, zeroed: false)
        unsafe memory.base.initializeMemory(as: UInt8.self, repeating: 7, count: memory.byteCount)
        memory.bringIn(0..<memory.byteCount, pool: .shared, threads: threads)
        memory.giveBack(3 * Self.megabyte..<memory.byteCount)
        let bytes = unsafe UnsafeRawBufferPointer(start: memory.base, count: memory.byteCount)
        #expect(unsafe bytes[..<(4 * Self.megabyte)].allSatisfy { $0 == 7 })
        #expect(unsafe bytes[8 * Self.megabyte] == 7)
        #if os(Linux)
        #expect(unsafe bytes[(4 * Self.megabyte)..<(8 * Self.megabyte)].allSatisfy { $0 == 0 })
        #endif
    }

    @Test("matrices of all sizes have memory of their own, on cache lines, that nothing given back later touches")
    func matricesApart() throws {
        let arena = WeightArena()
        // Less than a page, parts of a chunk that end it early, more than a chunk's quarter; then after the end of a model.
        let sizes = [1, 100, 3 << 20, 15 << 20, 15 << 20, 15 << 20, 15 << 20, 20 << 20, 5 << 20, 64]
        var places: [(base: UnsafeMutableRawPointer, owner: AlignedMemory)] = unsafe []
        for (index, size) in sizes.enumerated() {
            if index == sizes.count - 1 { arena.finish() }
            let place = unsafe try arena.take(size, pool: .shared, threads: 2)
            #expect(unsafe UInt(bitPattern: place.base) % 64 == 0)
            unsafe place.base.initializeMemory(as: UInt8.self, repeating: UInt8(index + 1), count: size)
            unsafe places.append(place)
        }
        arena.finish()
        for (index, size) in sizes.enumerated() {
            let bytes = unsafe UnsafeRawBufferPointer(start: places[index].base, count: size)
            #expect(unsafe bytes.allSatisfy { $0 == UInt8(index + 1) }, "matrix \(index) of \(size) bytes")
        }
    }
}
