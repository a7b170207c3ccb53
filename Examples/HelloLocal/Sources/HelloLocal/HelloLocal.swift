import Foundation
import FoundationModels
import HearthLocal

@main struct HelloLocal {
    static func main() async {
        do {
            try await converse()
        } catch {
            // Says what happened and what to do: of a model that is not here, how to fetch it.
            FileHandle.standardError.write(Data("HelloLocal: \(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }

    static func converse() async throws {
        let model = LocalLanguageModel(named: "smollm2")
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 60)
        for question in ["Why is the sky blue?", "And why is it red in the evening?"] {
            let answer = try await session.respond(to: question, options: options)
            let prompt = answer.usage.input
            print("> \(question)\n\(answer.content)")
            print("(\(prompt.cachedTokenCount) of \(prompt.totalTokenCount) prompt tokens remembered)\n")
        }
    }
}
