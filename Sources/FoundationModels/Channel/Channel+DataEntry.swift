public import Foundation

extension LanguageModelExecutorGenerationChannel {
    /// A change to a data entry.
    public struct DataEntry: Sendable {
        public var entryID: String?
        public var action: LanguageModelExecutorGenerationChannel.DataEntry.Action

        public struct Action: Sendable {
            package let update: Update

            /// Sets the entry's content; the same entry id again replaces it.
            public static func update(
                contentType: UTType, content: Data,
                metadata: GeneratedContent = GeneratedContent(properties: [:])
            ) -> LanguageModelExecutorGenerationChannel.DataEntry.Action {
                Action(update: .init(contentType: contentType, content: content, metadata: metadata))
            }
        }

        public struct Update: Sendable {
            public var contentType: UTType
            public var content: Data
            public var metadata: GeneratedContent
        }
    }
}
