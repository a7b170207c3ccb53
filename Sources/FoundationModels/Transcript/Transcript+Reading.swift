extension Transcript.Entry {
    /// The entry's segments; none for tool calls and data.
    package var segments: [Transcript.Segment] {
        switch self {
        case .instructions(let entry): entry.segments
        case .prompt(let entry): entry.segments
        case .toolOutput(let entry): entry.segments
        case .response(let entry): entry.segments
        case .reasoning(let entry): entry.segments
        case .toolCalls, .data: []
        }
    }
}

extension Sequence<Transcript.Entry> {
    /// The text of the response entries, without separators.
    package var responseText: String {
        var text = ""
        for case .response(let response) in self {
            for case .text(let segment) in response.segments { text += segment.content }
        }
        return text
    }
}
