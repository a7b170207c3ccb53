public import Foundation

extension Transcript {
    /// What the user asked, with the options it was asked under.
    public struct Prompt: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var segments: [Transcript.Segment]
        public var options: GenerationOptions
        public var responseFormat: Transcript.ResponseFormat?
        public var contextOptions: ContextOptions
        public var metadata: [String: GeneratedContent]

        public init(
            id: String = UUID().uuidString, segments: [Transcript.Segment],
            options: GenerationOptions = GenerationOptions(), responseFormat: Transcript.ResponseFormat? = nil
        ) {
            self.init(
                id: id, metadata: [:], segments: segments, options: options, responseFormat: responseFormat,
                contextOptions: ContextOptions())
        }

        public init(
            id: String = UUID().uuidString, metadata: [String: any ConvertibleToGeneratedContent] = [:],
            segments: [Transcript.Segment], options: GenerationOptions = GenerationOptions(),
            responseFormat: Transcript.ResponseFormat? = nil, contextOptions: ContextOptions = ContextOptions()
        ) {
            self.id = id
            self.segments = segments
            self.options = options
            self.responseFormat = responseFormat
            self.contextOptions = contextOptions
            self.metadata = metadata.lowered
        }

        public var description: String { "(Prompt) \(segments.joinedDescription)" }
    }

    /// The form in which an answer was asked for.
    public struct ResponseFormat: Sendable, Equatable, CustomStringConvertible {
        public let kind: Transcript.ResponseFormat.Kind

        public init<Content>(type: Content.Type) where Content: Generable {
            kind = .schema(type.generationSchema)
        }

        public init(schema: GenerationSchema) {
            kind = .schema(schema)
        }

        /// The schema's name.
        public var name: String {
            switch kind {
            case .schema(let schema): schema.name
            }
        }

        public var description: String { name }

        public enum Kind: Sendable, Equatable {
            case schema(GenerationSchema)

            public static func == (left: Kind, right: Kind) -> Bool {
                switch (left, right) {
                case (.schema(let a), .schema(let b)): a.isSame(as: b)
                }
            }
        }
    }
}
