public import Foundation

extension Transcript {
    /// An image, or bytes of another type, with the label by which the model can speak of it.
    public struct AttachmentSegment: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var content: Transcript.Attachment
        public var label: String?

        public init(id: String = UUID().uuidString, content: Transcript.Attachment, label: String? = nil) {
            self.id = id
            self.content = content
            self.label = label
        }

        public var description: String {
            let kind =
                switch content {
                case .image(let image): image.url?.lastPathComponent ?? "image"
                case .data(let data): data.contentType.identifier
                }
            return label.map { "[\($0): \(kind)]" } ?? "[\(kind)]"
        }
    }

    public enum Attachment: Sendable, Equatable {
        case image(Transcript.ImageAttachment)
        case data(Transcript.DataAttachment)
    }

    /// Bytes with a type and metadata, as part of a prompt.
    public struct DataAttachment: Sendable, Equatable {
        public var contentType: UTType
        public var content: Data
        public var metadata: GeneratedContent

        public init(
            contentType: UTType, content: Data, metadata: GeneratedContent = GeneratedContent(properties: [:])
        ) {
            self.contentType = contentType
            self.content = content
            self.metadata = metadata
        }
    }

    /// Bytes with a type and metadata, as an entry of their own.
    public struct DataEntry: Sendable, Identifiable, Equatable {
        public var id: String
        public var contentType: UTType
        public var content: Data
        public var metadata: GeneratedContent

        public init(
            id: String = UUID().uuidString, contentType: UTType, content: Data,
            metadata: GeneratedContent = GeneratedContent(properties: [:])
        ) {
            self.id = id
            self.contentType = contentType
            self.content = content
            self.metadata = metadata
        }
    }
}

/// A value that can travel as a data attachment.
public protocol DataAttachmentRepresentable: Sendable {
    init(_ attachment: Transcript.DataAttachment) throws
    var transcriptRepresentation: Transcript.DataAttachment { get }
}

/// A value that can travel as a data entry.
public protocol DataEntryRepresentable: Sendable {
    init(_ entry: Transcript.DataEntry) throws
    var transcriptRepresentation: Transcript.DataEntry { get }
}
