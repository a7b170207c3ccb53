import Foundation
import FoundationModels
import FoundationModelsExtras
import HearthJSON

extension Recording {
    /// The recording as JSON, an event a member of its round's list. Images given by address stay addresses.
    public var json: String {
        var style = JSONStyle.compact
        style.indent = 1
        style.nonFinite = .word
        do {
            return try RecordingWriter.json(self).text(style)
        } catch {
            // With `.word` nothing is refused.
            preconditionFailure("\(error)")
        }
    }
}

/// Writes recordings. Members without a value are left out.
enum RecordingWriter {
    static let format = "hearth-recording"
    static let version: Int64 = 1

    static func json(_ recording: Recording) -> JSON {
        [
            "format": .string(format), "version": .integer(version),
            "capabilities": .array(
                CapabilityName.allCases.filter { recording.capabilities.contains($0.capability) }.map {
                    .string($0.rawValue)
                }),
            "rounds": .array(recording.rounds.map(json)),
        ]
    }

    private static func json(_ round: Recording.Round) -> JSON {
        object([
            ("asked", .array(round.asked.map { .string($0) })), ("events", .array(round.events.map(json))),
            ("failure", round.failure.map(FailureForm.json)),
        ])
    }

    static func json(_ event: LanguageModelExecutorGenerationChannel.Event) -> JSON {
        let target =
            switch event.kind {
            case .response: "response"
            case .reasoning: "reasoning"
            case .toolCalls: "toolCalls"
            case .data: "data"
            }
        let head: [(String, JSON?)] = [("to", .string(target)), ("entry", event.entryID.map { .string($0) })]
        return object(head + members(event.content))
    }

    private static func members(_ content: EventContent) -> [(String, JSON?)] {
        switch content {
        case .appendText(let fragment):
            [
                ("do", "appendText"), ("text", .string(fragment.content)),
                ("segment", fragment.segmentID.map { .string($0) }),
                ("tokens", .integer(Int64(fragment.tokenCount))),
            ]
        case .replaceText(let replacement):
            [
                ("do", "replaceText"), ("text", .string(replacement.content)),
                ("segment", replacement.segmentID.map { .string($0) }),
                ("tokens", .integer(Int64(replacement.tokenCount))),
            ]
        case .addAttachment(let segment): [("do", "addAttachment")] + members(segment)
        case .removeAttachment(let id): [("do", "removeAttachment"), ("id", .string(id))]
        case .updateCustomSegment(let segment): [("do", "updateCustomSegment")] + members(custom: segment)
        case .updateSignature(let signature):
            [
                ("do", "updateSignature"), ("signature", .string(signature.signature.base64EncodedString())),
                ("tokens", .integer(Int64(signature.tokenCount))),
            ]
        case .appendArguments(let fragment, let id, let name):
            [
                ("do", "appendArguments"), ("id", .string(id)), ("name", .string(name)),
                ("text", .string(fragment.content)),
                ("tokens", .integer(Int64(fragment.tokenCount))),
            ]
        case .updateCallMetadata(let metadata, let id, let name):
            [
                ("do", "updateCallMetadata"), ("id", .string(id)), ("name", .string(name)),
                ("metadata", json(metadata.values)),
            ]
        case .removeToolCall(let id): [("do", "removeToolCall"), ("id", .string(id))]
        case .updateMetadata(let metadata): [("do", "updateMetadata"), ("metadata", json(metadata.values))]
        case .updateUsage(let usage):
            [
                ("do", "updateUsage"), ("input", .integer(Int64(usage.input.totalTokenCount))),
                ("cached", .integer(Int64(usage.input.cachedTokenCount))),
                ("output", .integer(Int64(usage.output.totalTokenCount))),
                ("reasoning", .integer(Int64(usage.output.reasoningTokenCount))),
                ("metadata", usage.metadata.isEmpty ? Optional<JSON>.none : json(usage.metadata)),
            ]
        case .updateData(let update):
            [
                ("do", "updateData"), ("type", .string(update.contentType.identifier)),
                ("data", .string(update.content.base64EncodedString())), ("metadata", update.metadata.json),
            ]
        }
    }

    private static func members(_ segment: Transcript.AttachmentSegment) -> [(String, JSON?)] {
        var members: [(String, JSON?)] = [("id", .string(segment.id)), ("label", segment.label.map { .string($0) })]
        switch segment.content {
        case .image(let image):
            members += [
                ("url", image.url.map { .string($0.absoluteString) }),
                ("image", image.bytes.map { .string($0.base64EncodedString()) }),
                ("mimeType", image.bytes == nil ? nil : image.mimeType.map { .string($0) }),
            ]
        case .data(let data):
            members += [
                ("type", .string(data.contentType.identifier)), ("data", .string(data.content.base64EncodedString())),
                ("metadata", data.metadata.json),
            ]
        }
        return members
    }

    private static func members<Segment: Transcript.CustomSegment>(custom segment: Segment) -> [(String, JSON?)] {
        let content = (segment as? RecordedSegment)?.content ?? RecordedSegment.Content(of: segment)
        return [
            ("id", .string(segment.id)), ("type", .string(content.type)), ("content", .string(content.json)),
            ("description", .string(segment.description)),
        ]
    }

    /// Keys in order, so that equal metadata gives equal files.
    static func json(_ values: [String: GeneratedContent]) -> JSON {
        object(values.keys.sorted().map { ($0, values[$0]?.json) })
    }

    static func object(_ members: [(String, JSON?)]) -> JSON {
        var object = JSONObject()
        for (key, value) in members {
            if let value { object[key] = value }
        }
        return .object(object)
    }
}

/// The capabilities under the names that a file uses.
enum CapabilityName: String, CaseIterable {
    case toolCalling, guidedGeneration, reasoning, vision

    var capability: LanguageModelCapabilities.Capability {
        switch self {
        case .toolCalling: .toolCalling
        case .guidedGeneration: .guidedGeneration
        case .reasoning: .reasoning
        case .vision: .vision
        }
    }
}

extension RecordedSegment.Content {
    /// A content that cannot be encoded is kept as a JSON string of what Swift prints.
    init<Segment: Transcript.CustomSegment>(of segment: Segment) {
        type = "\(Segment.self)"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            json = String(decoding: try encoder.encode(segment.content), as: UTF8.self)
        } catch {
            json = JSON.string(String(describing: segment.content)).description
        }
    }
}
