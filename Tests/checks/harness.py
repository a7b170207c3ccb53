"""What every check uses: the built program, the store, and one line for each check.

    ok - NAME          it holds
    not ok - NAME      it does not; lines with `#` say what was seen
    skip - NAME        something that it needs is not here
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

# A shell that runs us in the background lets us ignore Ctrl-C, and children would inherit that; a handler is not inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests/Fixtures"
HEARTH = os.environ.get("HEARTH_BINARY", str(ROOT / ".build/release/hearth"))
HEARTH_BENCH = os.environ.get("HEARTH_BENCH_BINARY", str(ROOT / ".build/release/hearth-bench"))
SPECIMENS = str(pathlib.Path(HEARTH).parent / "Specimens")


def store():
    """As HearthModels finds it."""
    environment = os.environ
    if environment.get("HEARTH_MODELS"):
        return pathlib.Path(environment["HEARTH_MODELS"])
    if environment.get("XDG_DATA_HOME", "").startswith("/"):
        return pathlib.Path(environment["XDG_DATA_HOME"]) / "hearth/models"
    return pathlib.Path.home() / ".local/share/hearth/models"


DEFAULT_MODEL = store() / "smollm2-135m-instruct-q4_1.gguf"
CHECKS = []


class Skip(Exception):
    """Raised by a check whose needs are not here."""


def check(name):
    """Registers a function as a check of that name."""
    def register(function):
        CHECKS.append((name, function))
        return function
    return register


def need(condition, reason):
    if not condition:
        raise Skip(reason)


def main():
    failures = 0
    for name, function in CHECKS:
        try:
            function()
            print("ok -", name, flush=True)
        except Skip as reason:
            print("skip -", name, flush=True)
            print("#", reason, flush=True)
        except Exception as error:  # a check that breaks has failed; the next ones still run
            failures += 1
            print("not ok -", name, flush=True)
            for line in ("".join(traceback.format_exception_only(error)).strip() or repr(error)).splitlines():
                print("#", line, flush=True)
            frame = traceback.extract_tb(error.__traceback__)[-1]
            print(f"# {frame.filename}:{frame.lineno}", flush=True)
    sys.exit(1 if failures else 0)


def equal(actual, expected, what="value"):
    assert actual == expected, f"{what} is {actual!r}; expected {expected!r}"


def environment(**changes):
    """This environment with changes; None removes a variable."""
    result = dict(os.environ)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = value
    return result


def run(*arguments, stdin=subprocess.DEVNULL, env=None, timeout=600, text=True, binary=None):
    """Runs the program and returns what it left: returncode, stdout, stderr."""
    return subprocess.run(
        [binary or HEARTH, *map(str, arguments)], stdin=stdin, capture_output=True, env=env, timeout=timeout, text=text)


def answer(verb, *arguments, **options):
    """The JSON object of a run that must succeed."""
    result = run(verb, "--json", *arguments, **options)  # before any `--`
    assert result.returncode == 0, f"{verb} {arguments} ended with {result.returncode}: {result.stdout[-300:]} {result.stderr[-600:]}"
    return json.loads(result.stdout)


def reference(name):
    return json.loads((FIXTURES / "references" / f"{name}.json").read_text())


def floats(path):
    """Little-endian float32 values of a file."""
    import array
    values = array.array("f")
    values.frombytes(pathlib.Path(path).read_bytes())
    if sys.byteorder == "big":
        values.byteswap()
    return values


def score(model, tokens, *options, logits=False):
    """`hearth score` over token ids; with `logits` also the values it wrote, in one flat array."""
    with tempfile.TemporaryDirectory() as folder:
        ids = pathlib.Path(folder) / "tokens.json"
        ids.write_text(json.dumps(tokens))
        out = pathlib.Path(folder) / "logits"
        extra = ["--logits", out] if logits else []
        report = answer("score", "--model", model, "--tokens", ids, *options, *extra)
        if logits:
            report["logits"] = floats(out)
            import hashlib
            report["recomputed_sha256"] = hashlib.sha256(out.read_bytes()).hexdigest()
        return report


def python_package(name, version):
    """Makes a package of PyPI importable: pip brings it once, into the store (what is built is thrown away more often).

    pip is what `hearth pull` fetches models with, so that a machine that fetched the default model has it.
    """
    tag = f"{sys.implementation.cache_tag}-{name}-{version}"
    folder = store() / ".python" / tag
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as beside:
            result = subprocess.run(
                [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
                 "--root-user-action", "ignore", "--target", beside + "/whole", f"{name}=={version}"],
                capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
            need(result.returncode == 0, f"pip could not bring {name} {version}: {result.stderr.strip()[-300:]}")
            os.rename(beside + "/whole", folder)
    sys.path.insert(0, str(folder))


def default_model():
    need(DEFAULT_MODEL.exists(), "the default model is not in the store; `make test` fetches it")
    return DEFAULT_MODEL
