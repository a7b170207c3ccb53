import Glibc

/// What stands on standard input, without waiting for a writer who never comes.
///
/// Beside a prompt, a file is read whole; a pipe or socket is read when its first byte or its end comes within a second,
/// and is left out otherwise, so that a program which inherits an open pipe still answers. Alone, it is waited for.
package struct StandardInput {
    /// 64 MiB: hundreds of times the longest context, small enough to hold.
    static let limit = 64 << 20
    /// How long a first byte may take beside a prompt.
    static let patience: Int32 = 1000  // milliseconds

    package enum Content: Equatable {
        case text([UInt8])
        /// Closed, a terminal, or at its end from the beginning.
        case nothing
        /// Open, and silent for a second.
        case silent
    }

    let descriptor: Int32

    package init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Reads beside a prompt (`waiting` false) or as the prompt itself.
    package func read(waiting: Bool) throws(CommandError) -> Content {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, !(isTerminal && !waiting) else { return .nothing }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        if !waiting && !isFile {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&entry, 1, Self.patience)
            if ready == 0 { return .silent }
        }
        let bytes = try Self.readAll(descriptor, path: nil)
        return bytes.isEmpty ? .nothing : .text(bytes)
    }

    /// - Parameter path: the file, or nil for standard input.
    static func readAll(_ descriptor: Int32, path: String?) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    // A non-blocking descriptor of somebody else's: wait until it has more.
                    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    _ = unsafe poll(&entry, 1, -1)
                    continue
                }
                let reason = FileDescriptor.reason(errno)
                throw path.map { .unreadable(path: $0, reason: reason) } ?? .unreadableInput(reason: reason)
            }
            bytes += chunk[..<count]
            if bytes.count > limit { throw .inputTooLong(source: path ?? "Standard input", limit: limit) }
        }
    }
}

/// A text file named on the command line.
package enum TextFile {
    package static func bytes(_ path: String) throws(CommandError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: FileDescriptor.reason(errno)) }
        defer { close(descriptor) }
        return try StandardInput.readAll(descriptor, path: path)
    }

    /// The bytes as text, or an error that names the first byte which is none.
    package static func text(_ bytes: [UInt8], source: String) throws(CommandError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw .inputNotText(source: source, byte: firstInvalid(bytes))
    }

    /// The offset of the first byte that begins no valid sequence.
    static func firstInvalid(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = CountingIterator(bytes: bytes)
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                iterator.valid += UTF8.width(scalar)
            case .emptyInput: return bytes.count
            case .error: return iterator.valid
            }
        }
    }

    private struct CountingIterator: IteratorProtocol {
        let bytes: [UInt8]
        var position = 0
        /// Bytes of the valid scalars so far; the decoder reads ahead of them.
        var valid = 0
        mutating func next() -> UInt8? {
            guard position < bytes.count else { return nil }
            defer { position += 1 }
            return bytes[position]
        }
    }
}
