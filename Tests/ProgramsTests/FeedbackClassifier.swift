import Foundation
import FoundationModels

// A program as its author writes it for Apple's platforms: nothing in this file knows where it runs.

@Generable
enum Topic: String, CaseIterable, Codable {
    case billing
    case crash
    case featureRequest
    case praise
}

@Generable
struct Verdict {
    @Guide(description: "What the message is about")
    let topic: Topic
    @Guide(description: "How urgent it is, 1 to 5", .range(1...5))
    let urgency: Int
    @Guide(description: "Why, in a few words")
    let reason: String
}

struct FeedbackClassifier<Model: LanguageModel> {
    let model: Model

    private var instructions: String { "You sort the messages of customers." }

    func topic(of message: String) async throws -> Topic {
        let session = LanguageModelSession(model: model, instructions: instructions)
        return try await session.respond(to: message, generating: Topic.self).content
    }

    func verdict(on message: String) async throws -> Verdict {
        let session = LanguageModelSession(model: model, instructions: instructions)
        let response = try await session.respond(generating: Verdict.self, options: GenerationOptions(temperature: 0)) {
            "Judge this message:"
            message
        }
        return response.content
    }

    /// Counts the topics of many messages, a few at a time.
    func histogram(of messages: [String]) async throws -> [Topic: Int] {
        try await withThrowingTaskGroup(of: Topic.self) { group in
            for message in messages { group.addTask { try await topic(of: message) } }
            return try await group.reduce(into: [:]) { counts, topic in counts[topic, default: 0] += 1 }
        }
    }

    func summary(of messages: [String]) async throws -> String {
        let session = LanguageModelSession(model: model, instructions: instructions)
        let prompt = Prompt {
            "Say in a sentence what these customers want:"
            for message in messages { message }
        }
        return try await session.respond(to: prompt, options: GenerationOptions(maximumResponseTokens: 24)).content
    }
}
