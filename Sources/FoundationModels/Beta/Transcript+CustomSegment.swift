import Foundation

extension Transcript {
    /// A segment of a type of your own, for modalities that the framework has no case for (betas of 27).
    ///
    /// The minimal conformance has an id and a content. Its text for the model is then the content's JSON.
    public protocol CustomSegment: InstructionsRepresentable, PromptRepresentable, CustomStringConvertible, Equatable,
        Identifiable, Sendable
    {
        associatedtype Content: Decodable, Encodable, Equatable, Sendable
        var id: String { get }
        var content: Self.Content { get }
    }
}

extension Transcript.CustomSegment {
    public var promptRepresentation: Prompt { return Prompt(parts: [.custom(self)]) }

    public var instructionsRepresentation: Instructions { return Instructions(parts: [.custom(self)]) }

    /// The content as JSON, or as Swift prints it when it cannot be encoded.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(content), as: UTF8.self)
        } catch {
            return String(describing: content)
        }
    }
}
