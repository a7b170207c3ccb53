import Foundation
import HearthJSON

/// Writes entries as JSON. Only a schema with a guide that does not fit, and a custom segment whose content cannot be
/// encoded, make it throw.
struct TranscriptWriter {
    func entry(_ entry: Transcript.Entry) throws -> JSON {
        var json = JSONObject()
        switch entry {
        case .instructions(let entry):
            json["role"] = "instructions"
            json["id"] = .string(entry.id)
            json["contents"] = try contents(entry.segments)
            json["tools"] = .array(try entry.toolDefinitions.map(tool))
        case .prompt(let entry):
            json["role"] = "user"
            json["id"] = .string(entry.id)
            json["contents"] = try contents(entry.segments)
            json["options"] = options(entry.options)
            if let format = entry.responseFormat { json["responseFormat"] = try self.format(format) }
            if entry.contextOptions != ContextOptions() {
                json["contextOptions"] = contextOptions(entry.contextOptions)
            }
            put(entry.metadata, "metadata", into: &json)
        case .toolCalls(let entry):
            json["role"] = "response"
            json["id"] = .string(entry.id)
            json["toolCalls"] = .array(entry.map(call))
        case .toolOutput(let entry):
            json["role"] = "tool"
            json["id"] = .string(entry.id)
            json["toolCallID"] = .string(entry.id)
            json["toolName"] = .string(entry.toolName)
            json["contents"] = try contents(entry.segments)
        case .response(let entry):
            json["role"] = "response"
            json["id"] = .string(entry.id)
            json["assets"] = .array(entry.assetIDs.map(JSON.string))
            json["contents"] = try contents(entry.segments)
            put(entry.metadata, "metadata", into: &json)
        case .reasoning(let entry):
            json["role"] = "reasoning"
            json["id"] = .string(entry.id)
            json["contents"] = try contents(entry.segments)
            if let signature = entry.signature { json["signature"] = .string(signature.base64EncodedString()) }
            put(entry.metadata, "metadata", into: &json)
        case .data(let entry):
            json["role"] = "data"
            json["id"] = .string(entry.id)
            json["contentType"] = .string(entry.contentType.identifier)
            json["data"] = .string(entry.content.base64EncodedString())
            put(entry.metadata, "metadata", into: &json)
        }
        return .object(json)
    }

    private func contents(_ segments: [Transcript.Segment]) throws -> JSON {
        .array(try segments.map(segment))
    }

    private func segment(_ segment: Transcript.Segment) throws -> JSON {
        var json = JSONObject()
        switch segment {
        case .text(let segment):
            json["type"] = "text"
            json["id"] = .string(segment.id)
            json["text"] = .string(segment.content)
        case .structure(let segment):
            json["type"] = "structure"
            json["id"] = .string(segment.id)
            var structure = JSONObject()
            structure["source"] = .string(segment.schemaName)
            put(segment.content, "content", into: &structure)
            json["structure"] = .object(structure)
        case .attachment(let segment):
            json["type"] = "attachment"
            json["id"] = .string(segment.id)
            if let label = segment.label { json["label"] = .string(label) }
            json["attachment"] = attachment(segment.content)
        case .custom(let segment):
            json["type"] = "custom"
            json["id"] = .string(segment.id)
            json["custom"] = try custom(segment)
        }
        return .object(json)
    }

    private func attachment(_ attachment: Transcript.Attachment) -> JSON {
        var json = JSONObject()
        switch attachment {
        case .image(let image):
            json["type"] = "image"
            json["orientation"] = .integer(Int64(image.orientation.rawValue))
            if let url = image.url {
                json["url"] = .string(url.absoluteString)
            } else if let bytes = image.bytes {
                json["data"] = .string(bytes.base64EncodedString())
                if let type = image.mimeType { json["mimeType"] = .string(type) }
            }
        case .data(let data):
            json["type"] = "data"
            json["contentType"] = .string(data.contentType.identifier)
            json["data"] = .string(data.content.base64EncodedString())
            put(data.metadata, "metadata", into: &json)
        }
        return .object(json)
    }

    private func custom<Segment: Transcript.CustomSegment>(_ segment: Segment) throws -> JSON {
        if let archived = segment as? ArchivedCustomSegment { return archived.json }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try JSON.parse(Array(encoder.encode(segment.content)))
        return ArchivedCustomSegment(
            id: segment.id, typeName: String(describing: Segment.self), content: CodableJSON(content),
            description: segment.description
        ).json
    }

    private func tool(_ definition: Transcript.ToolDefinition) throws -> JSON {
        [
            "type": "function",
            "function": [
                "name": .string(definition.name), "description": .string(definition.description),
                "parameters": try schema(definition.parameters),
            ],
        ]
    }

    private func format(_ format: Transcript.ResponseFormat) throws -> JSON {
        switch format.kind {
        case .schema(let schema):
            ["type": "jsonSchema", "jsonSchema": ["name": .string(schema.name), "schema": try self.schema(schema)]]
        }
    }

    private func schema(_ schema: GenerationSchema) throws -> JSON {
        let written = schema.written
        if let problem = written.problems.first { throw problem.error(schema: schema.name) }
        return written.json
    }

    private func call(_ call: Transcript.ToolCall) -> JSON {
        var json = JSONObject()
        json["id"] = .string(call.id)
        json["name"] = .string(call.toolName)
        json["arguments"] = .string(call.arguments.jsonString)
        if call.arguments.openLevels > 0 { json["openLevels"] = .integer(Int64(call.arguments.openLevels)) }
        put(call.metadata, "metadata", into: &json)
        return .object(json)
    }

    private func options(_ options: GenerationOptions) -> JSON {
        var json = JSONObject()
        if let mode = options.samplingMode {
            switch mode.kind {
            case .greedy: json["samplingMode"] = ["kind": "greedy"]
            case .randomTopK(let k, let seed):
                json["samplingMode"] = ["kind": "topK", "k": .integer(Int64(k)), "seed": self.seed(seed)]
            case .randomProbabilityThreshold(let threshold, let seed):
                json["samplingMode"] = [
                    "kind": "probabilityThreshold", "threshold": .number(threshold), "seed": self.seed(seed),
                ]
            }
        }
        if let temperature = options.temperature { json["temperature"] = .number(temperature) }
        if let count = options.maximumResponseTokens { json["maximumResponseTokens"] = .integer(Int64(count)) }
        switch options.toolCallingMode?.kind {
        case nil: break
        case .allowed: json["toolCallingMode"] = "allowed"
        case .required: json["toolCallingMode"] = "required"
        case .disallowed: json["toolCallingMode"] = "disallowed"
        }
        return .object(json)
    }

    /// As text: half of all seeds are beyond the whole numbers of JSON readers.
    private func seed(_ seed: UInt64?) -> JSON { seed.map { .string(String($0)) } ?? .null }

    private func contextOptions(_ options: ContextOptions) -> JSON {
        var json = JSONObject()
        if let include = options.includeSchemaInPrompt { json["includeSchemaInPrompt"] = .bool(include) }
        switch options.reasoningLevel {
        case nil: break
        case .light: json["reasoningLevel"] = "light"
        case .moderate: json["reasoningLevel"] = "moderate"
        case .deep: json["reasoningLevel"] = "deep"
        case .custom(let name): json["reasoningLevel"] = ["custom": .string(name)]
        }
        return .object(json)
    }

    private func put(_ content: GeneratedContent, _ key: String, into json: inout JSONObject) {
        json[key] = content.json
        if content.needsText { json[key + "JSON"] = .string(content.jsonString) }
        if content.openLevels > 0 { json["openLevels"] = .integer(Int64(content.openLevels)) }
    }

    private func put(_ metadata: [String: GeneratedContent], _ key: String, into json: inout JSONObject) {
        if metadata.isEmpty { return }
        let pairs = metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let content = GeneratedContent(pairs: pairs)
        json[key] = content.json
        if pairs.contains(where: { $0.1.needsText }) { json[key + "JSON"] = .string(content.jsonString) }
    }
}

extension GeneratedContent {
    /// Whether a coder would lose something: an order of properties, or whether a number is whole.
    fileprivate var needsText: Bool {
        switch kind {
        case .null, .bool, .string: false
        case .number: wholeNumber == nil
        case .array(let elements): elements.contains(where: \.needsText)
        case .structure(let properties, let order): order.count > 1 || properties.values.contains(where: \.needsText)
        }
    }

    /// How many values are unfinished on the path of last members.
    fileprivate var openLevels: Int {
        if isComplete { return 0 }
        switch kind {
        case .null, .bool, .number, .string: return 1
        case .array(let elements): return 1 + (elements.last?.openLevels ?? 0)
        case .structure(let properties, let order):
            return 1 + (order.last.flatMap { properties[$0]?.openLevels } ?? 0)
        }
    }
}
