"""The example and the snippets of the README: compiled against what was built, run, and the same lines on both pages."""
import functools
import pathlib
import re
import subprocess
import tempfile
from harness import ROOT, check, default_model, environment, equal, main, need, store

EXAMPLE = ROOT / "Examples/HelloLocal/Sources/HelloLocal/HelloLocal.swift"
BUILT = ROOT / ".build/release"
FOLDER = tempfile.TemporaryDirectory()
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


def bodies():
    """The snippets that are no program of their own."""
    return [block for block in blocks() if "@main" not in block and "PackageDescription" not in block]


@functools.cache
def snippets():
    """A program that runs the snippet whose number it is given; it stays until this check ends."""
    functions = "".join(f"func snippet{n}() async throws {{\n{body}}}\n" for n, body in enumerate(bodies()))
    cases = "".join(f'        if name == "{n}" {{ try await snippet{n}() }}\n' for n in range(len(bodies())))
    source, program = pathlib.Path(FOLDER.name) / "Snippets.swift", pathlib.Path(FOLDER.name) / "snippets"
    source.write_text("import FoundationModels\nimport HearthLocal\n\n" + functions + "\n@main struct Snippets {\n"
                      "    static func main() async throws {\n        let name = CommandLine.arguments[1]\n" + cases + "    }\n}\n")
    build(program, source)
    return program


def output(word):
    """What the snippet with this word prints."""
    numbers = [n for n, body in enumerate(bodies()) if word in body]
    equal(len(numbers), 1, f"snippets with {word}")
    result = call(snippets(), str(numbers[0]))
    equal(result.returncode, 0, f"status with {word}: {result.stderr[-500:]}")
    assert result.stdout.strip(), f"nothing came with {word}"
    return result.stdout


@check("the README's other snippets compile as they stand, and those of sessions answer")
def sessions():
    default_model()
    equal(len(bodies()), 3, "snippets")
    output("streamResponse")
    equal(output("Options("), output("Options("), "answers with the same seed")


@check("the README's snippet of embeddings prints what it says")
def embeddings():
    need((store() / "all-minilm-l6-v2").exists(), "all-minilm-l6-v2 is not in the store: make test-models fetches it")
    said = re.search(r"print\(.*\)  // (\d\S*)$", next(body for body in bodies() if "Embedding" in body), re.M)[1]
    equal(f"{float(output('Embedding')):.{len(said.partition('.')[2])}f}", said, "similarity")


@check("the README shows the example and the client's manifest line for line")
def shown():
    for path in [EXAMPLE, ROOT / "Examples/HelloLocal/Package.swift"]:
        assert path.read_text().strip() in [block.strip() for block in blocks()], f"{path} is not in README.md"


main()
