"""The public surface of FoundationModels beside the list in Tests/FoundationModelsTests/surface.txt."""
import os
import pathlib
from harness import check, equal, main
from surface import LIST, ROOT, compare, graph


def modules():
    """Where the build put the compiled modules: of the configuration that was built last, unless HEARTH_MODULES says."""
    if "HEARTH_MODULES" in os.environ:
        return pathlib.Path(os.environ["HEARTH_MODULES"])
    built = [ROOT / ".build" / kind / "Modules" for kind in ("release", "debug")]
    return max((path for path in built if (path / "FoundationModels.swiftmodule").exists()),
               key=lambda path: (path / "FoundationModels.swiftmodule").stat().st_mtime)


SURFACE = graph(modules())


@check("every declaration of the list is there, in its very shape")
def everything():
    count, missing = compare(SURFACE, LIST.read_text().splitlines())
    for number, path, declaration, is_guess, problems in missing:
        print(f"  line {number}: {path} | {declaration}: {', '.join(problems)}")
    equal([line[0] for line in missing], [], f"lines missing or different, of {count} that were compared")
    assert count > 950, f"only {count} lines were compared"


@check("a declaration that is different by a label, a type, an effect or a conformance is found")
def planted():
    lines = LIST.read_text().splitlines()
    for old, new in [
        ("func respond(to prompt: Prompt, options:", "func respond(for prompt: Prompt, options:"),
        ("var maximumResponseTokens: Int?", "var maximumResponseTokens: Int"),
        ("func collect() async throws", "func collect() async"),
        ("struct GenerationID : Sendable, Hashable", "struct GenerationID : Sendable, Comparable"),
        ("case randomTopK(Int, seed: UInt64?)", "case randomTopK(Int)"),
        ("tokenCount: Int) -> LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action",
         "tokenCount: Int = 1) -> LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.Action"),
    ]:
        changed = [line.replace(old, new) for line in lines]
        assert changed != lines, f"{old!r} is not in the list"
        assert compare(SURFACE, changed)[1], f"{new!r} was not found"


main()
