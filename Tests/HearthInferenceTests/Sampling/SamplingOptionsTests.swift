import HearthInference
import Testing

@Suite struct SamplingOptionsTests {
    @Test("a field takes the caller's value, else the model's, else the house's")
    func layers() throws {
        let chain = try SamplingOptions(topK: 5, seed: 9).resolved(over: SamplingOptions(temperature: 0.3, topK: 40))
        #expect(chain.temperature == 0.3)
        #expect(chain.topK == 5)
        #expect(chain.topP == 0.95)
        #expect(chain.minP == 0)
        #expect(chain.repetitionPenalty == 1)
        #expect(chain.seed == 9)
        #expect(try SamplingOptions().resolved().temperature == 0.7)
    }

    @Test("a seed that is not given is drawn anew each time")
    func drawnSeed() throws {
        let seeds = try (0..<8).map { _ in try SamplingOptions().resolved().seed }
        #expect(Set(seeds).count == 8)
    }

    @Test(
        "a value outside its range is refused by name",
        arguments: [
            (SamplingOptions(temperature: -1), "The option temperature is -1.0; allowed: 0 or more."),
            (SamplingOptions(temperature: .nan), "The option temperature is nan; allowed: 0 or more."),
            (SamplingOptions(topK: -1), "The option top-k is -1; allowed: 0 (all) or more."),
            (SamplingOptions(topP: 1.5), "The option top-p is 1.5; allowed: 0 to 1."),
            (SamplingOptions(minP: -0.5), "The option min-p is -0.5; allowed: 0 to 1."),
            (SamplingOptions(repetitionPenalty: 0), "The option repeat-penalty is 0.0; allowed: more than 0."),
            (SamplingOptions(frequencyPenalty: .infinity), "The option frequency-penalty is inf; allowed: a finite number."),
            (SamplingOptions(presencePenalty: .nan), "The option presence-penalty is nan; allowed: a finite number."),
        ])
    func refused(options: SamplingOptions, text: String) {
        let error = #expect(throws: InferenceError.self) { try options.resolved() }
        #expect(error.map { "\($0)" } == text)
    }
}
