"""The example of the README: compiled against what was built, run, and the same lines on both pages."""
import pathlib
import re
import shutil
import subprocess
import tempfile
from harness import ROOT, check, default_model, equal, main

EXAMPLE = ROOT / "Examples/HelloLocal/Sources/HelloLocal/HelloLocal.swift"
BUILT = ROOT / ".build/release"
# Doors and tests have a main or a plug-in's objects of their own; a client links the rooms.
NOT_ROOMS = {"hearth", "hearth_bench", "many_runs", "Specimens", "HearthCommands", "HearthBenchKit", "HearthTestSupport"}


def objects():
    folders = [folder for folder in BUILT.glob("*.build") if folder.stem not in NOT_ROOMS
               and not folder.stem.endswith("Tests") and "-tool" not in folder.stem and not folder.stem.startswith("hearthPackage")]
    return [str(path) for folder in folders for path in folder.rglob("*.o")]


@check("the example answers, and its second turn remembers the first")
def runs():
    default_model()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "hello"
        flags = subprocess.run(["pkg-config", "--libs", "openblas"], capture_output=True, text=True, check=True).stdout.split()
        built = subprocess.run(
            ["swiftc", "-O", "-parse-as-library", "-swift-version", "6", "-I", str(BUILT / "Modules"),
             "-I", str(ROOT / "Sources/COpenBLAS"), "-I", str(ROOT / "Sources/CIntrinsics"), str(EXAMPLE), *objects(), *flags,
             "-o", str(program)], capture_output=True, text=True, timeout=600)
        equal(built.returncode, 0, f"status of swiftc: {built.stderr[-2000:]}")
        result = subprocess.run([str(program)], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        equal(result.returncode, 0, f"status: {result.stderr[-2000:]}")
        counts = [(int(a), int(b)) for a, b in re.findall(r"\((\d+) of (\d+) prompt tokens remembered\)", result.stdout)]
        equal(len(counts), 2, f"answers in {result.stdout!r}")
        equal(counts[0][0], 0, "tokens remembered in the first turn")
        assert counts[1][0] > 0, f"the second turn remembered nothing: {result.stdout!r}"
        assert counts[1][0] < counts[1][1], "the second turn evaluated nothing"


@check("the README shows the example and the client's manifest line for line")
def shown():
    page = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```swift\n(.*?)```", page, re.S)
    for path in [EXAMPLE, ROOT / "Examples/HelloLocal/Package.swift"]:
        assert path.read_text().strip() in [block.strip() for block in blocks], f"{path} is not in README.md"


main()
