/// Why a weight file cannot be used, and which file it is.
package struct CheckpointError: Error, Equatable {
    /// The path as it was given.
    package let file: String
    package let cause: Cause

    package init(_ file: String, _ cause: Cause) {
        self.file = file
        self.cause = cause
    }

    package enum Cause: Equatable, Sendable {
        // The file as such
        case opening(errno: Int32)
        case notAFile
        case mapping(bytes: Int, errno: Int32)
        case empty
        case webPage
        case pointerFile
        case olderFormat
        case notAModel(start: [UInt8])
        case unreadable(String)
        // A model of several files
        case noWeights
        case severalModels([String])
        case missingShard(number: Int, of: Int)
        case wrongShard(key: String, actual: Int, expected: Int)
        case outsideFolder(tensor: String, file: String)
        // Safetensors and the JSON beside them
        case headerLength(UInt64, left: Int)
        case badJSON(String)
        case badRecord(tensor: String, reason: String)
        case unsupportedDType(tensor: String, dtype: String)
        case unknownTensor(tensor: String, family: String)
        case badSetting(key: String, value: String, supported: String)
        // Its head
        case bigEndian(version: UInt32)
        case version(UInt32)
        case endsEarly(what: String, offset: Int, needs: Int, left: Int)
        case lengthPastEnd(what: String, length: UInt64, offset: Int, left: Int)
        case countPastEnd(what: String, count: UInt64, size: Int, offset: Int, left: Int)
        case longName(what: String, length: Int)
        case notASCII(what: String)
        // Metadata
        case duplicateKey(String)
        case unknownKind(key: String, number: UInt32)
        case tooDeep(key: String, deepest: Int)
        case badBool(key: String, value: UInt8, offset: Int)
        case badAlignment(UInt64)
        case missingKey(String)
        case wrongType(key: String, actual: String, expected: String)
        case notUTF8(what: String)
        // Tensors
        case duplicateTensor(String)
        case tooManyDimensions(tensor: String, count: UInt32)
        case emptyTensor(tensor: String, dimensions: [UInt64])
        case sizeOverflow(tensor: String, dimensions: [UInt64], type: String)
        case partialBlock(tensor: String, columns: Int, type: String, block: Int)
        case unsupportedType(tensor: String, number: UInt32, name: String?)
        case misaligned(tensor: String, offset: UInt64, alignment: Int)
        case tensorPastEnd(tensor: String, end: UInt64, size: Int)
        case overlap(first: String, second: String)
    }

    /// Whether there is no such file, as against one that cannot be used.
    package var isNotFound: Bool { if case .opening(let code) = cause { code == 2 || code == 20 } else { false } }  // ENOENT, ENOTDIR
}
