import Foundation
import FoundationModels
import Testing

/// What an executor throws is what the caller catches.
@Suite("Errors of executors")
struct ErrorTests {
    /// The error that a request ends with when its executor throws `error` after some text.
    private func caught(_ error: any Error, streamed: Bool) async -> (any Error)? {
        let model = ScriptedModel { _, channel in
            await channel.send(.response(action: .appendText("par", tokenCount: 1)))
            throw error
        }
        let session = LanguageModelSession(model: model)
        do {
            if streamed {
                for try await _ in session.streamResponse(to: "a") {}
            } else {
                try await session.respond(to: "a")
            }
            return nil
        } catch { return error }
    }

    static let metadata: [String: any Sendable] = ["code": 429, "requestID": "r1"]
    static let entry = Transcript.Entry.prompt(.init(id: "p", segments: []))
    static let all: [LanguageModelError] = [
        .contextSizeExceeded(.init(contextSize: 10, tokenCount: 12, debugDescription: "raw", metadata: metadata)),
        .rateLimited(.init(resetDate: Date(timeIntervalSince1970: 5), debugDescription: "raw", metadata: metadata)),
        .guardrailViolation(.init(debugDescription: "raw", metadata: metadata)),
        .refusal(.init(explanation: "no", debugDescription: "raw", metadata: metadata)),
        .unsupportedCapability(.init(capability: .vision, debugDescription: "raw", metadata: metadata)),
        .unsupportedTranscriptContent(.init(unsupportedContent: [entry], debugDescription: "raw", metadata: metadata)),
        .unsupportedGenerationGuide(.init(schemaName: "S", debugDescription: "raw", metadata: metadata)),
        .unsupportedLanguageOrLocale(
            .init(languageCode: Locale.LanguageCode("nl"), debugDescription: "raw", metadata: metadata)),
        .timeout(.init(debugDescription: "raw", metadata: metadata)),
    ]

    /// What a payload holds beside words and metadata.
    private func payload(_ error: LanguageModelError) -> (String, [String: any Sendable]) {
        switch error {
        case .contextSizeExceeded(let payload): ("\(payload.tokenCount) of \(payload.contextSize)", payload.metadata)
        case .rateLimited(let payload): ("\(payload.resetDate?.timeIntervalSince1970 ?? -1)", payload.metadata)
        case .guardrailViolation(let payload): ("guardrail", payload.metadata)
        case .refusal(let payload): ("refusal", payload.metadata)
        case .unsupportedCapability(let payload): ("\(payload.capability == .vision)", payload.metadata)
        case .unsupportedTranscriptContent(let payload): (payload.unsupportedContent.map(\.id).joined(), payload.metadata)
        case .unsupportedGenerationGuide(let payload): (payload.schemaName ?? "", payload.metadata)
        case .unsupportedLanguageOrLocale(let payload): (payload.languageCode.identifier, payload.metadata)
        case .timeout(let payload): ("timeout", payload.metadata)
        }
    }

    @Test("X-05 X-08 X-10 Each of the nine cases arrives with its payload, also in the middle of an answer", arguments: [false, true])
    func framework(streamed: Bool) async throws {
        var seen: [String] = []
        for error in Self.all {
            let found = try #require(await caught(error, streamed: streamed) as? LanguageModelError)
            let (text, metadata) = payload(found)
            seen.append(text)
            #expect(found.debugDescription == "raw")
            #expect(metadata["code"] as? Int == 429 && metadata["requestID"] as? String == "r1")
            #expect(found.errorDescription?.isEmpty == false)
        }
        #expect(seen == ["12 of 10", "5.0", "guardrail", "refusal", "true", "p", "S", "nl", "timeout"])
    }

    @Test("X-13 An error of a provider's own, and of its transport, is the very object that was thrown", arguments: [false, true])
    func identity(streamed: Bool) async throws {
        final class Broken: Error, Sendable {}
        let broken = Broken()
        let found = try #require(await caught(broken, streamed: streamed))
        #expect(found as? Broken === broken)
        let transport = URLError(.cannotFindHost, userInfo: ["attempt": 3])
        let url = try #require(await caught(transport, streamed: streamed) as? URLError)
        #expect(url.code == .cannotFindHost)
        #expect(url.userInfo["attempt"] as? Int == 3)
    }
}
