package import FoundationModels
package import HearthJSON

/// The transcript as the messages that a chat template reads:
///
///     {"messages": [{"role": "system", "content": ...}, {"role": "user", "content": ...}, ...]}
///
/// | entry | becomes |
/// |---|---|
/// | instructions | a `system` message |
/// | prompt | a `user` message |
/// | response | an `assistant` message; several in a row are one |
/// | reasoning | nothing: models are not shown their earlier thoughts again |
/// | tool calls, tool outputs, data | refused by name |
///
/// Segments are lines: text as it is, structures as JSON, custom segments as they describe themselves. Of a response the
/// segments follow each other without a line end, as they were generated.
package enum PromptBuilder {
    package static func messages(of transcript: Transcript) throws(RefusedLocalRequest) -> [JSON] {
        var messages: [JSON] = []
        var isAfterResponse = false
        for entry in transcript {
            switch entry {
            case .instructions(let instructions):
                let text = try text(of: instructions.segments, in: entry, separator: "\n")
                if !text.isEmpty { messages.append(message("system", text)) }
            case .prompt(let prompt):
                messages.append(message("user", try text(of: prompt.segments, in: entry, separator: "\n")))
            case .response(let response):
                let text = try text(of: response.segments, in: entry, separator: "")
                if isAfterResponse, let last = messages.popLast() {
                    messages.append(message("assistant", (last["content"]?.stringValue ?? "") + text))
                } else {
                    messages.append(message("assistant", text))
                }
            case .reasoning: continue
            case .toolCalls, .toolOutput: throw .toolEntry(entry)
            case .data(let data): throw .data(entry, type: data.contentType.identifier)
            }
            isAfterResponse = if case .response = entry { true } else { false }
        }
        return messages
    }

    private static func message(_ role: String, _ content: String) -> JSON {
        ["role": .string(role), "content": .string(content)]
    }

    private static func text(
        of segments: [Transcript.Segment], in entry: Transcript.Entry, separator: String
    ) throws(RefusedLocalRequest) -> String {
        var texts: [String] = []
        for segment in segments {
            switch segment {
            case .text(let text): texts.append(text.content)
            case .structure(let structure): texts.append(structure.content.jsonString)
            case .custom(let custom): texts.append(text(of: custom))
            case .attachment(let attachment):
                switch attachment.content {
                case .image: throw .image(entry, label: attachment.label)
                case .data(let data): throw .data(entry, type: data.contentType.identifier)
                }
            }
        }
        return texts.joined(separator: separator)
    }

    /// A custom segment's text for the model. One that represents itself as itself is described.
    private static func text<Segment: Transcript.CustomSegment>(of segment: Segment) -> String {
        let texts = segment.promptRepresentation.parts.map { part in
            switch part {
            case .text(let text): text
            case .structure(let content, _): content.jsonString
            case .attachment, .custom: segment.description
            }
        }
        return texts.joined(separator: "\n")
    }
}
