import HearthTestSupport
import Testing

@Suite("Clients under the compiler's options", .serialized)
struct ClientVariantsTests {
    /// An app's file: generables, a tool, a view's model that streams, and a model of its own.
    static let client = """
        import Foundation
        import FoundationModels
        import Observation

        @Generable
        struct Recipe {
            @Guide(description: "A name") let title: String
            @Guide(.count(2)) let steps: [Step]
            let kind: Kind

            @Generable struct Step { let text: String; let minutes: Int? }
            @Generable enum Kind: String { case sweet, salty }
        }

        struct Pantry: Tool {
            let name = "pantry"
            let description = "What is there"
            @Generable struct Arguments { let item: String }
            func call(arguments: Arguments) async throws -> String { "Some \\(arguments.item)" }
        }

        @MainActor @Observable
        final class Kitchen {
            var recipe: Recipe.PartiallyGenerated?
            let session: LanguageModelSession

            init(model: some LanguageModel) {
                session = LanguageModelSession(model: model, tools: [Pantry()]) { "You cook." }
            }

            func cook() async throws -> String {
                session.prewarm()
                let stream = session.streamResponse(to: "Dinner", generating: Recipe.self)
                for try await snapshot in stream { recipe = snapshot.content }
                let whole = try await stream.collect()
                let text = try await session.respond { "Say it in a sentence:"; whole.content.title }
                return text.content + "\\(session.transcript.count) \\(session.isResponding)"
            }
        }

        struct Echo: LanguageModel {
            var capabilities: LanguageModelCapabilities { .init([.toolCalling]) }
            var executorConfiguration: Executor.Configuration { .init(name: "echo") }

            struct Executor: LanguageModelExecutor {
                struct Configuration: Hashable, Sendable { let name: String }
                private let name: String
                init(configuration: Configuration) throws { name = configuration.name }
                func respond(
                    to request: LanguageModelExecutorGenerationRequest, model: Echo,
                    streamingInto channel: LanguageModelExecutorGenerationChannel
                ) async throws {
                    await channel.send(.response(action: .updateMetadata(["modelID": name])))
                    for word in ["a", "b"] {
                        try Task.checkCancellation()
                        await channel.send(.response(action: .appendText(word, tokenCount: 1)))
                    }
                }
            }
        }

        extension SessionPropertyValues { @SessionPropertyEntry var visits: Int = 0 }

        struct Guide: LanguageModelSession.DynamicProfile {
            @SessionProperty(\\.visits) var visits
            let model: Echo
            var body: some DynamicProfile {
                Profile { Instructions("Visit \\(visits)"); Pantry() }.model(model).temperature(0.5)
            }
        }

        func guided() async throws -> Int {
            let session = LanguageModelSession(profile: Guide(model: Echo()))
            do {
                try await session.respond { "One"; "Two" }
                let options = GenerationOptions(temperature: 0.2)
                return try await session.respond(to: "Plan", generating: Recipe.self, options: options).usage.totalTokenCount
            } catch let error as LanguageModelSession.ToolCallError {
                print(error.tool.name)
            }
            return session.usage.totalTokenCount
        }

        #if canImport(FoundationModels, _version: 2)
        let isNew = true
        #endif
        let marker = isNew

        func dinner() async throws -> String {
            do {
                return try await Kitchen(model: Echo()).cook()
            } catch let error as LanguageModelError {
                if case .contextSizeExceeded(let size) = error { return "\\(size.tokenCount) of \\(size.contextSize)" }
                throw error
            }
        }
        """

    static let variants: [[String]] = [
        ["-swift-version", "6"],
        ["-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault"],
        ["-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault"],
        ["-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility"],
        [
            "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
            "-enable-upcoming-feature",
            "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
        ],
        ["-swift-version", "6", "-default-isolation", "MainActor"],
        [
            "-swift-version", "6", "-default-isolation", "MainActor", "-enable-upcoming-feature",
            "NonisolatedNonsendingByDefault", "-enable-upcoming-feature", "InferIsolatedConformances",
        ],
        ["-swift-version", "5"],
        ["-swift-version", "5", "-default-isolation", "MainActor", "-strict-concurrency=complete"],
    ]

    @Test("an app's file typechecks without a warning under every option", arguments: variants)
    func variant(flags: [String]) async throws {
        #expect(try await TypeCheck.run(Self.client, flags: flags) == "")
    }

    @Test(
        "P-02 a model whose executor is another model's is refused, in Swift 5 mode and in Swift 6 mode",
        arguments: ["5", "6"])
    func mismatch(version: String) async throws {
        let wrong =
            Self.client + "\nstruct Other: LanguageModel {\n    typealias Executor = Echo.Executor\n"
            + "    var capabilities: LanguageModelCapabilities { .init([]) }\n"
            + "    var executorConfiguration: Echo.Executor.Configuration { .init(name: \"\") }\n}\n"
        let output = try await TypeCheck.run(wrong, flags: ["-swift-version", version])
        #expect(output.contains("error: 'LanguageModel' requires the types 'Other' and"), "\(output)")
    }
}
