import HearthJSON

/// The form in which transcripts are saved:
///
///     {"type": "FoundationModels.Transcript", "version": "1.1", "transcript": {"entries": [...]}}
///
/// Versions 1 (the 26 SDK) and 1.1 are read, 1.1 is written. Coders keep no order of keys, so a value whose properties
/// have an order is written a second time as text, under its key with `JSON` added; that text holds when both are there.
extension Transcript: Codable {
    static let formatName = "FoundationModels.Transcript"

    public func encode(to encoder: any Encoder) throws {
        let writer = TranscriptWriter()
        let entries = try self.entries.map(writer.entry)
        let json: JSON = [
            "type": .string(Transcript.formatName), "version": "1.1", "transcript": ["entries": .array(entries)],
        ]
        try CodableJSON(json).encode(to: encoder)
    }

    /// - Throws: `DecodingError` that names the entry and what is wrong with it.
    public init(from decoder: any Decoder) throws {
        let json = try CodableJSON(from: decoder).json
        do {
            self = Transcript(entries: try TranscriptReader.entries(of: json))
        } catch let problem as TranscriptFormatError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: problem.description, underlyingError: problem))
        }
    }
}

/// Why a document is no transcript that we read.
package struct TranscriptFormatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Such as `entries[3].contents[0]`.
    package let place: String
    package let problem: String

    package var description: String { "Transcript, \(place): \(problem)" }
}
