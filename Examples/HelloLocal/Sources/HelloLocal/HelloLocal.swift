import FoundationModels
import HearthLocal

@main struct HelloLocal {
    static func main() async throws {
        let session = LanguageModelSession(
            model: LocalLanguageModel(named: "smollm2"), instructions: "Answer in one sentence.")
        for question in ["Why is the sky blue?", "And why is it red in the evening?"] {
            let answer = try await session.respond(
                to: question, options: GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 60))
            print(
                "> \(question)\n\(answer.content)\n(\(answer.usage.input.cachedTokenCount) of \(answer.usage.input.totalTokenCount) prompt tokens remembered)\n"
            )
        }
    }
}
