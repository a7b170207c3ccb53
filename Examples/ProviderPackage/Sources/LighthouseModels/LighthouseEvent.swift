import Foundation

/// A line of the service's answer.
enum LighthouseEvent: Sendable {
    case text(String)
    case toolStart(id: String, name: String)
    case toolArguments(id: String, String)
    case toolRetracted(id: String)
    case thought(String)
    case thoughtSignature(Data)
    case usage(input: Int, cached: Int, output: Int, thought: Int)
    case failure(code: String, message: String)
    case done
}

extension LighthouseEvent: Decodable {
    private enum Key: String, CodingKey {
        case type, text, id, name, data, input, cached, output, thought, code, message
    }

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        switch try line.decode(String.self, forKey: .type) {
        case "text": self = .text(try line.decode(String.self, forKey: .text))
        case "tool_start":
            self = .toolStart(
                id: try line.decode(String.self, forKey: .id), name: try line.decode(String.self, forKey: .name))
        case "tool_arguments":
            self = .toolArguments(
                id: try line.decode(String.self, forKey: .id), try line.decode(String.self, forKey: .text))
        case "tool_retracted": self = .toolRetracted(id: try line.decode(String.self, forKey: .id))
        case "thought": self = .thought(try line.decode(String.self, forKey: .text))
        case "thought_signature": self = .thoughtSignature(try line.decode(Data.self, forKey: .data))
        case "usage":
            self = .usage(
                input: try line.decode(Int.self, forKey: .input), cached: try line.decode(Int.self, forKey: .cached),
                output: try line.decode(Int.self, forKey: .output), thought: try line.decode(Int.self, forKey: .thought)
            )
        case "error":
            self = .failure(
                code: try line.decode(String.self, forKey: .code),
                message: try line.decode(String.self, forKey: .message))
        case "done": self = .done
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: line, debugDescription: "unknown event '\(other)'")
        }
    }
}
