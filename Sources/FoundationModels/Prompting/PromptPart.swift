/// A piece of a prompt or of instructions, before it becomes a segment of the transcript.
package enum PromptPart: Sendable {
    case text(String)
    case structure(GeneratedContent, schemaName: String)
    case attachment(Transcript.Attachment, label: String?)
    case custom(any Transcript.CustomSegment)
}

extension [PromptPart] {
    /// The parts as segments. Texts that follow each other become one segment, a line each, so that every model
    /// reads them alike.
    package var segments: [Transcript.Segment] {
        var segments: [Transcript.Segment] = []
        for part in self {
            switch part {
            case .text(let text):
                if case .text(var last)? = segments.last {
                    last.content += "\n" + text
                    segments[segments.count - 1] = .text(last)
                } else {
                    segments.append(.text(Transcript.TextSegment(content: text)))
                }
            case .structure(let content, let name):
                segments.append(.structure(Transcript.StructuredSegment(schemaName: name, content: content)))
            case .attachment(let attachment, let label):
                segments.append(.attachment(Transcript.AttachmentSegment(content: attachment, label: label)))
            case .custom(let segment):
                segments.append(.custom(segment))
            }
        }
        return segments
    }
}
