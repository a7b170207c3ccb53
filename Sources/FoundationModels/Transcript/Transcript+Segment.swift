public import Foundation

extension Transcript {
    /// A part of an entry.
    public enum Segment: Sendable, Identifiable, Equatable, CustomStringConvertible {
        case text(Transcript.TextSegment)
        case structure(Transcript.StructuredSegment)
        case attachment(Transcript.AttachmentSegment)
        /// A type of the caller's or the model's own (betas of 27).
        case custom(any Transcript.CustomSegment)

        public var id: String {
            switch self {
            case .text(let segment): segment.id
            case .structure(let segment): segment.id
            case .attachment(let segment): segment.id
            case .custom(let segment): segment.id
            }
        }

        public var description: String {
            switch self {
            case .text(let segment): segment.description
            case .structure(let segment): segment.description
            case .attachment(let segment): segment.description
            case .custom(let segment): segment.description
            }
        }

        public static func == (left: Segment, right: Segment) -> Bool {
            switch (left, right) {
            case (.text(let a), .text(let b)): a == b
            case (.structure(let a), .structure(let b)): a == b
            case (.attachment(let a), .attachment(let b)): a == b
            case (.custom(let a), .custom(let b)): isEqual(a, b)
            case (.text, _), (.structure, _), (.attachment, _), (.custom, _): false
            }
        }

        private static func isEqual<A: CustomSegment>(_ a: A, _ b: any CustomSegment) -> Bool {
            (b as? A) == a
        }
    }

    /// Text.
    ///
    /// A segment has no metadata of its own, as Apple's has none. A provider that annotates text (citations) gives the
    /// segment an id and puts the annotation into its response's metadata under that id; both are kept when a transcript
    /// is saved:
    ///
    ///     await channel.send(.response(entryID: id, action: .appendText("It rains.", segmentID: "s1", tokenCount: 3)))
    ///     await channel.send(.response(entryID: id, action: .updateMetadata(["s1": Citation(url: source)])))
    public struct TextSegment: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var content: String

        public init(id: String = UUID().uuidString, content: String) {
            self.id = id
            self.content = content
        }

        public var description: String { content }
    }

    /// A value with the name of its schema.
    public struct StructuredSegment: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var content: GeneratedContent
        public var schemaName: String

        /// The name of ``schemaName`` in the 26 SDK.
        public var source: String {
            get { schemaName }
            set { schemaName = newValue }
        }

        public init(id: String = UUID().uuidString, source: String, content: GeneratedContent) {
            self.init(id: id, schemaName: source, content: content)
        }

        public init(id: String = UUID().uuidString, schemaName: String, content: GeneratedContent) {
            self.id = id
            self.schemaName = schemaName
            self.content = content
        }

        public var description: String { content.jsonString }
    }
}
