public import Foundation

extension Transcript {
    /// The calls that the model made at one point, in the order in which they were begun.
    public struct ToolCalls: Sendable, Identifiable, Equatable, RandomAccessCollection, CustomStringConvertible {
        public var id: String
        private var calls: [Transcript.ToolCall]

        public init<S>(id: String = UUID().uuidString, _ calls: S)
        where S: Sequence, S.Element == Transcript.ToolCall {
            self.id = id
            self.calls = Array(calls)
        }

        public subscript(position: Int) -> Transcript.ToolCall { calls[position] }

        public var startIndex: Int { calls.startIndex }

        public var endIndex: Int { calls.endIndex }

        public var description: String { "(Tool calls) \(calls.map(\.description).joined(separator: ", "))" }
    }

    public struct ToolCall: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var toolName: String
        public var arguments: GeneratedContent
        public var metadata: [String: GeneratedContent]

        public init(id: String, toolName: String, arguments: GeneratedContent) {
            self.init(id: id, metadata: [:], toolName: toolName, arguments: arguments)
        }

        public init(
            id: String, metadata: [String: any ConvertibleToGeneratedContent], toolName: String,
            arguments: GeneratedContent
        ) {
            self.id = id
            self.toolName = toolName
            self.arguments = arguments
            self.metadata = metadata.lowered
        }

        public var description: String { "\(toolName)(\(arguments.jsonString))" }
    }

    /// What one call gave. Its id is the call's.
    public struct ToolOutput: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var toolName: String
        public var segments: [Transcript.Segment]

        public init(id: String, toolName: String, segments: [Transcript.Segment]) {
            self.id = id
            self.toolName = toolName
            self.segments = segments
        }

        public var description: String { "(Tool output: \(toolName)) \(segments.joinedDescription)" }
    }
}
