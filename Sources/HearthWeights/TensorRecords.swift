import HearthKernelTypes

/// Reads the tensor records of a GGUF file and checks that each has its bytes, aligned and its own.
///
///     name string | dimensions u32 | that many u64, fastest first | type u32 | offset u64 from the data section
struct TensorRecords {
    private struct Record {
        let name: String
        let type: ElementType
        let shape: [Int]
        let byteCount: Int
        let offset: UInt64
    }

    /// - Parameter alignment: of the data section and each offset in it, bytes.
    static func read(
        _ count: Int, alignment: Int, _ reader: inout ByteReader, _ file: MappedFile, _ bytes: RawSpan
    ) throws(CheckpointError) -> [TensorHandle] {
        var records: [Record] = []
        var seen: Set<String> = []
        for index in 0..<count {
            let record = try record(index, &reader, bytes)
            guard seen.insert(record.name).inserted else {
                throw CheckpointError(reader.path, .duplicateTensor(record.name))
            }
            records.append(record)
        }
        // The data section starts at the next aligned place. Both numbers are below 2^63, but their sum need not be.
        let (padded, overflow) = reader.offset.addingReportingOverflow(alignment - 1)
        guard !overflow else { throw CheckpointError(reader.path, .badAlignment(UInt64(alignment))) }
        let start = padded & ~(alignment - 1)

        var tensors: [TensorHandle] = []
        tensors.reserveCapacity(count)
        for record in records {
            let range = try place(record, dataStart: start, alignment: alignment, file)
            tensors.append(
                TensorHandle(name: record.name, type: record.type, shape: record.shape, byteRange: range, file: file))
        }
        try checkOverlaps(tensors, file)
        return tensors
    }

    private static func record(
        _ index: Int, _ reader: inout ByteReader, _ bytes: RawSpan
    ) throws(CheckpointError) -> Record {
        let name = try ASCIIName.read("the name of tensor \(index + 1)", &reader, bytes)
        let path = reader.path
        let dimensions = try reader.read(UInt32.self, "the number of dimensions of \(name)", bytes)
        guard dimensions <= GGUFReader.maxDimensions else {
            throw CheckpointError(path, .tooManyDimensions(tensor: name, count: dimensions))
        }
        var stored: [UInt64] = []
        for _ in 0..<dimensions { stored.append(try reader.read(UInt64.self, "the dimensions of \(name)", bytes)) }
        let number = try reader.read(UInt32.self, "the type of \(name)", bytes)
        let offset = try reader.read(UInt64.self, "the offset of \(name)", bytes)
        guard let type = ElementType(rawValue: number) else {
            throw CheckpointError(path, .unsupportedType(tensor: name, number: number, name: TensorType.name(number)))
        }

        // Values in all, then bytes: each product is checked, since 2^32 x 2^32 is 0 in 64 bits (T-02).
        var shape: [Int] = []
        var total = 1
        for dimension in stored.reversed() {
            guard dimension > 0 else { throw CheckpointError(path, .emptyTensor(tensor: name, dimensions: stored)) }
            guard let size = Int(exactly: dimension),
                case (let product, let overflow) = total.multipliedReportingOverflow(by: size),
                !overflow
            else { throw CheckpointError(path, .sizeOverflow(tensor: name, dimensions: stored, type: type.name)) }
            total = product
            shape.append(size)
        }
        let columns = shape.last ?? 1
        guard columns % type.blockLength == 0 else {
            throw CheckpointError(
                path, .partialBlock(tensor: name, columns: columns, type: type.name, block: type.blockLength))
        }
        guard let byteCount = type.byteCount(of: total) else {
            throw CheckpointError(path, .sizeOverflow(tensor: name, dimensions: stored, type: type.name))
        }
        return Record(name: name, type: type, shape: shape, byteCount: byteCount, offset: offset)
    }

    /// Where the tensor is in the file; throws unless all of it is there.
    private static func place(
        _ record: Record, dataStart: Int, alignment: Int, _ file: MappedFile
    ) throws(CheckpointError) -> Range<Int> {
        guard record.offset % UInt64(alignment) == 0 else {
            throw CheckpointError(
                file.path, .misaligned(tensor: record.name, offset: record.offset, alignment: alignment))
        }
        let (from, first) = UInt64(dataStart).addingReportingOverflow(record.offset)
        let (end, second) = from.addingReportingOverflow(UInt64(record.byteCount))
        guard !first, !second, end <= UInt64(file.count) else {
            // An end that does not fit 64 bits is told as the largest number.
            let needed = first || second ? UInt64.max : end
            throw CheckpointError(
                file.path, .tensorPastEnd(tensor: record.name, end: needed, size: file.count))
        }
        return Int(from)..<Int(end)
    }

    /// Two tensors that share bytes: one of the records is wrong, and nobody can tell which.
    private static func checkOverlaps(_ tensors: [TensorHandle], _ file: MappedFile) throws(CheckpointError) {
        let sorted = tensors.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
        for (first, second) in zip(sorted, sorted.dropFirst())
        where first.byteRange.upperBound > second.byteRange.lowerBound {
            throw CheckpointError(file.path, .overlap(first: first.name, second: second.name))
        }
    }
}
