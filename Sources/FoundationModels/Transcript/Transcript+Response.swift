public import Foundation

extension Transcript {
    /// What the model answered.
    public struct Response: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var assetIDs: [String]
        public var segments: [Transcript.Segment]
        /// What the model said about the answer: its id, why it ended, how fast it was.
        public private(set) var metadata: [String: GeneratedContent]

        public init(id: String = UUID().uuidString, assetIDs: [String], segments: [Transcript.Segment]) {
            self.id = id
            self.assetIDs = assetIDs
            self.segments = segments
            metadata = [:]
        }

        public init(
            id: String = UUID().uuidString, metadata: [String: any ConvertibleToGeneratedContent] = [:],
            segments: [Transcript.Segment]
        ) {
            self.id = id
            assetIDs = []
            self.segments = segments
            self.metadata = metadata.lowered
        }

        package init(
            id: String, assetIDs: [String], metadata: [String: GeneratedContent], segments: [Transcript.Segment]
        ) {
            self.id = id
            self.assetIDs = assetIDs
            self.segments = segments
            self.metadata = metadata
        }

        public var description: String { "(Response) \(segments.joinedDescription)" }
    }

    /// What the model thought on the way. A signature vouches for it; the segments may then be a summary.
    public struct Reasoning: Sendable, Identifiable, Equatable, CustomStringConvertible {
        public var id: String
        public var segments: [Transcript.Segment]
        public var signature: Data?
        public var metadata: [String: GeneratedContent]

        public init(
            id: String = UUID().uuidString, metadata: [String: any ConvertibleToGeneratedContent] = [:],
            segments: [Transcript.Segment], signature: Data? = nil
        ) {
            self.id = id
            self.segments = segments
            self.signature = signature
            self.metadata = metadata.lowered
        }

        public var description: String { "(Reasoning) \(segments.joinedDescription)" }
    }
}
