/// How tokens are chosen and when to stop. Everything that is nil is left to the model.
public struct GenerationOptions: Sendable, Equatable {
    public var samplingMode: GenerationOptions.SamplingMode?
    /// 0 means greedy. Negative and non-finite values are refused by the models of this package.
    public var temperature: Double?
    /// The answer ends after this many tokens, without an error; an object may then be cut and fail to decode.
    public var maximumResponseTokens: Int?
    /// Whether tools may, must or must not be called; nil means that they may.
    public var toolCallingMode: GenerationOptions.ToolCallingMode?

    public init(
        samplingMode: GenerationOptions.SamplingMode? = nil,
        temperature: Double? = nil,
        maximumResponseTokens: Int? = nil
    ) {
        self.samplingMode = samplingMode
        self.temperature = temperature
        self.maximumResponseTokens = maximumResponseTokens
    }

    public init(
        samplingMode: GenerationOptions.SamplingMode? = nil,
        temperature: Double? = nil,
        maximumResponseTokens: Int? = nil,
        toolCallingMode: GenerationOptions.ToolCallingMode?
    ) {
        self.samplingMode = samplingMode
        self.temperature = temperature
        self.maximumResponseTokens = maximumResponseTokens
        self.toolCallingMode = toolCallingMode
    }
}
