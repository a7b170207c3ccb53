import Foundation
import FoundationModels
import HearthTestKit
import Testing

@Suite("Conformance")
struct ConformanceTests {
    typealias Channel = LanguageModelExecutorGenerationChannel

    /// Answers each probe as a good model would, after the planted events.
    static func model(
        _ capabilities: [LanguageModelCapabilities.Capability] = [
            .toolCalling, .guidedGeneration, .reasoning, .vision,
        ],
        planted: [Channel.Event] = []
    ) -> ScriptedLanguageModel {
        ScriptedLanguageModel(capabilities: LanguageModelCapabilities(capabilities)) { turn in
            var steps: [ScriptedStep] = [
                .metadata(["modelID": "scripted"]), .usage(input: 8, cached: 2, output: 0),
            ]
            steps += planted.map { .event($0) }
            let request = turn.request
            if request.contextOptions.reasoningLevel != nil {
                steps += [.reasoning("9.90 is more than 9.11."), .signature(Data([0xFF, 0xFE, 0x00]))]
            }
            if request.schema != nil {
                steps += [
                    .text(#"{"name": "Oslo", "population": 7"#),
                    .text(#"17710, "isCapital": true, "neighbours": ["Asker","#),
                    .text(#" "Bærum"]}"#),
                ]
            } else if request.generationOptions.toolCallingMode == .required {
                steps.append(.toolCall(name: "weather", arguments: [#"{"city":"#, #" "Oslo"}"#]))
            } else {
                steps += [.text("Re"), .text("d.")]
            }
            steps.append(.usage(input: 8, cached: 2, output: 5))
            return steps
        }
    }

    @Test("a model without a mistake gets a clean report, whatever it declares")
    func clean() async {
        let full = await Conformance { Self.model() }.run()
        #expect(full.isClean, "\(full)")
        #expect(
            full.probes.map(\.name) == [
                "text", "text after prewarm", "second turn", "tool call", "tool output", "schema", "reasoning",
                "vision",
            ])
        let plain = await Conformance { Self.model([]) }.run()
        #expect(plain.isClean, "\(plain)")
        #expect(plain.description == "0 findings in 3 requests with 15 events")
    }

    @Test("Z-01 to Z-09 a planted fault of each kind is found in a run", arguments: PlantedFault.all)
    func planted(_ fault: PlantedFault) async throws {
        let report = await Conformance { Self.model(planted: fault.events) }.run()
        #expect(report.pitfalls.contains(fault.pitfall), "\(report)")
        let finding = try #require(report.findings.first { $0.detail == fault.detail }, "\(report)")
        #expect(finding.pitfall == fault.pitfall)
        #expect(finding.probe == "text")
    }

    @Test("Z-10 What is declared and does not work is found, each capability by name")
    func overdeclared() async {
        let texts = await Conformance { ScriptedLanguageModel(texts: ["Certainly!"]) }.run()
        #expect(texts.pitfalls == [.capabilityMisdeclared])
        #expect(
            texts.findings.map(\.description).map { String($0.prefix(61)) } == [
                "capabilityMisdeclared (tool call): toolCalling is declared, a",
                "capabilityMisdeclared (schema): guidedGeneration is declared,",
                "capabilityMisdeclared (reasoning): reasoning is declared, and",
            ])
        let blind = await Conformance {
            ScriptedLanguageModel(capabilities: LanguageModelCapabilities([.vision])) { turn in
                let hasImage = turn.request.transcript.contains { entry in
                    guard case .prompt(let prompt) = entry else { return false }
                    return prompt.segments.contains { if case .attachment = $0 { true } else { false } }
                }
                if hasImage {
                    return [
                        .failure(
                            LanguageModelError.unsupportedTranscriptContent(
                                .init(unsupportedContent: [], debugDescription: "no images")))
                    ]
                }
                return [.text("Red.")]
            }
        }.run()
        #expect(blind.findings.map(\.probe) == ["vision"])
        #expect(blind.pitfalls == [.capabilityMisdeclared])
        let hidden = await Conformance {
            ScriptedLanguageModel(capabilities: LanguageModelCapabilities([])) { _ in
                [.reasoning("Hm."), .text("Red.")]
            }
        }.run()
        #expect(hidden.pitfalls == [.capabilityMisdeclared])
    }

    @Test("Z-10 A schema that is obeyed in part is no guided generation")
    func looseSchema() async {
        for text in [
            #"{"name": "Oslo"}"#, #"{"name": "Oslo", "population": 7, "isCapital": true, "neighbours": ["a"]}"#, "{",
        ] {
            let report = await Conformance {
                ScriptedLanguageModel(capabilities: LanguageModelCapabilities([.guidedGeneration]), texts: [text])
            }.run()
            #expect(report.findings.map(\.probe) == ["schema"], "\(report)")
        }
    }

    @Test("Z-11 Objects and what belongs to a request are found in a configuration, and so is what is missing")
    func configuration() async {
        let object = await Conformance { KeyedModel(key: .init(name: "a", holder: Holder())) }.run()
        #expect(object.pitfalls == [.configurationIsNotPlain])
        #expect(
            object.findings.map(\.detail).contains { $0.contains("Holder at 'configuration.holder.some'") }, "\(object)"
        )
        let moving = await Conformance { KeyedModel(key: .init(name: UUID().uuidString, holder: nil)) }.run()
        #expect(moving.pitfalls == [.configurationIsNotPlain])
        let same = await Conformance(variants: ["another account": { KeyedModel(key: .init(name: "a", holder: nil)) }])
        {
            KeyedModel(key: .init(name: "a", holder: nil))
        }.run()
        #expect(same.findings.count == 1)
        #expect(same.findings.first?.detail.hasPrefix("The variant 'another account' has the configuration") == true)
        let apart = await Conformance(variants: ["another account": { KeyedModel(key: .init(name: "b", holder: nil)) }])
        {
            KeyedModel(key: .init(name: "a", holder: nil))
        }.run()
        #expect(apart.isClean, "\(apart)")
    }

    @Test("X-14 A model that goes on after it was cancelled is found, one that stops is not")
    func cancellation() async {
        let deaf = await Conformance(patience: .milliseconds(50)) { DeafModel() }.run()
        #expect(deaf.pitfalls == [.cancellationIgnored], "\(deaf)")
        let listening = await Conformance(patience: .seconds(5)) {
            ScriptedLanguageModel(capabilities: LanguageModelCapabilities([])) { turn in
                turn.request.generationOptions.maximumResponseTokens == nil
                    ? [.text("One."), .pause(.seconds(60)), .text("Two.")] : [.text("Red.")]
            }
        }.run()
        #expect(listening.isClean, "\(listening)")
    }

    @Test("A model that says nothing, one that fails and one that cannot be made are found")
    func failures() async {
        let silent = await Conformance { ScriptedLanguageModel(capabilities: LanguageModelCapabilities([]), texts: []) }
            .run()
        #expect(silent.pitfalls == [.silence])
        let failing = await Conformance {
            ScriptedLanguageModel(capabilities: LanguageModelCapabilities([])) { _ in [.failure(URLError(.badURL))] }
        }.run()
        #expect(failing.pitfalls == [.requestFailed])
        let none = await Conformance<ScriptedLanguageModel> { throw URLError(.badURL) }.run()
        #expect(none.findings.map(\.probe) == ["making the model"])
    }
}

/// A configuration with whatever the test puts in.
struct KeyedModel: LanguageModel {
    let key: Executor.Configuration
    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    var executorConfiguration: Executor.Configuration { key }

    struct Executor: LanguageModelExecutor {
        struct Configuration: Hashable, Sendable {
            let name: String
            let holder: Holder?
        }

        init(configuration: Configuration) throws {}

        func respond(
            to request: LanguageModelExecutorGenerationRequest, model: KeyedModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            await channel.send(.response(action: .appendText("Red.", tokenCount: 1)))
        }
    }
}

final class Holder: Hashable, Sendable {
    static func == (left: Holder, right: Holder) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Sleeps through its cancellation, for as long as a test can wait.
struct DeafModel: LanguageModel {
    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    var executorConfiguration: Executor.Configuration { Executor.Configuration() }

    struct Executor: LanguageModelExecutor {
        struct Configuration: Hashable, Sendable {}

        init(configuration: Configuration) throws {}

        func respond(
            to request: LanguageModelExecutorGenerationRequest, model: DeafModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            await channel.send(.response(action: .appendText("Red.", tokenCount: 1)))
            guard request.generationOptions.maximumResponseTokens == nil, request.transcript.count == 1 else { return }
            let end = ContinuousClock.now + .milliseconds(400)
            while ContinuousClock.now < end {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
                }
            }
        }
    }
}
