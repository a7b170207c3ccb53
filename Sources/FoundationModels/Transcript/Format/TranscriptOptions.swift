import HearthJSON

/// Reads the options of a saved prompt.
enum TranscriptOptions {
    static func options(_ json: JSON?, _ reader: TranscriptReader) throws -> GenerationOptions {
        var options = GenerationOptions()
        guard let json else { return options }
        options.samplingMode = try json["samplingMode"].map { try samplingMode($0, reader) }
        options.temperature = json["temperature"]?.doubleValue
        options.maximumResponseTokens = json["maximumResponseTokens"]?.intValue
        switch json["toolCallingMode"]?.stringValue {
        case nil: break
        case "allowed"?: options.toolCallingMode = .allowed
        case "required"?: options.toolCallingMode = .required
        case "disallowed"?: options.toolCallingMode = .disallowed
        case let mode?: throw reader.problem("the tool-calling mode '\(mode)' is not known.")
        }
        return options
    }

    private static func samplingMode(
        _ json: JSON, _ reader: TranscriptReader
    ) throws -> GenerationOptions.SamplingMode {
        var seed: UInt64?
        if let text = json["seed"]?.stringValue {
            seed = UInt64(text)
            if seed == nil { throw reader.problem("the seed '\(text)' is not a number of 64 bits.") }
        }
        switch try reader.text(json, "kind") {
        case "greedy": return .greedy
        case "topK":
            guard let k = json["k"]?.intValue else { throw reader.problem("'k' is missing or is not a whole number.") }
            return .random(top: k, seed: seed)
        case "probabilityThreshold":
            guard let threshold = json["threshold"]?.doubleValue else {
                throw reader.problem("'threshold' is missing or is not a number.")
            }
            return .random(probabilityThreshold: threshold, seed: seed)
        case let kind: throw reader.problem("the sampling mode '\(kind)' is not known.")
        }
    }

    static func contextOptions(_ json: JSON?, _ reader: TranscriptReader) throws -> ContextOptions {
        var options = ContextOptions()
        guard let json else { return options }
        options.includeSchemaInPrompt = json["includeSchemaInPrompt"]?.boolValue
        guard let level = json["reasoningLevel"] else { return options }
        switch level.stringValue {
        case "light": options.reasoningLevel = .light
        case "moderate": options.reasoningLevel = .moderate
        case "deep": options.reasoningLevel = .deep
        default:
            guard let name = level["custom"]?.stringValue else {
                throw reader.problem("the reasoning level \(level) is not known.")
            }
            options.reasoningLevel = .custom(name)
        }
        return options
    }
}
