/// One value of a file's metadata. Numbers keep the width class that the file gave them; arrays stay in the file.
package enum MetadataValue: Sendable {
    case unsigned(UInt64, kind: ValueKind)
    case signed(Int64, kind: ValueKind)
    case float(Double, kind: ValueKind)
    case bool(Bool)
    /// Bytes as they are in the file; UTF-8 is checked by who asks for text.
    case string([UInt8])
    case numbers(NumberArray)
    case strings(StringArray)
    /// Arrays inside an array; `GGUFReader.deepest` levels at most.
    case arrays([MetadataValue])

    /// What the value is, in the format's words, for messages: `UINT32`, `array of STRING`.
    package var kindName: String {
        switch self {
        case .unsigned(_, let kind), .signed(_, let kind), .float(_, let kind): kind.name
        case .bool: ValueKind.bool.name
        case .string: ValueKind.string.name
        case .numbers(let array): "array of \(array.kind.name)"
        case .strings: "array of STRING"
        case .arrays: "array of arrays"
        }
    }
}

/// The types of metadata values, by GGUF's numbers (`gguf_metadata_value_type` in the format text).
package enum ValueKind: UInt32, Sendable {
    case uint8 = 0
    case int8 = 1
    case uint16 = 2
    case int16 = 3
    case uint32 = 4
    case int32 = 5
    case float32 = 6
    case bool = 7
    case string = 8
    case array = 9
    case uint64 = 10
    case int64 = 11
    case float64 = 12

    package var name: String { String(describing: self).uppercased() }

    /// Bytes of one value in the file; nil where values differ in length.
    var size: Int? {
        switch self {
        case .uint8, .int8, .bool: 1
        case .uint16, .int16: 2
        case .uint32, .int32, .float32: 4
        case .uint64, .int64, .float64: 8
        case .string, .array: nil
        }
    }

    /// The value that the bytes at `offset` stand for. The caller has checked that they are there.
    func number(at offset: Int, _ bytes: RawSpan) -> MetadataValue {
        func load<V: FixedWidthInteger & BitwiseCopyable>(_ type: V.Type) -> V {
            V(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: V.self))
        }
        return switch self {
        case .uint8: .unsigned(UInt64(load(UInt8.self)), kind: self)
        case .uint16: .unsigned(UInt64(load(UInt16.self)), kind: self)
        case .uint32: .unsigned(UInt64(load(UInt32.self)), kind: self)
        case .uint64: .unsigned(load(UInt64.self), kind: self)
        case .int8: .signed(Int64(load(Int8.self)), kind: self)
        case .int16: .signed(Int64(load(Int16.self)), kind: self)
        case .int32: .signed(Int64(load(Int32.self)), kind: self)
        case .int64: .signed(load(Int64.self), kind: self)
        case .float32: .float(Double(Float(bitPattern: load(UInt32.self))), kind: self)
        case .float64: .float(Double(bitPattern: load(UInt64.self)), kind: self)
        case .bool: .bool(load(UInt8.self) != 0)
        case .string, .array: preconditionFailure("not a number")
        }
    }
}

/// Numbers or truth values of one kind, read from the mapped file when they are asked for.
package struct NumberArray: Sendable, RandomAccessCollection {
    package let kind: ValueKind
    package let count: Int
    let size: Int
    let start: Int
    let file: MappedFile

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(index: Int) -> MetadataValue {
        precondition(index >= 0 && index < count, "index outside the array")
        return file.withSpan { kind.number(at: start + index * size, $0) }
    }
}

/// Strings, read from the mapped file when they are asked for; only their places are kept.
package struct StringArray: Sendable, RandomAccessCollection {
    let ranges: [Range<Int>]
    let file: MappedFile

    package var startIndex: Int { 0 }
    package var endIndex: Int { ranges.count }

    /// The bytes of one string.
    package subscript(index: Int) -> [UInt8] {
        file.withSpan { copy(ranges[index], of: $0) }
    }

    /// The bytes of one string where they are, without a copy.
    package func withBytes<R, E: Error>(
        at index: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        unsafe try file.withBytes(ranges[index], body)
    }
}
