extension GenerationOptions {
    /// The name of ``samplingMode`` in the 26 SDK and in the betas of 27.
    public var sampling: GenerationOptions.SamplingMode? {
        get { samplingMode }
        set { samplingMode = newValue }
    }

    public init(
        sampling: GenerationOptions.SamplingMode?,
        temperature: Double? = nil,
        maximumResponseTokens: Int? = nil
    ) {
        self.init(samplingMode: sampling, temperature: temperature, maximumResponseTokens: maximumResponseTokens)
    }
}
