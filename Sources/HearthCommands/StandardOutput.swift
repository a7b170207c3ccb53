import Glibc

/// Standard output and standard error, byte by byte as they come: no buffer that a signal could lose.
///
/// Writing to a pipe whose reader went away throws `closedPipe` (SIGPIPE is ignored), a full disk throws `outputFull`.
package enum StandardOutput {
    package static func write(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

    package static func write(_ bytes: [UInt8]) throws(CommandError) {
        guard let code = unsafe bytes.withUnsafeBytes({ unsafe FileDescriptor.writeAll($0, to: STDOUT_FILENO) }) else {
            return
        }
        if code == EPIPE { throw .closedPipe }
        throw .outputFull(reason: FileDescriptor.reason(code))
    }

    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Diagnostics. What cannot be said there is lost: there is nowhere left to say it.
package enum StandardError {
    package static func line(_ text: String) { write(text + "\n") }

    package static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = unsafe FileDescriptor.writeAll(UnsafeRawBufferPointer(bytes), to: STDERR_FILENO) }
    }

    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// What both do with a descriptor.
enum FileDescriptor {
    /// Writes all bytes; returns the error number of a failure.
    static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var offset = 0
        while offset < buffer.count {
            let written = unsafe Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
            if written > 0 {
                offset += written
            } else if errno == EAGAIN {
                // A non-blocking descriptor of somebody else's: wait until it takes more.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Gives the three standard descriptors that the parent closed something to be, before anything else takes their
    /// numbers: reading finds an end, writing fails.
    static func fillStandard() {
        for descriptor in 0...2 where fcntl(Int32(descriptor), F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    /// `No space left on device`, as the system says it.
    static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
