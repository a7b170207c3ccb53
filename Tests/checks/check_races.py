"""The thread sanitizer and our lock. `make test-races` runs the tests of sessions under it."""
import pathlib
import subprocess
import tempfile
from harness import ROOT, check, environment, equal, main


@check("the thread sanitizer knows the lock of HearthLocks, and finds a race beside it")
def planted():
    sources = [*sorted((ROOT / "Sources/HearthLocks").glob("*.swift")), ROOT / "Tests/Races/Planted.swift"]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "planted"
        built = subprocess.run(
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-package-name", "hearth", "-sanitize=thread",
             *map(str, sources), "-o", str(program)], capture_output=True, text=True, timeout=600)
        equal(built.returncode, 0, f"status of swiftc: {built.stderr[-2000:]}")
        env = environment(TSAN_OPTIONS="exitcode=66")
        clean = subprocess.run([program], capture_output=True, text=True, env=env, timeout=120)
        equal((clean.returncode, clean.stdout, clean.stderr), (0, "2000\n", ""), "with the lock alone")
        race = subprocess.run([program, "planted"], capture_output=True, text=True, env=env, timeout=120)
        equal(race.returncode, 66, "status with a race")
        assert "race" in race.stderr, race.stderr[-2000:]


main()
