/// Reads little-endian values one after another from a span, and never past its end.
///
/// The span is passed to each read (a type that stores one cannot be written without experimental features yet); the
/// reader holds the place. Nothing is copied or reserved before the length that the file claims was compared with what
/// is left: cursor and length are never added before that.
struct ByteReader {
    /// The file, for messages.
    let path: String
    /// Next byte to be read, from the start of the span.
    private(set) var offset: Int = 0

    init(path: String, at offset: Int = 0) {
        self.path = path
        self.offset = offset
    }

    /// Bytes left.
    func left(_ bytes: RawSpan) -> Int { bytes.byteCount - offset }

    /// One integer of `Value`'s width. `what` names it for the error, as in "the version".
    mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type, _ what: @autoclosure () -> String, _ bytes: RawSpan
    ) throws(CheckpointError) -> Value {
        let size = MemoryLayout<Value>.size
        guard left(bytes) >= size else { throw endsEarly(needs: size, what(), bytes) }
        defer { offset += size }
        return Value(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// A 64-bit length followed by that many bytes; gives their range in the span. Nothing is copied.
    mutating func string(_ what: @autoclosure () -> String, _ bytes: RawSpan) throws(CheckpointError) -> Range<Int> {
        let length = try read(UInt64.self, "the length of \(what())", bytes)
        guard length <= UInt64(left(bytes)) else {
            throw CheckpointError(path, .lengthPastEnd(what: what(), length: length, offset: offset, left: left(bytes)))
        }
        return skip(Int(length))
    }

    /// `count` items of `size` bytes each; gives their range.
    mutating func items(
        _ count: UInt64, of size: Int, _ what: @autoclosure () -> String, _ bytes: RawSpan
    ) throws(CheckpointError) -> Range<Int> {
        try checkRoom(count, of: size, what(), bytes)
        return skip(Int(count) * size)
    }

    /// Throws unless `count` items of at least `size` bytes each can follow. Moves nothing.
    func checkRoom(
        _ count: UInt64, of size: Int, _ what: @autoclosure () -> String, _ bytes: RawSpan
    ) throws(CheckpointError) {
        // By division: a product of two numbers of the file could wrap.
        guard count <= UInt64(left(bytes) / size) else {
            throw CheckpointError(
                path, .countPastEnd(what: what(), count: count, size: size, offset: offset, left: left(bytes)))
        }
    }

    private mutating func skip(_ length: Int) -> Range<Int> {
        defer { offset += length }
        return offset..<offset + length
    }

    private func endsEarly(needs size: Int, _ what: String, _ bytes: RawSpan) -> CheckpointError {
        CheckpointError(path, .endsEarly(what: what, offset: offset, needs: size, left: left(bytes)))
    }
}

/// Bytes of a span as an array.
func copy(_ range: Range<Int>, of bytes: RawSpan) -> [UInt8] {
    unsafe bytes.extracting(range).withUnsafeBytes { unsafe [UInt8]($0) }
}
