import Foundation
import FoundationModels
import HearthJSON

extension Recording {
    /// - Throws: ``RecordingError`` with the place of what cannot be read.
    public init(json: String) throws(RecordingError) {
        let value: JSON
        do {
            value = try JSON.parse(json)
        } catch {
            throw .notJSON(reason: "\(error)")
        }
        let format = value["format"]?.stringValue
        guard format == RecordingWriter.format else { throw .otherFormat(found: format ?? "") }
        let file = RecordedFields(value: value, place: "the top")
        let version = try file.whole("version")
        guard version == Int(RecordingWriter.version) else { throw .otherVersion(found: version) }
        var capabilities: [LanguageModelCapabilities.Capability] = []
        for name in try file.list("capabilities") {
            guard let word = name.stringValue, let capability = CapabilityName(rawValue: word)?.capability else {
                throw .unknownWord(word: "\(name)", place: "capabilities")
            }
            capabilities.append(capability)
        }
        var rounds: [Round] = []
        for (index, round) in try file.list("rounds").enumerated() {
            rounds.append(try RecordingReader.round(RecordedFields(value: round, place: "rounds[\(index)]")))
        }
        self.init(capabilities: LanguageModelCapabilities(capabilities), rounds: rounds)
    }
}

/// Reads recordings.
enum RecordingReader {
    typealias Channel = LanguageModelExecutorGenerationChannel

    static func round(_ fields: RecordedFields) throws(RecordingError) -> Recording.Round {
        var asked: [String] = []
        for text in try fields.list("asked") {
            guard let text = text.stringValue else { throw .missing(field: "asked", place: fields.place) }
            asked.append(text)
        }
        var events: [Channel.Event] = []
        for (index, event) in try fields.list("events").enumerated() {
            events.append(try self.event(RecordedFields(value: event, place: "\(fields.place).events[\(index)]")))
        }
        var failure: (any Error)?
        if let value = fields.value["failure"] {
            failure = try FailureForm.error(RecordedFields(value: value, place: "\(fields.place).failure"))
        }
        return Recording.Round(asked: asked, events: events, failure: failure)
    }

    static func event(_ fields: RecordedFields) throws(RecordingError) -> Channel.Event {
        let entry = fields.value["entry"]?.stringValue
        let target = try fields.text("to")
        let verb = try fields.text("do")
        switch target {
        case "response": return .response(entryID: entry, action: try response(verb, fields))
        case "reasoning": return .reasoning(entryID: entry, action: try reasoning(verb, fields))
        case "toolCalls": return .toolCalls(entryID: entry, action: try toolCalls(verb, fields))
        case "data":
            guard verb == "updateData" else { throw .unknownWord(word: verb, place: fields.place) }
            return .data(
                entryID: entry,
                action: .update(
                    contentType: UTType(exportedAs: try fields.text("type")), content: try fields.bytes("data"),
                    metadata: try fields.content("metadata")))
        default: throw .unknownWord(word: target, place: fields.place)
        }
    }

    private static func response(
        _ verb: String, _ fields: RecordedFields
    ) throws(RecordingError) -> Channel.Response.Action {
        switch verb {
        case "appendText":
            return .appendText(
                try fields.text("text"), segmentID: fields.segment, tokenCount: try fields.whole("tokens"))
        case "replaceText":
            return .replaceTextSegment(
                try fields.text("text"), segmentID: fields.segment, tokenCount: try fields.whole("tokens"))
        case "addAttachment": return .addAttachmentSegment(try attachment(fields))
        case "removeAttachment": return .removeAttachmentSegment(id: try fields.text("id"))
        case "updateCustomSegment":
            return .updateCustomSegment(
                RecordedSegment(
                    id: try fields.text("id"),
                    content: .init(type: try fields.text("type"), json: try fields.text("content")),
                    description: try fields.text("description")))
        case "updateMetadata": return .updateMetadata(try fields.metadata())
        case "updateUsage":
            let usage = try fields.usage()
            return .updateUsage(input: usage.input, output: usage.output, metadata: usage.metadata)
        default: throw .unknownWord(word: verb, place: fields.place)
        }
    }

    private static func reasoning(
        _ verb: String, _ fields: RecordedFields
    ) throws(RecordingError) -> Channel.Reasoning.Action {
        switch verb {
        case "appendText":
            return .appendText(
                try fields.text("text"), segmentID: fields.segment, tokenCount: try fields.whole("tokens"))
        case "replaceText":
            return .replaceTextSegment(
                try fields.text("text"), segmentID: fields.segment, tokenCount: try fields.whole("tokens"))
        case "updateSignature":
            return .updateSignature(try fields.bytes("signature"), tokenCount: try fields.whole("tokens"))
        case "updateMetadata": return .updateMetadata(try fields.metadata())
        case "updateUsage":
            let usage = try fields.usage()
            return .updateUsage(input: usage.input, output: usage.output, metadata: usage.metadata)
        default: throw .unknownWord(word: verb, place: fields.place)
        }
    }

    private static func toolCalls(
        _ verb: String, _ fields: RecordedFields
    ) throws(RecordingError) -> Channel.ToolCalls.Action {
        switch verb {
        case "appendArguments":
            return .toolCall(
                id: try fields.text("id"), name: try fields.text("name"),
                action: .appendArguments(try fields.text("text"), tokenCount: try fields.whole("tokens")))
        case "updateCallMetadata":
            return .toolCall(
                id: try fields.text("id"), name: try fields.text("name"), action: .updateMetadata(try fields.metadata())
            )
        case "removeToolCall": return .removeToolCall(id: try fields.text("id"))
        case "updateMetadata": return .updateMetadata(try fields.metadata())
        case "updateUsage":
            let usage = try fields.usage()
            return .updateUsage(input: usage.input, output: usage.output, metadata: usage.metadata)
        default: throw .unknownWord(word: verb, place: fields.place)
        }
    }

    private static func attachment(_ fields: RecordedFields) throws(RecordingError) -> Transcript.AttachmentSegment {
        let content: Transcript.Attachment
        if let address = fields.value["url"]?.stringValue {
            guard let url = URL(string: address) else { throw .missing(field: "url", place: fields.place) }
            content = .image(Transcript.ImageAttachment(imageURL: url))
        } else if fields.value["image"] != nil {
            content = .image(
                Transcript.ImageAttachment(
                    data: try fields.bytes("image"), mimeType: fields.value["mimeType"]?.stringValue))
        } else {
            content = .data(
                Transcript.DataAttachment(
                    contentType: UTType(exportedAs: try fields.text("type")), content: try fields.bytes("data"),
                    metadata: try fields.content("metadata")))
        }
        return Transcript.AttachmentSegment(
            id: try fields.text("id"), content: content, label: fields.value["label"]?.stringValue)
    }
}

/// The members of one object, with its place for messages.
struct RecordedFields {
    let value: JSON
    let place: String

    var segment: String? { value["segment"]?.stringValue }

    func text(_ name: String) throws(RecordingError) -> String {
        guard let text = value[name]?.stringValue else { throw .missing(field: name, place: place) }
        return text
    }

    func whole(_ name: String) throws(RecordingError) -> Int {
        guard let number = value[name]?.intValue else { throw .missing(field: name, place: place) }
        return number
    }

    func list(_ name: String) throws(RecordingError) -> [JSON] {
        guard let list = value[name]?.arrayValue else { throw .missing(field: name, place: place) }
        return list
    }

    func bytes(_ name: String) throws(RecordingError) -> Data {
        guard let bytes = Data(base64Encoded: try text(name)) else { throw .notBase64(field: name, place: place) }
        return bytes
    }

    func content(_ name: String) throws(RecordingError) -> GeneratedContent {
        guard let json = value[name] else { throw .missing(field: name, place: place) }
        return GeneratedContent(json)
    }

    func metadata() throws(RecordingError) -> [String: GeneratedContent] {
        guard let object = value["metadata"]?.objectValue else { throw .missing(field: "metadata", place: place) }
        var values: [String: GeneratedContent] = [:]
        for member in object { values[member.key] = GeneratedContent(member.value) }
        return values
    }

    func usage() throws(RecordingError) -> LanguageModelExecutorGenerationChannel.Usage {
        LanguageModelExecutorGenerationChannel.Usage(
            input: .init(totalTokenCount: try whole("input"), cachedTokenCount: try whole("cached")),
            output: .init(totalTokenCount: try whole("output"), reasoningTokenCount: try whole("reasoning")),
            metadata: value["metadata"] == nil ? [:] : try metadata())
    }
}
