extension ImageReference {
    /// The name of `resolved(in:)` in the betas of 27.
    public func resolve(in transcript: Transcript) -> Transcript.ImageAttachment? {
        resolved(in: transcript)
    }
}
