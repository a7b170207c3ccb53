public import Foundation

extension Transcript {
    /// What the model was told to be. Stands first, when there is one.
    public struct Instructions: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var segments: [Transcript.Segment]
        public var toolDefinitions: [Transcript.ToolDefinition]

        public init(
            id: String = UUID().uuidString, segments: [Transcript.Segment],
            toolDefinitions: [Transcript.ToolDefinition]
        ) {
            self.id = id
            self.segments = segments
            self.toolDefinitions = toolDefinitions
        }

        public var description: String {
            let tools =
                toolDefinitions.isEmpty ? "" : " [tools: \(toolDefinitions.map(\.name).joined(separator: ", "))]"
            return "(Instructions)\(tools) \(segments.joinedDescription)"
        }
    }

    /// A tool as the model is told about it.
    public struct ToolDefinition: Sendable, Equatable {
        public var name: String
        public var description: String
        public var parameters: GenerationSchema

        public init(name: String, description: String, parameters: GenerationSchema) {
            self.name = name
            self.description = description
            self.parameters = parameters
        }

        public init(tool: some Tool) {
            self.init(name: tool.name, description: tool.description, parameters: tool.parameters)
        }

        public static func == (left: ToolDefinition, right: ToolDefinition) -> Bool {
            left.name == right.name && left.description == right.description
                && left.parameters.isSame(as: right.parameters)
        }
    }
}

extension [Transcript.Segment] {
    /// The segments as a reader would see them, one a line.
    var joinedDescription: String { map(\.description).joined(separator: "\n") }
}
