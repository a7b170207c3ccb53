"""The Makefile's promises: prompts arrive as typed, missing packages are named, nothing is built twice."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from harness import ROOT, check, environment, equal, main

PROMPTS = [
    "plain words",
    "it's \"quoted\"",
    "$HOME and $(HOME) and ${HOME} and $$",
    "`id` and $(shell id)",
    "two\nlines",
    "a\\b \\n \\$ back\\\\slashes",
    "hash # comment, = equals, ; semicolon & pipe | > <",
    "--not-an-option",
    "percent % and * stars ? [x] ~ !",
    "Köln 東京 😀",
    "  blanks before, between   and after  ",
    "$",
]


def make_in(folder, *arguments, env=None):
    return subprocess.run(["make", "--no-print-directory", "-C", str(folder), *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, env=env or environment(MAKEFLAGS=None, MAKELEVEL=None), timeout=120)


def stand(folder):
    """A checkout of the Makefile alone, whose program writes down its last argument; building is not part of it."""
    shutil.copy(ROOT / "Makefile", folder / "Makefile")
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for name in ["setup", "build", "model"]:
        (folder / ".ci" / name).write_text("#!/bin/sh\n")
    program = folder / ".build/release/hearth"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable}\nimport os, sys\nopen('seen', 'wb').write(os.fsencode(sys.argv[-1]))\n"
                       "open('options', 'w').write(' '.join(sys.argv[1:-1]))\n")
    program.chmod(0o755)


@check("prompts with quotes, dollars, backticks and line ends reach the program unchanged")
def quoting():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stand(folder)
        for prompt in PROMPTS:
            # make itself drops blanks between `=` and the words of an assignment on its command line.
            for way in ["argument", "environment"]:
                if way == "argument":
                    result, expected = make_in(folder, "run", f"PROMPT={prompt}"), prompt.lstrip(" ")
                else:
                    result = make_in(folder, "run", env=environment(PROMPT=prompt, MAKEFLAGS=None, MAKELEVEL=None))
                    expected = prompt
                equal(result.returncode, 0, f"status for {prompt!r}: {result.stderr!r}")
                equal((folder / "seen").read_bytes(), os.fsencode(expected), f"prompt as {way}")
        equal(make_in(folder, "run", "PROMPT=x", "ARGS=--seed 7", "MODEL=my model.gguf").returncode, 0)
        equal((folder / "options").read_text(), "run --model my model.gguf --seed 7 --", "options")


@check("missing packages are named with their command, and nothing is installed without being root or asked")
def missing():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # A PATH with almost nothing on it: `id` says that we are not root, apt-get only writes down that it was called.
        for tool in ["bash", "env", "cat"]:
            os.symlink(shutil.which(tool), folder / tool)
        (folder / "id").write_text("#!/bin/sh\necho 1000\n")
        (folder / "swift").write_text("#!/bin/sh\n")
        (folder / "apt-get").write_text("#!/bin/sh\n: > \"$0.called\"\n")
        (folder / "sudo").write_text("#!/bin/sh\necho \"$@\" >> \"$0.called\"\n")
        for tool in ["id", "swift", "apt-get", "sudo"]:
            (folder / tool).chmod(0o755)
        setup = [shutil.which("bash"), str(ROOT / ".ci/setup")]
        env = {"PATH": str(folder)}
        result = subprocess.run(setup, env=env, capture_output=True, text=True, timeout=60)
        equal(result.returncode, 1, "status")
        assert "apt-get install" in result.stderr and "pkg-config" in result.stderr and "python3" in result.stderr, result.stderr
        assert not (folder / "apt-get.called").exists(), "apt-get was called"
        assert not (folder / "sudo.called").exists(), "sudo was called unasked"
        # Asked for, sudo gets the commands: update first.
        result = subprocess.run(setup, env={**env, "HEARTH_SUDO": "sudo"}, capture_output=True, text=True, timeout=60)
        equal(result.returncode, 0, result.stderr)
        lines = (folder / "sudo.called").read_text().splitlines()
        assert "update" in lines[0] and "install" in lines[1] and "libopenblas-dev" in lines[1], lines
        # Without Swift the way to get it is said.
        (folder / "swift").unlink()
        result = subprocess.run(setup, env=env, capture_output=True, text=True, timeout=60)
        equal(result.returncode, 1, "status without swift")
        assert "swift.org/install" in result.stderr, result.stderr


@check("nothing is built when nothing changed; a change, a new or a lost file builds again")
def stamp():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / ".ci", folder / ".ci")
        (folder / "Package.swift").write_text("")
        (folder / "Sources/A").mkdir(parents=True)
        (folder / "Sources/A/a.swift").write_text("")
        swift = folder / "bin/swift"
        swift.parent.mkdir()
        swift.write_text("#!/bin/sh\necho built >> \"$(dirname \"$0\")/log\"\n[ ! -e \"$(dirname \"$0\")/broken\" ]\n")
        swift.chmod(0o755)
        env = environment(PATH=f"{swift.parent}:{os.environ['PATH']}")
        old = 1_000_000_000
        for path in [folder / "Package.swift", folder / "Sources", folder / "Sources/A", folder / "Sources/A/a.swift"]:
            os.utime(path, (old, old))

        def builds(status=0):
            log = folder / "bin/log"
            log.unlink(missing_ok=True)
            result = subprocess.run([str(folder / ".ci/build"), "hearth"], cwd=folder, env=env, capture_output=True, timeout=60)
            equal(result.returncode, status, f"status: {result.stderr!r}")
            return log.exists()

        assert builds(), "the first time builds"
        assert not builds(), "the second time builds again"
        (folder / "Sources/A/a.swift").write_text("x")
        assert builds() and not builds(), "a change"
        (folder / "Sources/A/b.swift").write_text("")
        assert builds() and not builds(), "a new file"
        (folder / "Sources/A/b.swift").unlink()
        assert builds() and not builds(), "a lost file"
        (folder / "Sources/A/a.swift").write_text("y")
        (folder / "bin/broken").write_text("")
        assert builds(status=1) and builds(status=1), "a failed build counts as none"


@check("the sum of results counts a crash, an empty part and a failed script as failures")
def counting():
    def total(files):
        with tempfile.TemporaryDirectory() as name:
            for file, text in files.items():
                (pathlib.Path(name) / file).write_text(text)
            result = subprocess.run([sys.executable, str(ROOT / ".ci/count.py"), name], capture_output=True, text=True)
            return result.returncode, result.stdout.splitlines()[-1]

    def events(*kinds):
        import json
        lines = [json.dumps({"kind": "test", "payload": {"kind": "function", "id": "t", "name": "t()"}})]
        for kind in kinds:
            payload = {"kind": kind, "testID": "t"}
            if kind == "issueRecorded":
                payload["issue"] = {"isKnown": False}
            lines.append(json.dumps({"kind": "event", "payload": payload}))
        return "\n".join(lines)

    equal(total({"a.jsonl": events("testStarted", "testEnded"), "a.status": "0", "b.tap": "ok - x\nskip - y", "b.status": "0"}),
          (0, "2 passed, 0 failed, 1 skipped"))
    equal(total({"a.jsonl": events("testStarted", "issueRecorded", "testEnded"), "a.status": "1"}), (1, "0 passed, 1 failed, 0 skipped"))
    equal(total({"a.jsonl": events("testStarted"), "a.status": "139"}), (1, "0 passed, 1 failed, 0 skipped"))
    equal(total({"a.jsonl": events("testSkipped"), "a.status": "0"}), (1, "0 passed, 0 failed, 1 skipped"))
    equal(total({"b.tap": "ok - x", "b.status": "1"}), (1, "1 passed, 1 failed, 0 skipped"))
    equal(total({"b.tap": "", "b.status": "0"}), (1, "0 passed, 1 failed, 0 skipped"))
    equal(total({"b.tap": "not ok - x", "b.status": "1"}), (1, "0 passed, 1 failed, 0 skipped"))


main()
