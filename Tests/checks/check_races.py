"""The thread sanitizer, our lock and the thread pool. `make test-races` runs the tests of sessions under it."""
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


@check("runs of the pool are no race, and each chunk is done once")
def pool():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "pool"
        swiftc = ["swiftc", "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-O", "-wmo",
                  "-parse-as-library", "-package-name", "hearth", "-sanitize=thread"]
        for arguments in [
            ["-module-name", "HearthLocks", "-emit-module-path", folder / "HearthLocks.swiftmodule", "-c",
             *sorted((ROOT / "Sources/HearthLocks").glob("*.swift")), "-o", folder / "HearthLocks.o"],
            ["-module-name", "Pool", "-I", folder, folder / "HearthLocks.o",
             *sorted((ROOT / "Sources/HearthKernels/Threads").glob("*.swift")), ROOT / "Tests/Races/Pool.swift", "-o", program],
        ]:
            built = subprocess.run([*swiftc, *map(str, arguments)], capture_output=True, text=True, timeout=600)
            equal(built.returncode, 0, f"status of swiftc: {built.stderr[-2000:]}")
        env = environment(TSAN_OPTIONS="exitcode=66 report_thread_leaks=0")
        run = subprocess.run([program], capture_output=True, text=True, env=env, timeout=300)
        assert "WARNING" not in run.stderr, run.stderr[:3000]
        equal((run.returncode, run.stdout), (0, "0\n"), "chunks that were not done exactly once")


main()
