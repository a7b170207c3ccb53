package import HearthKernelTypes

/// One matrix as a file holds it: `rows` x `columns`, row after row, each row whole blocks of `type`.
///
/// `bytes` stay valid for as long as `owner` lives.
@safe package struct WeightSource: @unchecked Sendable {
    package let name: String
    package let type: ElementType
    package let rows: Int
    package let columns: Int
    package let bytes: UnsafeRawBufferPointer
    package let owner: any AnyObject & Sendable
    /// Takes note that bytes of this range are not read again, so that their memory can be given back.
    package let discard: (@Sendable (Range<Int>) -> Void)?

    package init(
        name: String, type: ElementType, rows: Int, columns: Int, bytes: UnsafeRawBufferPointer,
        owner: any AnyObject & Sendable, discard: (@Sendable (Range<Int>) -> Void)? = nil
    ) {
        self.name = name
        self.type = type
        self.rows = rows
        self.columns = columns
        unsafe self.bytes = unsafe bytes
        self.owner = owner
        self.discard = discard
    }

    /// Bytes of one row, after shape and size were checked against each other.
    func checkedRowBytes() throws(KernelError) -> Int {
        guard rows > 0, columns > 0, !rows.multipliedReportingOverflow(by: columns).overflow else {
            throw .badShape(name: name, rows: rows, columns: columns)
        }
        guard columns % type.blockLength == 0 else {
            throw .raggedRow(name: name, type: type, columns: columns)
        }
        guard let rowBytes = type.byteCount(of: columns),
            case let (expected, overflow) = rowBytes.multipliedReportingOverflow(by: rows), !overflow
        else { throw .badShape(name: name, rows: rows, columns: columns) }
        let actual = unsafe bytes.count
        guard actual == expected else {
            throw .wrongByteCount(
                name: name, type: type, rows: rows, columns: columns, actual: actual, expected: expected)
        }
        return rowBytes
    }
}
