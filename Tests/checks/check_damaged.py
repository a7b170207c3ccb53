"""Model files with one byte changed: an answer or an error, never a signal, a time-out or an error of our own making.

Each place is loaded, tokenised, rendered and evaluated for four tokens in a child of its own, which has 2 GB of address
space and ten seconds. `make test` tries a few places of each file; with HEARTH_ALL_PLACES=1, as in `make test-models`, 2,000
places of the header and 500 of the tensor data. The places are drawn from the file's name, so that a failure can be repeated.
"""
import concurrent.futures
import json
import os
import random
import resource
import subprocess
import tempfile
from harness import FIXTURES, HEARTH, check, equal, main

ALL = os.environ.get("HEARTH_ALL_PLACES") == "1"
HEADER_PLACES, DATA_PLACES = (2000, 500) if ALL else (60, 15)
SPACE = 2 << 30
SECONDS = 10
# Done, usage (a token outside of the vocabulary), not found, a bad file, too long, refused: see `hearth --help`.
FINE = {0, 2, 3, 4, 5, 6}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def outcome(path, raw):
    """Nothing when all is well, else what went wrong."""
    command = [HEARTH, "run", "--model", path, "--max-tokens", "4", "--temperature", "0", "--threads", "1"]
    command += (["--raw"] if raw else []) + ["Hello wörld"]
    try:
        child = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    if child.returncode in FINE:
        return None
    return f"status {child.returncode}: {child.stderr.decode(errors='replace').strip()[-300:]}"


def places(name, size):
    """(place, new value's difference) of header and data; the data are at the end of the file."""
    shown = subprocess.run(
        [HEARTH, "show", str(FIXTURES / name), "--json"], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    data = sum(kind["bytes"] for kind in json.loads(shown.stdout)["tensors"]["types"].values())
    draw = random.Random(name)
    header = [draw.randrange(size - data) for _ in range(HEADER_PLACES)]
    return [(place, draw.randrange(1, 256)) for place in header + [draw.randrange(size - data, size) for _ in range(DATA_PLACES)]]


def damage(name):
    whole = (FIXTURES / name).read_bytes()
    raw = outcome(str(FIXTURES / name), False) is not None or b"tokenizer.chat_template" not in whole
    equal(outcome(str(FIXTURES / name), raw), None, f"{name} as it is")
    with tempfile.TemporaryDirectory() as folder:
        def one(job):
            place, change = job
            path = os.path.join(folder, f"{place}-{change}.gguf")
            with open(path, "wb") as file:
                file.write(whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1:])
            try:
                trouble = outcome(path, raw)
            finally:
                os.unlink(path)
            return trouble and f"byte {place} xor {change}: {trouble}"

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            troubles = [trouble for trouble in pool.map(one, places(name, len(whole))) if trouble]
    assert not troubles, f"{len(troubles)} of {HEADER_PLACES + DATA_PLACES}:\n" + "\n".join(troubles[:10])


for fixture in ["llama-f32.gguf", "mistral-f32.gguf", "gemma3-f32.gguf", "gpt-oss-f32.gguf", "quant-q4_k_m.gguf"]:
    check(f"{fixture} with one byte changed gives an answer or an error")(lambda fixture=fixture: damage(fixture))

main()
