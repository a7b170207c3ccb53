/// How an answer is made, in words that every provider knows.
public struct LanguageModelConfiguration: Sendable, Hashable {
    /// 0 always takes the likeliest token.
    public var temperature: Float
    /// The answer ends after this many tokens.
    public var maxTokens: Int?
    /// Tokens are drawn from the likeliest ones whose probabilities add up to this: more than 0, at most 1.
    public var topP: Float?
    /// The answer ends before the first of these texts, which is no part of it.
    public var stopSequences: [String]

    public init(
        temperature: Float = 0.7, maxTokens: Int? = nil, topP: Float? = nil, stopSequences: [String] = []
    ) {
        self.temperature = temperature
        self.maxTokens = maxTokens
        self.topP = topP
        self.stopSequences = stopSequences
    }

    /// - Throws: ``ChatError/badSetting(name:value:)`` for values that mean nothing.
    func check() throws(ChatError) {
        guard temperature.isFinite, temperature >= 0 else {
            throw .badSetting(name: "temperature", value: "\(temperature)")
        }
        if let maxTokens, maxTokens < 1 { throw .badSetting(name: "maxTokens", value: "\(maxTokens)") }
        if let topP {
            guard topP.isFinite, topP > 0, topP <= 1 else { throw .badSetting(name: "topP", value: "\(topP)") }
        }
        if stopSequences.contains("") { throw .badSetting(name: "stopSequences", value: "an empty text") }
    }
}

/// Another name for the same.
public typealias ModelConfiguration = LanguageModelConfiguration
