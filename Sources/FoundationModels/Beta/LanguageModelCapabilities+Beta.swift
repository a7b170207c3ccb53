extension LanguageModelCapabilities {
    /// The labelled spelling of the first betas of 27.
    public init(capabilities: [LanguageModelCapabilities.Capability]) {
        self.init(capabilities)
    }
}
