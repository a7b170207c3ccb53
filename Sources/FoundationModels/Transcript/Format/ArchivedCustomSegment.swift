import HearthJSON

/// A custom segment that was read from a saved transcript: its type is not known here, but its content and its text for
/// the model are.
package struct ArchivedCustomSegment: Transcript.CustomSegment {
    package let id: String
    package let typeName: String
    package let content: CodableJSON
    package let description: String

    var json: JSON {
        ["type": .string(typeName), "content": content.json, "description": .string(description)]
    }
}

extension CodableJSON: Equatable {
    package static func == (left: CodableJSON, right: CodableJSON) -> Bool { left.json == right.json }
}
