import Foundation
import HearthJSON

/// Reads entries from JSON. Every problem is told with its place.
struct TranscriptReader {
    let place: String

    static func entries(of json: JSON) throws -> [Transcript.Entry] {
        let top = TranscriptReader(place: "top")
        let type = try top.text(json, "type")
        guard type == Transcript.formatName else { throw top.problem("the type is '\(type)', not a transcript's.") }
        let version = json["version"]
        let isKnown =
            version?.intValue == 1 || version?.doubleValue == 1.1 || ["1", "1.1"].contains(version?.stringValue)
        guard isKnown else {
            throw top.problem("version \(version?.description ?? "none") is not known; 1 and 1.1 are.")
        }
        guard let entries = json["transcript"]?["entries"]?.arrayValue else { throw top.problem("has no entries.") }
        return try entries.enumerated().map { try TranscriptReader(place: "entries[\($0)]").entry($1) }
    }

    func problem(_ words: String) -> TranscriptFormatError { TranscriptFormatError(place: place, problem: words) }

    func text(_ json: JSON, _ key: String) throws -> String {
        guard let value = json[key]?.stringValue else { throw problem("'\(key)' is missing or is not a string.") }
        return value
    }

    private func entry(_ json: JSON) throws -> Transcript.Entry {
        let id = try text(json, "id")
        let role = try text(json, "role")
        switch role {
        case "instructions":
            let tools = try (json["tools"]?.arrayValue ?? []).map(tool)
            return .instructions(.init(id: id, segments: try contents(json), toolDefinitions: tools))
        case "user":
            var prompt = Transcript.Prompt(
                id: id, segments: try contents(json), options: try TranscriptOptions.options(json["options"], self),
                responseFormat: try json["responseFormat"].map(format))
            prompt.contextOptions = try TranscriptOptions.contextOptions(json["contextOptions"], self)
            prompt.metadata = try metadata(json)
            return .prompt(prompt)
        case "response":
            if let calls = json["toolCalls"]?.arrayValue { return .toolCalls(.init(id: id, try calls.map(call))) }
            let assets = json["assets"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return .response(
                .init(id: id, assetIDs: assets, metadata: try metadata(json), segments: try contents(json)))
        case "tool":
            let callID = json["toolCallID"]?.stringValue ?? id
            return .toolOutput(.init(id: callID, toolName: try text(json, "toolName"), segments: try contents(json)))
        case "reasoning":
            var reasoning = Transcript.Reasoning(id: id, segments: try contents(json))
            reasoning.signature = try json["signature"].map { _ in try bytes(json, "signature") }
            reasoning.metadata = try metadata(json)
            return .reasoning(reasoning)
        case "data":
            return .data(
                .init(
                    id: id, contentType: UTType(exportedAs: try text(json, "contentType")),
                    content: try bytes(json, "data"), metadata: try content(json, "metadata") ?? emptyObject))
        default:
            throw problem("the role '\(role)' is not known.")
        }
    }

    private var emptyObject: GeneratedContent { GeneratedContent(properties: [:]) }

    private func bytes(_ json: JSON, _ key: String) throws -> Data {
        guard let data = Data(base64Encoded: try text(json, key)) else { throw problem("'\(key)' is not base64.") }
        return data
    }

    private func contents(_ json: JSON) throws -> [Transcript.Segment] {
        try (json["contents"]?.arrayValue ?? []).enumerated().map { index, segment in
            try TranscriptReader(place: "\(place).contents[\(index)]").segment(segment)
        }
    }

    private func segment(_ json: JSON) throws -> Transcript.Segment {
        let id = try text(json, "id")
        let type = try text(json, "type")
        switch type {
        case "text": return .text(.init(id: id, content: try text(json, "text")))
        case "structure":
            guard let structure = json["structure"], let content = try content(structure, "content") else {
                throw problem("the structure has no content.")
            }
            return .structure(.init(id: id, schemaName: try text(structure, "source"), content: content))
        case "attachment":
            guard let attachment = json["attachment"] else { throw problem("the attachment is missing.") }
            return .attachment(
                .init(id: id, content: try self.attachment(attachment), label: json["label"]?.stringValue))
        case "custom":
            guard let custom = json["custom"], let content = custom["content"] else {
                throw problem("the custom segment has no content.")
            }
            return .custom(
                ArchivedCustomSegment(
                    id: id, typeName: try text(custom, "type"), content: CodableJSON(content),
                    description: try text(custom, "description")))
        default: throw problem("the segment type '\(type)' is not known.")
        }
    }

    private func attachment(_ json: JSON) throws -> Transcript.Attachment {
        let type = try text(json, "type")
        switch type {
        case "image":
            let orientation = json["orientation"]?.intValue
                .flatMap { UInt32(exactly: $0) }.flatMap(CGImagePropertyOrientation.init(rawValue:))
            if json["url"] != nil {
                guard let url = URL(string: try text(json, "url")) else { throw problem("'url' is not an address.") }
                return .image(.init(imageURL: url, orientation: orientation))
            }
            return .image(
                .init(
                    data: try bytes(json, "data"), mimeType: json["mimeType"]?.stringValue, orientation: orientation))
        case "data":
            return .data(
                .init(
                    contentType: UTType(exportedAs: try text(json, "contentType")), content: try bytes(json, "data"),
                    metadata: try content(json, "metadata") ?? emptyObject))
        default: throw problem("the attachment type '\(type)' is not known.")
        }
    }

    private func tool(_ json: JSON) throws -> Transcript.ToolDefinition {
        guard let function = json["function"], let parameters = function["parameters"] else {
            throw problem("a tool has no function with parameters.")
        }
        return .init(
            name: try text(function, "name"), description: try text(function, "description"),
            parameters: try schema(parameters, named: nil))
    }

    private func format(_ json: JSON) throws -> Transcript.ResponseFormat {
        guard let form = json["jsonSchema"], let schema = form["schema"] else {
            throw problem("the response format has no schema.")
        }
        return .init(schema: try self.schema(schema, named: form["name"]?.stringValue))
    }

    private func schema(_ json: JSON, named name: String?) throws -> GenerationSchema {
        do {
            let schema = try SchemaReader.read(json)
            return GenerationSchema(name: name ?? schema.name, root: schema.root, definitions: schema.definitions)
        } catch {
            throw problem(error.description)
        }
    }

    private func call(_ json: JSON) throws -> Transcript.ToolCall {
        let arguments = try parsed(text(json, "arguments"), openLevels: json["openLevels"]?.intValue ?? 0)
        var call = Transcript.ToolCall(
            id: try text(json, "id"), toolName: try text(json, "name"), arguments: arguments)
        call.metadata = try metadata(json)
        return call
    }

    private func parsed(_ text: String, openLevels: Int) throws -> GeneratedContent {
        do {
            return GeneratedContent(try JSON.parse(text), openLevels: openLevels)
        } catch {
            throw problem("'\(text)' is not JSON. \(error)")
        }
    }

    /// A value, from its text where it was written as text too.
    private func content(_ json: JSON, _ key: String) throws -> GeneratedContent? {
        let openLevels = json["openLevels"]?.intValue ?? 0
        if let text = json[key + "JSON"]?.stringValue { return try parsed(text, openLevels: openLevels) }
        return json[key].map { GeneratedContent($0, openLevels: openLevels) }
    }

    private func metadata(_ json: JSON) throws -> [String: GeneratedContent] {
        guard let content = try content(json, "metadata") else { return [:] }
        guard case .structure(let properties, _) = content.kind else { throw problem("the metadata is not an object.") }
        return properties
    }
}
