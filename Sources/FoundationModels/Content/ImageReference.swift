/// A model's word for an image of the conversation: the label of its attachment.
public struct ImageReference: Sendable, Equatable {
    public let attachmentLabel: String

    package init(attachmentLabel: String) {
        self.attachmentLabel = attachmentLabel
    }

    /// The image with that label; the last one when several have it.
    public func resolved(in transcript: some Sequence<Transcript.Entry>) -> Transcript.ImageAttachment? {
        var found: Transcript.ImageAttachment?
        for entry in transcript {
            for case .attachment(let segment) in entry.segments where segment.label == attachmentLabel {
                if case .image(let image) = segment.content { found = image }
            }
        }
        return found
    }
}

extension ImageReference: Generable {
    public nonisolated static var generationSchema: GenerationSchema {
        GenerationSchema(
            type: ImageReference.self, description: "A reference to an image by the label of its attachment",
            properties: [GenerationSchema.Property(name: "attachmentLabel", type: String.self)])
    }

    public nonisolated var generatedContent: GeneratedContent {
        GeneratedContent(properties: ["attachmentLabel": attachmentLabel])
    }

    public nonisolated init(_ content: GeneratedContent) throws {
        attachmentLabel = try content.value(forProperty: "attachmentLabel")
    }

    public nonisolated struct PartiallyGenerated: Identifiable, ConvertibleFromGeneratedContent, Equatable {
        public var id: GenerationID
        public var attachmentLabel: String.PartiallyGenerated?

        public nonisolated init(_ content: GeneratedContent) throws {
            id = content.id ?? GenerationID()
            attachmentLabel = try content.value(forProperty: "attachmentLabel")
        }
    }
}
