import HearthKernelTypes

/// Reads the header of a GGUF file, version 2 or 3: metadata, then tensor records (GGUF format text, "File Structure").
///
///     "GGUF" | version u32 | tensors u64 | keys u64 | keys x (string, kind u32, value) | tensors x record | padding | data
///
/// Every number of the file is checked before it is used as a size, a count or a place.
struct GGUFReader {
    /// Arrays may be nested this deep. No known file nests at all; each level costs a stack frame here.
    static let deepest = 4
    /// `GGML_MAX_DIMS`: the format stores up to four dimensions.
    static let maxDimensions: UInt32 = 4
    /// The format text bounds keys; tensor names have 64 bytes there, but files with longer ones exist and load elsewhere.
    static let longestName = 65_535

    private let file: MappedFile
    private var reader: ByteReader

    private init(_ file: MappedFile) {
        self.file = file
        reader = ByteReader(path: file.path)
    }

    static func read(_ file: MappedFile) throws(CheckpointError) -> Checkpoint {
        try file.withSpan { bytes throws(CheckpointError) in
            var reader = GGUFReader(file)
            return try reader.checkpoint(bytes)
        }
    }

    private mutating func checkpoint(_ bytes: RawSpan) throws(CheckpointError) -> Checkpoint {
        // Head: `FileStart` has seen the magic.
        _ = try reader.items(4, of: 1, "the magic GGUF", bytes)
        let version = try reader.read(UInt32.self, "the version", bytes)
        guard version == 2 || version == 3 else {
            // A small number in the last byte: the version of a file for big-endian machines (T-09).
            let swapped = version.byteSwapped
            throw fail((1..<0x100).contains(swapped) ? .bigEndian(version: swapped) : .version(version))
        }
        let tensorCount = try reader.read(UInt64.self, "the number of tensors", bytes)
        let keyCount = try reader.read(UInt64.self, "the number of metadata keys", bytes)

        // A key needs at least 13 bytes (length, kind, one byte), a tensor record 24.
        try reader.checkRoom(keyCount, of: 13, "metadata keys", bytes)
        let metadata = try metadata(Int(keyCount), bytes)
        let alignment = try alignment(metadata)
        try reader.checkRoom(tensorCount, of: 24, "tensor records", bytes)
        let tensors = try TensorRecords.read(Int(tensorCount), alignment: alignment, &reader, file, bytes)
        return Checkpoint(metadata: metadata, tensors: tensors, files: [file], format: "GGUF \(version)")
    }

    // MARK: Metadata

    private mutating func metadata(_ count: Int, _ bytes: RawSpan) throws(CheckpointError) -> Metadata {
        var entries: [(key: String, value: MetadataValue)] = []
        var seen: Set<String> = []
        for index in 0..<count {
            let what = "metadata key \(index + 1)"
            let key = try ASCIIName.read(what, &reader, bytes)
            guard seen.insert(key).inserted else { throw fail(.duplicateKey(key)) }
            entries.append((key, try value(kind(of: key, bytes), key, depth: 0, bytes)))
        }
        return Metadata(entries, path: file.path)
    }

    private mutating func kind(of key: String, _ bytes: RawSpan) throws(CheckpointError) -> ValueKind {
        let number = try reader.read(UInt32.self, "the type of \(key)", bytes)
        guard let kind = ValueKind(rawValue: number) else { throw fail(.unknownKind(key: key, number: number)) }
        return kind
    }

    private mutating func value(
        _ kind: ValueKind, _ key: String, depth: Int, _ bytes: RawSpan
    ) throws(CheckpointError) -> MetadataValue {
        if kind == .string { return .string(copy(try reader.string("the value of \(key)", bytes), of: bytes)) }
        if kind == .array { return try array(key, depth: depth + 1, bytes) }
        let place = try reader.items(1, of: kind.size!, "the value of \(key)", bytes)
        if kind == .bool { try checkBools(place, key, bytes) }
        return kind.number(at: place.lowerBound, bytes)
    }

    private mutating func array(_ key: String, depth: Int, _ bytes: RawSpan) throws(CheckpointError) -> MetadataValue {
        guard depth <= Self.deepest else { throw fail(.tooDeep(key: key, deepest: Self.deepest)) }
        let kind = try kind(of: key, bytes)
        let count = try reader.read(UInt64.self, "the length of the array \(key)", bytes)
        if let size = kind.size {
            let place = try reader.items(count, of: size, "the array \(key)", bytes)
            if kind == .bool { try checkBools(place, key, bytes) }
            return .numbers(NumberArray(kind: kind, count: Int(count), size: size, start: place.lowerBound, file: file))
        }
        // A string needs 8 bytes at least (its length), an array 12 (kind and length).
        try reader.checkRoom(count, of: kind == .string ? 8 : 12, "the array \(key)", bytes)
        if kind == .string {
            var ranges: [Range<Int>] = []
            ranges.reserveCapacity(Int(count))
            for index in 0..<Int(count) { ranges.append(try reader.string("string \(index) of \(key)", bytes)) }
            return .strings(StringArray(ranges: ranges, file: file))
        }
        var values: [MetadataValue] = []
        for _ in 0..<Int(count) { values.append(try array(key, depth: depth + 1, bytes)) }
        return .arrays(values)
    }

    /// The format text calls a truth value other than 0 and 1 invalid.
    private func checkBools(_ place: Range<Int>, _ key: String, _ bytes: RawSpan) throws(CheckpointError) {
        for offset in place {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard byte <= 1 else { throw fail(.badBool(key: key, value: byte, offset: offset)) }
        }
    }

    // MARK: Alignment

    /// Of the data section and of each tensor in it: 32 unless `general.alignment` says otherwise.
    private func alignment(_ metadata: Metadata) throws(CheckpointError) -> Int {
        guard let value = metadata["general.alignment"] else { return 32 }
        guard case .unsigned(let number, .uint32) = value else {
            throw fail(.wrongType(key: "general.alignment", actual: value.kindName, expected: "a UINT32"))
        }
        // The format text asks for a multiple of 8, and every writer uses a power of two.
        guard number >= 8, number & (number - 1) == 0 else { throw fail(.badAlignment(number)) }
        return Int(number)
    }

    private func fail(_ cause: CheckpointError.Cause) -> CheckpointError { CheckpointError(file.path, cause) }
}

/// Names of keys and tensors: ASCII by the format text, so that equal text means equal bytes.
enum ASCIIName {
    static func read(
        _ what: @autoclosure () -> String, _ reader: inout ByteReader, _ bytes: RawSpan
    ) throws(CheckpointError) -> String {
        let place = try reader.string(what(), bytes)
        guard place.count <= GGUFReader.longestName else {
            throw CheckpointError(reader.path, .longName(what: what(), length: place.count))
        }
        let name = copy(place, of: bytes)
        guard name.allSatisfy({ $0 < 0x80 }) else { throw CheckpointError(reader.path, .notASCII(what: what())) }
        return String(decoding: name, as: UTF8.self)
    }
}
