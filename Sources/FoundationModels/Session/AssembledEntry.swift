import Foundation

/// A response entry while its events come in.
struct AssembledText: Sendable {
    let id: String
    var segments: [Transcript.Segment] = []
    var metadata: [String: GeneratedContent] = [:]
    var signature: Data?

    /// Appends to the named segment, made when it is new; without a name, to the last segment if that is text.
    mutating func append(_ text: String, segmentID: String?) {
        if let index = index(of: segmentID, orLast: true), case .text(var segment) = segments[index] {
            // Taken out before it grows, so that the text is appended to in place.
            segments[index] = .text(Transcript.TextSegment(id: "", content: ""))
            segment.content += text
            segments[index] = .text(segment)
        } else {
            segments.append(.text(Transcript.TextSegment(id: segmentID ?? UUID().uuidString, content: text)))
        }
    }

    /// Replaces the named segment's text; without a name, that of the latest text segment.
    mutating func replace(_ text: String, segmentID: String?) {
        if let index = index(of: segmentID, orLast: false), case .text(var segment) = segments[index] {
            segment.content = text
            segments[index] = .text(segment)
        } else {
            segments.append(.text(Transcript.TextSegment(id: segmentID ?? UUID().uuidString, content: text)))
        }
    }

    private func index(of segmentID: String?, orLast: Bool) -> Int? {
        if let segmentID {
            return segments.firstIndex { segment in
                if case .text(let text) = segment { text.id == segmentID } else { false }
            }
        }
        if orLast {
            guard case .text? = segments.last else { return nil }
            return segments.count - 1
        }
        return segments.lastIndex { if case .text = $0 { true } else { false } }
    }

    mutating func update(_ custom: any Transcript.CustomSegment) {
        let index = segments.firstIndex { segment in
            if case .custom(let earlier) = segment { earlier.id == custom.id } else { false }
        }
        if let index { segments[index] = .custom(custom) } else { segments.append(.custom(custom)) }
    }

    mutating func removeAttachment(id: String) {
        segments.removeAll { segment in
            if case .attachment(let attachment) = segment { attachment.id == id } else { false }
        }
    }

    var text: String {
        var text = ""
        for case .text(let segment) in segments { text += segment.content }
        return text
    }

    var response: Transcript.Entry {
        .response(Transcript.Response(id: id, assetIDs: [], metadata: metadata, segments: segments))
    }

    var reasoning: Transcript.Entry {
        .reasoning(Transcript.Reasoning(id: id, metadata: metadata, segments: segments, signature: signature))
    }
}

/// A tool call while its arguments come in.
struct AssembledCall: Sendable {
    let id: String
    var name: String
    var argumentText = ""
    var metadata: [String: GeneratedContent]?
    /// Whether the session has run it.
    var isRun = false

    /// The call for the transcript. Arguments that are still coming in are what can be read of them.
    func call(entryMetadata: [String: GeneratedContent]) -> Transcript.ToolCall {
        var arguments = GeneratedContent(properties: [:])
        if !argumentText.isEmpty {
            do {
                arguments = try GeneratedContent(json: argumentText)
            } catch {
                // Not JSON: kept as the text it is, so that nothing is lost. Running the call reports it.
                arguments = GeneratedContent(argumentText)
            }
        }
        return Transcript.ToolCall(
            id: id, metadata: metadata ?? entryMetadata, toolName: name, arguments: arguments)
    }
}

/// An entry of tool calls while they come in.
struct AssembledCalls: Sendable {
    let id: String
    var calls: [AssembledCall] = []
    var metadata: [String: GeneratedContent] = [:]

    mutating func withCall(_ id: String, name: String, _ change: (inout AssembledCall) -> Void) {
        let index = calls.firstIndex { $0.id == id } ?? calls.endIndex
        if index == calls.endIndex { calls.append(AssembledCall(id: id, name: name)) }
        change(&calls[index])
    }

    var entry: Transcript.Entry {
        .toolCalls(Transcript.ToolCalls(id: id, calls.map { $0.call(entryMetadata: metadata) }))
    }
}
