public import Foundation

/// An image, or data of another type, to stand in a prompt or in instructions.
///
///     try await session.respond {
///         "What colour is the car?"
///         Attachment(imageURL: url).label("car")
///     }
public struct Attachment<Content> {
    private let content: Transcript.Attachment
    private let text: String?

    /// Names the attachment, so that prompts and answers can speak of it.
    public func label(_ label: String) -> Attachment<Content> {
        Attachment(content: content, text: label)
    }
}

extension Attachment: Sendable {}

extension Attachment: PromptRepresentable {
    public var promptRepresentation: Prompt { return Prompt(parts: [.attachment(content, label: text)]) }
}

extension Attachment: InstructionsRepresentable {
    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.attachment(content, label: text)])
    }
}

extension Attachment where Content == ImageAttachmentContent {
    public init(imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
        self.init(
            content: .image(Transcript.ImageAttachment(imageURL: imageURL, orientation: orientation)), text: nil)
    }

    /// An encoded image; its type is read from its first bytes when it is not given.
    public init(data: Data, mimeType: String? = nil, orientation: CGImagePropertyOrientation? = nil) {
        let image = Transcript.ImageAttachment(data: data, mimeType: mimeType, orientation: orientation)
        self.init(content: .image(image), text: nil)
    }
}

extension Attachment where Content: DataAttachmentRepresentable {
    public init(_ content: Content) {
        self.init(content: .data(content.transcriptRepresentation), text: nil)
    }
}

/// What an ``Attachment`` of an image is an attachment of.
public struct ImageAttachmentContent: Sendable, Equatable {}
