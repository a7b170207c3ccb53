import HearthKernelTypes

/// Collects keys and values for a model that is in no GGUF file, in the form that its readers expect.
struct MetadataBuilder {
    let path: String
    private var entries: [(key: String, value: MetadataValue)] = []
    private var keys: Set<String> = []

    init(path: String) { self.path = path }

    /// A key that is there already keeps its first value.
    private mutating func set(_ key: String, _ value: MetadataValue) {
        if keys.insert(key).inserted { entries.append((key, value)) }
    }

    mutating func set(_ key: String, _ value: Int?) {
        guard let value else { return }
        // UINT32 where it fits, as every converter writes it.
        set(key, UInt32(exactly: value).map { .unsigned(UInt64($0), kind: .uint32) } ?? .signed(Int64(value), kind: .int64))
    }

    mutating func set(_ key: String, _ value: Double?) {
        // Float32, as GGUF keeps numbers: both forms of a model compute with the same bits.
        if let value { set(key, .float(Double(Float(value)), kind: .float32)) }
    }

    mutating func set(_ key: String, _ value: Bool?) { if let value { set(key, .bool(value)) } }

    mutating func set(_ key: String, _ value: String?) { if let value { set(key, .string(Array(value.utf8))) } }

    mutating func set(_ key: String, bools: [Bool]) throws(CheckpointError) {
        try set(key, .bool, size: 1, bools.map { UInt8($0 ? 1 : 0) })
    }

    mutating func set(_ key: String, bytes: [UInt8]) throws(CheckpointError) { try set(key, .uint8, size: 1, bytes) }

    mutating func set(_ key: String, ints: [Int32]) throws(CheckpointError) { try set(key, .int32, size: 4, ints.map(\.littleEndian)) }

    mutating func set(_ key: String, floats: [Float]) throws(CheckpointError) {
        try set(key, .float32, size: 4, floats.map(\.bitPattern.littleEndian))
    }

    mutating func set(_ key: String, strings: [[UInt8]]) throws(CheckpointError) {
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(strings.count)
        var end = 0
        for string in strings {
            ranges.append(end..<end + string.count)
            end += string.count
        }
        let file = unsafe try MappedFile(made: end, for: path) { target in
            for (string, range) in zip(strings, ranges) where !range.isEmpty {
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[range]).copyBytes(from: string)
            }
        }
        set(key, .strings(StringArray(ranges: ranges, file: file)))
    }

    private mutating func set<T: BitwiseCopyable>(
        _ key: String, _ kind: ValueKind, size: Int, _ values: [T]
    ) throws(CheckpointError) {
        let file = unsafe try MappedFile(made: values.count * size, for: path) { target in
            unsafe values.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        set(key, .numbers(NumberArray(kind: kind, count: values.count, size: size, start: 0, file: file)))
    }

    func metadata() -> Metadata { Metadata(entries, path: path) }
}
