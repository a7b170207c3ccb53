/// Why a model is not there or could not be fetched. The words are in `ModelsError+Words.swift`.
package enum ModelsError: Error, Equatable {
    // Looking up
    case emptyName(known: [String])
    case unknownName(String, near: [String], known: [String])
    case noFile(path: String)
    case notFetched(name: String, size: Int64, folder: String)
    case wrongSize(name: String, path: String, actual: Int64, expected: Int64)
    case notAModel(name: String)
    case noTransport(source: String)
    // Fetching
    case noPython(path: String)
    case noPip(python: String, lastWords: String)
    case cannotRun(program: String, reason: String)
    case download(package: String, status: Int32, lastWords: String)
    case unpack(package: String, reason: String)
    case wrongLength(name: String, actual: Int64, expected: Int64)
    case wrongDigest(name: String, file: String, actual: String, expected: String)
    // The disk
    case noSpace(name: String, needed: Int64, free: Int64, folder: String)
    case diskFull(path: String)
    case store(path: String, doing: String, reason: String)

    /// What kind of failure it is, for exit codes and for callers that treat them alike.
    package enum Kind: Sendable {
        case notFound, unusable, refused, fetch, disk
    }

    package var kind: Kind {
        switch self {
        case .emptyName, .unknownName, .noFile, .notFetched: .notFound
        case .wrongSize: .unusable
        case .notAModel, .noTransport: .refused
        case .noPython, .noPip, .cannotRun, .download, .unpack, .wrongLength, .wrongDigest: .fetch
        case .noSpace, .diskFull, .store: .disk
        }
    }
}
