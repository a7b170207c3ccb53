import Foundation
import HearthWeights
import Testing

/// Limits of time and memory: run alone, one after the other.
@Suite("Timed checkpoints", .serialized)
struct TimedCheckpointTests {
    @Test("T-07 a tensor with too many dimensions is refused in under ten milliseconds", arguments: [5, 0xFFFF_FFFF])
    func dimensions(count: UInt32) throws {
        var bytes = GGUFBytes(tensors: 1)
        bytes.string("a")
        bytes.u32(count)
        bytes.data(64)
        try withFile(bytes.bytes) { file in
            // The best of five: the machine may be busy with other things.
            let times = (0..<5).map { _ in
                ContinuousClock().measure { #expect(throws: CheckpointError.self) { try Checkpoint.open(file) } }
            }
            #expect(times.min()! < .milliseconds(10))
        }
    }

    #if os(Linux)
        @Test("T-03 a length of half a terabyte costs less than a megabyte of memory")
        func memory() throws {
            // A length that the machine would give, since nothing is written to it, and counts that would fit as well.
            var string = GGUFBytes(keys: 1)
            string.string("k")
            string.u32(8)
            string.u64(1 << 39)
            string.data(55)
            var array = GGUFBytes(keys: 1)
            array.string("k")
            array.u32(9)
            array.u32(8)
            array.u64(1 << 36)
            array.data(51)
            let files = [string, array, GGUFBytes(tensors: 1 << 36), GGUFBytes(keys: 1 << 36)]
            _ = try files[0].refusal()  // what the first call brings along is not the reader's
            for file in files {
                let before = try Self.kilobytes()
                #expect(try file.refusal() != nil)
                let after = try Self.kilobytes()
                for (name, size) in after { #expect(size - before[name]! < 1024, "\(name) of a file of \(file.bytes.count)") }
            }
        }

        /// Peaks of address space and of memory in use.
        private static func kilobytes() throws -> [String: Int] {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            var sizes: [String: Int] = [:]
            for line in status.split(separator: "\n") {
                let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
                guard let name = words.first, ["VmPeak", "VmHWM"].contains(name) else { continue }
                let size: Int = try #require(Int(words[1]))
                sizes[String(name)] = size
            }
            return sizes
        }
    #endif
}
