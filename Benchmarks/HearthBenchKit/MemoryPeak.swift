import Foundation

/// The most memory that this process had at once (`VmHWM` of /proc/self/status), since the last reset.
///
/// Linux resets the mark where `5` is written to /proc/self/clear_refs (proc(5)), so that every load and every test has a
/// peak of its own in one process. Where that is refused there is no peak to tell.
package enum MemoryPeak {
    package static func reset() -> Bool {
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
        do {
            try file.write(contentsOf: Data("5\n".utf8))
            try file.close()
            return true
        } catch { return false }  // refused: an answer, not a failure
    }

    /// Bytes, or nil where the system does not say.
    package static func read() -> Int? {
        guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
        return highWater(in: String(decoding: status, as: UTF8.self))
    }

    package static func highWater(in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    /// What `body` gives, with the peak while it ran.
    package static func during<R>(_ body: () async throws -> R) async rethrows -> (result: R, peak: Int?) {
        let isReset = reset()
        let result = try await body()
        return (result, isReset ? read() : nil)
    }
}
