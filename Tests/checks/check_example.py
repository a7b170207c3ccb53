"""The example and the snippets of the README: compiled against what was built, run, and the same lines on both pages."""
import pathlib
import re
import subprocess
import tempfile
from harness import ROOT, check, default_model, environment, equal, main, store

EXAMPLE = ROOT / "Examples/HelloLocal/Sources/HelloLocal/HelloLocal.swift"
BUILT = ROOT / ".build/release"
# Doors and tests have a main or a plug-in's objects of their own; a client links the rooms.
NOT_ROOMS = {"hearth", "hearth_bench", "many_runs", "Specimens", "HearthCommands", "HearthBenchKit", "HearthTestSupport"}


def objects():
    folders = [folder for folder in BUILT.glob("*.build") if folder.stem not in NOT_ROOMS
               and not folder.stem.endswith("Tests") and "-tool" not in folder.stem and not folder.stem.startswith("hearthPackage")]
    return [str(path) for folder in folders for path in folder.rglob("*.o")]


def build(program, *sources):
    """Compiles a client's sources against what was built."""
    flags = subprocess.run(["pkg-config", "--libs", "openblas"], capture_output=True, text=True, check=True).stdout.split()
    built = subprocess.run(
        ["swiftc", "-O", "-parse-as-library", "-swift-version", "6", "-I", str(BUILT / "Modules"),
         "-I", str(ROOT / "Sources/COpenBLAS"), "-I", str(ROOT / "Sources/CIntrinsics"), *map(str, sources), *objects(), *flags,
         "-o", str(program)], capture_output=True, text=True, timeout=600)
    equal(built.returncode, 0, f"status of swiftc: {built.stderr[-2000:]}")


def call(program, *arguments, **changes):
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                          env=environment(**changes))


def blocks():
    return re.findall(r"```swift\n(.*?)```", (ROOT / "README.md").read_text(), re.S)


@check("the example answers, and its second turn remembers the first; without the model it says so and ends with 1")
def runs():
    default_model()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "hello"
        build(program, EXAMPLE)
        result = call(program)
        equal(result.returncode, 0, f"status: {result.stderr[-2000:]}")
        counts = [(int(a), int(b)) for a, b in re.findall(r"\((\d+) of (\d+) prompt tokens remembered\)", result.stdout)]
        equal(len(counts), 2, f"answers in {result.stdout!r}")
        equal(counts[0][0], 0, "tokens remembered in the first turn")
        assert counts[1][0] > 0, f"the second turn remembered nothing: {result.stdout!r}"
        assert counts[1][0] < counts[1][1], "the second turn evaluated nothing"
        missing = call(program, HEARTH_MODELS=folder + "/none")
        equal((missing.returncode, missing.stdout), (1, ""), f"status without the model ({missing.stderr[-500:]})")
        assert missing.stderr.startswith("HelloLocal: ") and "hearth pull" in missing.stderr, missing.stderr
        equal(missing.stderr.count("\n"), 1, f"lines of {missing.stderr!r}")


@check("the README's other snippets compile as they stand and do what they say")
def snippets():
    default_model()
    bodies = [block for block in blocks() if "@main" not in block and "PackageDescription" not in block]
    functions = "".join(f"func snippet{n}() async throws {{\n{body}}}\n" for n, body in enumerate(bodies))
    cases = "".join(f'        if name == "{n}" {{ try await snippet{n}() }}\n' for n in range(len(bodies)))
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "Snippets.swift", pathlib.Path(folder) / "snippets"
        source.write_text("import FoundationModels\nimport HearthLocal\n\n" + functions + "\n@main struct Snippets {\n"
                          "    static func main() async throws {\n        let name = CommandLine.arguments[1]\n" + cases + "    }\n}\n")
        build(program, source)
        named = {word: n for n, body in enumerate(bodies) for word in ["streamResponse", "Options", "Embedding"] if word in body}
        equal(sorted(named), ["Embedding", "Options", "streamResponse"], "what the snippets show")
        for n, body in enumerate(bodies):
            if "all-minilm-l6-v2" in body and not (store() / "all-minilm-l6-v2").exists():
                continue  # a model that `make test` does not fetch
            result = call(program, str(n))
            equal(result.returncode, 0, f"status of {body!r}: {result.stderr[-500:]}")
            assert result.stdout.strip(), f"nothing came from {body!r}"
            comment = re.search(r"print\(.*\)  // (\d\S*)$", body, re.M)
            if comment:
                digits = len(comment[1].partition(".")[2])
                equal(f"{float(result.stdout):.{digits}f}", comment[1], f"what {body!r} prints")
        seeded = str(named["Options"])
        equal(call(program, seeded).stdout, call(program, seeded).stdout, "answers with the same seed")


@check("the README shows the example and the client's manifest line for line")
def shown():
    for path in [EXAMPLE, ROOT / "Examples/HelloLocal/Package.swift"]:
        assert path.read_text().strip() in [block.strip() for block in blocks()], f"{path} is not in README.md"


main()
