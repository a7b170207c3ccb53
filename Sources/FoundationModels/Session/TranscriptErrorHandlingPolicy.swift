/// What becomes of the transcript when a request fails or is cancelled.
public struct TranscriptErrorHandlingPolicy: Sendable {
    let preserves: Bool

    /// The transcript is again what it was before the request. So it is when nothing is said.
    public static let revertTranscript = TranscriptErrorHandlingPolicy(preserves: false)

    /// The prompt and what came of the answer stay; the last entry may be partial.
    public static let preserveTranscript = TranscriptErrorHandlingPolicy(preserves: true)
}
