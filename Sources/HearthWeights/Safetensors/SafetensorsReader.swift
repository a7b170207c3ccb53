import HearthJSON
import HearthKernelTypes

/// Reads the header of one safetensors file and checks that each tensor has its bytes, and its own
/// (safetensors format text, "Format").
///
///     length u64 | that many bytes of JSON: {name: {dtype, shape, data_offsets: [begin, end]}} | data
struct SafetensorsReader {
    /// The format text's own limit.
    static let longestHeader: UInt64 = 100_000_000
    /// In the file's words, translated by `TensorNames`.
    struct Record {
        let name: String
        /// Nil for a type that only tensors that nobody reads may have.
        let type: ElementType?
        let dtype: String
        let shape: [Int]
        let byteRange: Range<Int>
    }

    static func read(_ file: MappedFile) throws(CheckpointError) -> [Record] {
        try file.withSpan { bytes throws(CheckpointError) in
            var reader = ByteReader(path: file.path)
            let length = try reader.read(UInt64.self, "the length of the header", bytes)
            // Compared, never added: the prefix may be any number (T-12).
            guard length >= 2, length <= longestHeader, length <= UInt64(reader.left(bytes)) else {
                throw CheckpointError(file.path, .headerLength(length, left: reader.left(bytes)))
            }
            let range = try reader.items(length, of: 1, "the header", bytes)
            let header: JSON
            do throws(JSONError) { header = try JSON.parse(copy(range, of: bytes)) } catch {
                throw CheckpointError(file.path, .badJSON("\(error)"))
            }
            guard let members = header.objectValue else {
                throw CheckpointError(file.path, .badJSON("The header is no object."))
            }
            var records: [Record] = []
            records.reserveCapacity(members.count)
            for member in members where member.key != "__metadata__" {
                records.append(try record(member.key, member.value, dataStart: range.upperBound, file))
            }
            try checkOverlaps(records, file)
            return records
        }
    }

    private static func record(
        _ name: String, _ value: JSON, dataStart: Int, _ file: MappedFile
    ) throws(CheckpointError) -> Record {
        func fail(_ reason: String) -> CheckpointError { CheckpointError(file.path, .badRecord(tensor: name, reason: reason)) }
        guard let dtype = value["dtype"]?.stringValue else { throw fail("it has no `dtype`") }
        guard let dimensions = value["shape"]?.arrayValue else { throw fail("it has no `shape`") }
        var shape: [Int] = []
        var count = 1
        for dimension in dimensions {
            guard case .integer(let number) = dimension, let size = Int(exactly: number), size > 0 else {
                throw fail("its shape holds \(dimension), where a whole number of 1 or more is needed")
            }
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow else { throw fail("its shape has more values than can be counted") }
            count = product
            shape.append(size)
        }

        // Two whole numbers in order, inside the data (T-15).
        guard let offsets = value["data_offsets"]?.arrayValue, offsets.count == 2,
            case .integer(let begin) = offsets[0], case .integer(let end) = offsets[1], begin >= 0, begin <= end
        else {
            throw fail("its `data_offsets` are \(value["data_offsets"]?.description ?? "missing"), where two whole numbers in order are needed")
        }
        guard end <= Int64(file.count - dataStart) else {
            throw CheckpointError(file.path, .tensorPastEnd(tensor: name, end: UInt64(end), size: file.count - dataStart))
        }
        guard let width = widths[dtype] else { throw CheckpointError(file.path, .unsupportedDType(tensor: name, dtype: dtype)) }
        let (needed, overflow) = count.multipliedReportingOverflow(by: width)
        guard !overflow, Int64(needed) == end - begin else {
            throw fail("its shape \(shape) of \(dtype) needs \(overflow ? "more bytes than can be counted" : "\(needed) bytes"), and its range has \(end - begin)")
        }
        return Record(
            name: name, type: types[dtype], dtype: dtype, shape: shape,
            byteRange: dataStart + Int(begin)..<dataStart + Int(end))
    }

    private static func checkOverlaps(_ records: [Record], _ file: MappedFile) throws(CheckpointError) {
        let sorted = records.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
        for (first, second) in zip(sorted, sorted.dropFirst())
        where first.byteRange.upperBound > second.byteRange.lowerBound {
            throw CheckpointError(file.path, .overlap(first: first.name, second: second.name))
        }
    }

    private static let types: [String: ElementType] = ["F32": .f32, "F16": .f16, "BF16": .bf16]
    /// Bytes of a value of every type that the format names.
    private static let widths = [
        "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "U64": 8, "I32": 4, "U32": 4, "I16": 2, "U16": 2, "I8": 1, "U8": 1,
        "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1,
    ]
}
