public import FoundationModels

/// A custom segment of a recording. The type that made it is not known any more; its content and its words are.
public struct RecordedSegment: Transcript.CustomSegment {
    public struct Content: Codable, Equatable, Sendable {
        /// The name of the type that was recorded.
        public let type: String
        /// Its content, as JSON.
        public let json: String

        public init(type: String, json: String) {
            self.type = type
            self.json = json
        }
    }

    public let id: String
    public let content: Content
    public let description: String

    public init(id: String, content: Content, description: String) {
        self.id = id
        self.content = content
        self.description = description
    }

    public var promptRepresentation: Prompt { Prompt(description) }
    public var instructionsRepresentation: Instructions { Instructions(description) }
}
