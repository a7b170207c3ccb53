"""Model files with one byte changed: an answer or an error, never a signal, a time-out or an error of our own making.

Each place is loaded, tokenised, rendered and evaluated for four tokens in a child with 2 GB of address space, within ten
seconds. A child takes one place after another (`many-runs`); where it dies, the next one goes on, and the place is tried again
in a child of its own, so that no place answers for those before it. `make test` tries a few places of each file;
`make test-damaged`, and `make test-models`, 2,000 of the header and 500 of the tensor data. The places are drawn from the
file's name, so that a failure can be repeated. HEARTH_DAMAGED=NAME[,NAME] tries these files only.
"""
import os
import random
import resource
import select
import subprocess
import tempfile
import time
from harness import FIXTURES, HEARTH, check, equal, main

MANY_RUNS = os.environ.get("HEARTH_MANY_RUNS", str(os.path.join(os.path.dirname(HEARTH), "many-runs")))
ALL = os.environ.get("HEARTH_ALL_PLACES") == "1"
HEADER_PLACES, DATA_PLACES = (2000, 500) if ALL else (120, 30)
SPACE = 2 << 30
SECONDS = 10
# A child is replaced after as many, so that what one place leaves behind does not add up.
RUNS_PER_CHILD = 250
# Done, usage (a token outside of the vocabulary), not found, a bad file, too long, refused: see `hearth --help`.
FINE = {0, 2, 3, 4, 5, 6}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Child:
    """A `many-runs`, replaced when it has ended or has run enough."""

    def __init__(self, folder):
        self.errors_path = os.path.join(folder, "errors")
        self.process = None

    def start(self):
        self.errors = open(self.errors_path, "wb+")
        self.process = subprocess.Popen(
            [MANY_RUNS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=limit, bufsize=0)
        self.runs = 0

    def end(self):
        """The status of the child, which is told to end and made to after a second."""
        if self.process is None:
            return None
        self.process.stdin.close()
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        self.process = None
        return status

    def run(self, words):
        """Nothing when all is well, else what went wrong."""
        if self.process is not None and self.runs >= RUNS_PER_CHILD:
            self.end()
        if self.process is None:
            self.start()
        self.runs += 1
        said_before = os.path.getsize(self.errors_path)
        answer, deadline = b"", time.monotonic() + SECONDS
        try:
            self.process.stdin.write("\t".join(words).encode() + b"\n")
        except BrokenPipeError:
            pass  # it has ended; reading finds that out
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                self.process.kill()
                self.end()
                return f"no end after {SECONDS} s"
            part = os.read(self.process.stdout.fileno(), 64)
            if not part:
                break
            answer += part
        with open(self.errors_path, "rb") as errors:
            errors.seek(said_before)
            said = errors.read()[-300:].decode(errors="replace").strip()
        if not answer:
            return f"ended with status {self.end()}: {said}"
        status = int(answer)
        return None if status in FINE else f"status {status}: {said}"


def command(path, raw):
    return ["run", "--model", path, "--max-tokens", "4", "--temperature", "0", "--threads", "1",
            *(["--raw"] if raw else []), "Hello wörld"]


def places(name, size):
    """(place, new value's difference) of header and data; the data are at the end of the file."""
    import json
    shown = subprocess.run(
        [HEARTH, "show", str(FIXTURES / name), "--json"], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    data = sum(kind["bytes"] for kind in json.loads(shown.stdout)["tensors"]["types"].values())
    draw = random.Random(name)
    header = [draw.randrange(size - data) for _ in range(HEADER_PLACES)]
    return [(place, draw.randrange(1, 256)) for place in header + [draw.randrange(size - data, size) for _ in range(DATA_PLACES)]]


def damage(name):
    whole = (FIXTURES / name).read_bytes()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        child = Child(folder)
        raw = b"tokenizer.chat_template" not in whole
        equal(child.run(command(str(FIXTURES / name), raw)), None, f"{name} as it is")
        troubles = []
        for place, change in places(name, len(whole)):
            path = os.path.join(folder, f"{place}-{change}.gguf")
            with open(path, "wb") as file:
                file.write(whole)
                file.seek(place)
                file.write(bytes([whole[place] ^ change]))
            if child.run(command(path, raw)):
                child.end()
                trouble = child.run(command(path, raw))
                if trouble:
                    troubles.append(f"byte {place} xor {change}: {trouble}")
            os.unlink(path)
        child.end()
    assert not troubles, f"{len(troubles)} of {HEADER_PLACES + DATA_PLACES}:\n" + "\n".join(troubles[:40])


FILES = ["llama-f32.gguf", "mistral-f32.gguf", "gemma3-f32.gguf", "gpt-oss-f32.gguf", "quant-q4_k_m.gguf"]
for fixture in FILES:
    if fixture.removesuffix(".gguf") in os.environ.get("HEARTH_DAMAGED", fixture.removesuffix(".gguf")).split(","):
        check(f"{fixture} with one byte changed gives an answer or an error")(lambda fixture=fixture: damage(fixture))

main()
