#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Small text files of the system.
enum SystemFile {
    /// The first 64 KiB of a file as text, or nil where it cannot be opened: absence is an answer here.
    /// (`/proc/cpuinfo` repeats itself per processor; the first entry is all that is asked for.)
    static func text(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0 && errno == EINTR { continue }
            if got <= 0 { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The whole number that a file begins with; nil where there is no file, or another word (`max`).
    static func number(_ path: String) -> Int? {
        text(path).flatMap { $0.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } }
    }
}
