public import Foundation

/// What is wrong with a recording, or with how it is played.
public enum RecordingError: Error, Hashable, LocalizedError {
    case notJSON(reason: String)
    case otherFormat(found: String)
    case otherVersion(found: Int)
    /// - Parameter place: the round and event, such as `rounds[0].events[3]`.
    case missing(field: String, place: String)
    case unknownWord(word: String, place: String)
    case notBase64(field: String, place: String)
    case noRoundLeft(rounds: Int)
    case otherRequest(round: Int, recorded: [String], asked: [String])

    public var errorDescription: String? { words }
}

/// An error of a recorded round that is none of the framework's: what remains of it is its type's name and its words.
public struct RecordedFailure: Error, Hashable, LocalizedError {
    public let type: String
    public let message: String

    public init(type: String, message: String) {
        self.type = type
        self.message = message
    }

    public var errorDescription: String? { message }
}
