"""Clients of FoundationModels in other language modes and with other features typecheck against the built module."""
import os
import pathlib
import subprocess
import tempfile
from harness import ROOT, check, equal, main

# What an app does: a generable type, a tool, a session, a stream, a profile, a provider of its own.
CLIENT = """
@Generable(description: "A day")
struct Day {
    @Guide(description: "Two words") var title: String
    @Guide(.count(3)) var stops: [String]
    var mood: Mood?
}

@Generable
enum Mood { case calm, busy }

struct Weather: Tool {
    let description = "The weather"
    @Generable struct Arguments { let city: String }
    func call(arguments: Arguments) async throws -> String { arguments.city }
}

extension SessionPropertyValues { @SessionPropertyEntry var visits: Int = 0 }

struct Guide: LanguageModelSession.DynamicProfile {
    @SessionProperty(\\.visits) var visits
    let model: Echo
    var body: some DynamicProfile {
        Profile { Instructions("Visit \\(visits)"); Weather() }.model(model).temperature(0.5)
    }
}

struct Echo: LanguageModel {
    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([.toolCalling, .guidedGeneration]) }
    var executorConfiguration: Executor.Configuration { Executor.Configuration(name: "echo") }

    struct Executor: LanguageModelExecutor {
        typealias Model = Echo
        struct Configuration: Hashable, Sendable { let name: String }
        init(configuration: Configuration) {}
        func respond(
            to request: LanguageModelExecutorGenerationRequest, model: Echo,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            await channel.send(.response(action: .updateMetadata(["modelID": "echo"])))
            for entry in request.transcript {
                if case .prompt(let prompt) = entry {
                    await channel.send(.response(action: .appendText(prompt.description, tokenCount: 1)))
                }
            }
        }
    }
}

final class Program {
    let session = LanguageModelSession(model: Echo(), tools: [Weather()], instructions: "Be brief.")

    func run() async throws {
        session.prewarm()
        print(try await session.respond(to: "Hello").content)
        let day = try await session.respond(to: "Plan", generating: Day.self, options: GenerationOptions(temperature: 0.2))
        print(day.content.title, day.usage.totalTokenCount)
        for try await snapshot in session.streamResponse(to: "Plan", generating: Day.self) {
            print(snapshot.content.title ?? "", snapshot.content.stops?.count ?? 0)
        }
        do {
            try await session.respond { "One"; "Two" }
        } catch LanguageModelError.contextSizeExceeded(let payload) {
            print(payload.tokenCount)
        } catch let error as LanguageModelSession.ToolCallError {
            print(error.tool.name)
        }
        print(LanguageModelSession(profile: Guide(model: Echo())).transcript.count)
    }
}

#if canImport(FoundationModels, _version: 2)
let isNew = true
#endif
let marker = isNew
"""


def built():
    """The build that was made last."""
    if "HEARTH_MODULES" in os.environ:
        return pathlib.Path(os.environ["HEARTH_MODULES"]).parent
    made = [ROOT / ".build" / kind for kind in ("release", "debug")]
    made = [path for path in made if (path / "Modules/FoundationModels.swiftmodule").exists()]
    return max(made, key=lambda path: (path / "Modules/FoundationModels.swiftmodule").stat().st_mtime)


BUILT = built()


def typecheck(source, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "client.swift"
        path.write_text("import Foundation\nimport FoundationModels\n" + source)
        plugin = BUILT / "FoundationModelsMacros-tool"
        return subprocess.run(
            ["swiftc", "-typecheck", "-parse-as-library", "-I", str(BUILT / "Modules"),
             "-load-plugin-executable", f"{plugin}#FoundationModelsMacros", *options, str(path)],
            capture_output=True, text=True, timeout=300)


def features(*names):
    return [option for name in names for option in ("-enable-upcoming-feature", name)]


VARIANTS = {
    "Swift 5": ["-swift-version", "5"],
    "Swift 6": ["-swift-version", "6"],
    "NonisolatedNonsendingByDefault": ["-swift-version", "6", *features("NonisolatedNonsendingByDefault")],
    "InternalImportsByDefault": ["-swift-version", "6", *features("InternalImportsByDefault")],
    "MemberImportVisibility": ["-swift-version", "6", *features("MemberImportVisibility")],
    "every feature": ["-swift-version", "6",
                      *features("NonisolatedNonsendingByDefault", "InternalImportsByDefault", "MemberImportVisibility")],
    "main-actor isolation by default": ["-swift-version", "6", "-default-isolation", "MainActor"],
}


def variant(name, options):
    @check(f"a client typechecks without a warning: {name}")
    def one():
        result = typecheck(CLIENT, *options)
        equal(result.returncode, 0, f"status: {result.stderr[-3000:]}")
        assert "warning:" not in result.stderr, result.stderr[-3000:]


for name, options in VARIANTS.items():
    variant(name, options)


@check("P-02 a model whose executor runs another model is refused by the compiler")
def mismatch():
    result = typecheck(CLIENT + """
struct Other: LanguageModel {
    typealias Executor = Echo.Executor
    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    var executorConfiguration: Executor.Configuration { .init(name: "x") }
}
""", "-swift-version", "6")
    assert result.returncode != 0 and "does not conform to protocol 'LanguageModel'" in result.stderr, result.stderr[-2000:]


main()
