package import HearthKernelTypes

/// Writes a GGUF file of version 3: the head first, then each tensor's bytes in the order of the records
/// (GGUF format text, "File Structure").
///
/// ```swift
/// let writer = GGUFWriter(metadata: checkpoint.metadata.entries, tensors: records)
/// write(writer.head)
/// for index in records.indices { write(bytes(index)); write(writer.padding(after: index)) }
/// ```
///
/// Where the bytes go is left to the caller.
package struct GGUFWriter {
    /// A tensor to be written.
    package struct Record: Sendable {
        package let name: String
        package let type: ElementType
        /// Rows first, as in `TensorHandle`.
        package let shape: [Int]
        /// What type and shape need.
        package let byteCount: Int

        package init(name: String, type: ElementType, shape: [Int], byteCount: Int) {
            self.name = name
            self.type = type
            self.shape = shape
            self.byteCount = byteCount
        }
    }

    /// Of the data section and of each tensor in it: the format's own where a file does not say.
    private static let alignment = 32

    /// Everything before the first tensor, padding included.
    package let head: [UInt8]
    private let tensors: [Record]

    /// - Parameter metadata: keys in ASCII, each once. `general.alignment` is left out: it is 32 here.
    package init(metadata: [(key: String, value: MetadataValue)], tensors: [Record]) {
        let entries = metadata.filter { $0.key != "general.alignment" }
        var bytes = Bytes()
        bytes.all += Array("GGUF".utf8)
        bytes.put(UInt32(3))
        bytes.put(UInt64(tensors.count))
        bytes.put(UInt64(entries.count))
        for entry in entries {
            bytes.put(Array(entry.key.utf8))
            bytes.putKind(of: entry.value)
            bytes.putValue(entry.value)
        }
        var offset: UInt64 = 0
        for tensor in tensors {
            bytes.put(Array(tensor.name.utf8))
            bytes.put(UInt32(tensor.shape.count))
            for size in tensor.shape.reversed() { bytes.put(UInt64(size)) }
            bytes.put(tensor.type.rawValue)
            bytes.put(offset)
            offset += UInt64(tensor.byteCount + Self.padding(tensor.byteCount))
        }
        bytes.all += [UInt8](repeating: 0, count: Self.padding(bytes.all.count))
        head = bytes.all
        self.tensors = tensors
    }

    /// Zeros that bring the next tensor to its place.
    package func padding(after index: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: Self.padding(tensors[index].byteCount))
    }

    private static func padding(_ count: Int) -> Int { (alignment - count % alignment) % alignment }

    /// Little-endian bytes, growing.
    private struct Bytes {
        var all: [UInt8] = []

        mutating func put(_ number: some FixedWidthInteger) {
            var rest = number
            for _ in 0..<number.bitWidth / 8 {
                all.append(UInt8(truncatingIfNeeded: rest))
                rest >>= 8
            }
        }

        mutating func put(_ string: [UInt8]) {
            put(UInt64(string.count))
            all += string
        }

        mutating func putKind(of value: MetadataValue) {
            let kind: ValueKind =
                switch value {
                case .unsigned(_, let kind), .signed(_, let kind), .float(_, let kind): kind
                case .bool: .bool
                case .string: .string
                case .numbers, .strings, .arrays: .array
                }
            put(kind.rawValue)
        }

        mutating func putValue(_ value: MetadataValue) {
            switch value {
            case .unsigned(let number, let kind): putNumber(number, kind)
            case .signed(let number, let kind): putNumber(UInt64(bitPattern: number), kind)
            case .float(let number, .float32): put(Float(number).bitPattern)
            case .float(let number, _): put(number.bitPattern)
            case .bool(let flag): put(UInt8(flag ? 1 : 0))
            case .string(let bytes): put(bytes)
            case .numbers(let array):
                put(array.kind.rawValue)
                put(UInt64(array.count))
                for number in array { putValue(number) }
            case .strings(let array):
                put(ValueKind.string.rawValue)
                put(UInt64(array.count))
                for string in array { put(string) }
            case .arrays(let items):
                put(ValueKind.array.rawValue)
                put(UInt64(items.count))
                for item in items { putValue(item) }  // each with its own kind and length
            }
        }

        /// The low bytes of a number, as many as its kind has.
        private mutating func putNumber(_ number: UInt64, _ kind: ValueKind) {
            for place in 0..<(kind.size ?? 0) { all.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
        }
    }
}
