"""hearth embed: vectors of texts, on every way in and out."""
import json
import math
import pathlib
import random
import resource
import subprocess
import tempfile
from harness import FIXTURES, HEARTH, check, equal, main, run

BERT = FIXTURES / "bert-f32.gguf"
NOMIC = FIXTURES / "nomic-bert-f32.gguf"
TEXTS = ["hello world", "The quick brown fox.", "über 世界"]


def lines(*words, stdin=None):
    result = run("embed", *words) if stdin is None else subprocess.run(
        [HEARTH, "embed", *map(str, words)], input=stdin, capture_output=True, text=True)
    equal((result.returncode, result.stderr), (0, ""), f"embed {words}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def status(result, code, *words):
    equal(result.returncode, code, f"status ({result.stderr.strip()})")
    for word in words:
        assert word in result.stderr, f"{word!r} is not in: {result.stderr!r}"


def length(vector):
    return math.sqrt(sum(x * x for x in vector))


@check("embed writes an object a line for arguments, lines of a file and lines of standard input, the same for each")
def ways_in():
    given = lines("--model", BERT, *TEXTS)
    equal([item["index"] for item in given], [0, 1, 2], "indexes")
    equal([item["text"] for item in given], TEXTS, "texts")
    for item in given:
        equal(sorted(item), ["embedding", "index", "text", "tokens"], "fields")
        equal(len(item["embedding"]), 64, "numbers")
        assert abs(length(item["embedding"]) - 1) < 1e-5 and item["tokens"] > 2
    # A line end closes a line, with or without a carriage return, and a last one need not be there.
    for text in ["\n".join(TEXTS), "\n".join(TEXTS) + "\n", "\r\n".join(TEXTS) + "\r\n"]:
        equal(lines("--model", BERT, stdin=text), given, "standard input")
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "texts"
            path.write_text(text, newline="")
            equal(lines("--model", BERT, "--file", path), given, "file")
    equal([item["text"] for item in lines("--model", BERT, stdin="a\n\nb\n")], ["a", "", "b"], "an empty line")


@check("embed --json writes one array, and a hundred texts come out as one by one, on any number of threads")
def array():
    texts = [f"text number {index} " + "hello " * (index % 30) for index in range(100)]
    result = run("embed", "--model", BERT, "--json", *texts)
    equal(result.returncode, 0, "status")
    whole = json.loads(result.stdout)
    equal(whole, lines("--model", BERT, "--threads", "2", stdin="\n".join(texts)), "array and lines")
    for index in [0, 57, 99]:
        equal(lines("--model", BERT, texts[index])[0]["embedding"], whole[index]["embedding"], f"text {index} alone")


@check("embed --pooling, --dimensions and --no-normalise do what they say")
def options():
    vectors = {pooling: lines("--model", BERT, "--pooling", pooling, "hello world")[0]["embedding"]
               for pooling in ["mean", "cls", "last"]}
    equal(vectors["mean"], lines("--model", BERT, "hello world")[0]["embedding"], "the file says mean")
    assert vectors["mean"] != vectors["cls"] != vectors["last"]
    part = lines("--model", NOMIC, "--dimensions", "16", "hello")[0]["embedding"]
    raw = lines("--model", NOMIC, "--no-normalise", "hello")[0]["embedding"]
    assert len(part) == 16 and abs(length(part) - 1) < 1e-5 and length(raw) > 1.5
    front = raw[:16]
    assert all(abs(a - b / length(front)) < 1e-6 for a, b in zip(part, front))


@check("embed --similarity writes the cosine of each pair")
def similarity():
    pairs = lines("--model", BERT, "--similarity", *TEXTS, TEXTS[0])
    equal([(p["a"], p["b"]) for p in pairs], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], "pairs")
    assert abs(pairs[2]["cosine"] - 1) < 1e-6 and pairs[0]["cosine"] < 0.999
    status(run("embed", "--model", BERT, "--similarity", "one"), 2, "at least 2")


@check("embed refuses a text that does not fit with both numbers, and cuts it where --truncate is given")
def too_long():
    long = "hello " * 100
    result = run("embed", "--model", BERT, "fits", long)
    status(result, 5, "Text 2 has 102 tokens", "64 fit")
    equal(result.stdout, "", "nothing came before it")
    result = run("embed", "--model", BERT, "--truncate", long)
    equal(result.returncode, 0, "status")
    assert "cut to 64 tokens" in result.stderr
    equal(json.loads(result.stdout)["embedding"], lines("--model", BERT, "hello " * 62)[0]["embedding"], "the part that fits")


@check("embed refuses a model that writes text, and run and score an embedding model: each says which verb to use")
def wrong_kind():
    status(run("embed", "--model", FIXTURES / "llama-f32.gguf", "x"), 4, "hearth run", "bert or nomic-bert")
    status(run("run", "--model", BERT, "--raw", "x"), 4, "hearth embed")
    status(run("score", "--model", NOMIC, "--text", "x"), 4, "hearth embed")
    result = run("embed", "--json", "--model", FIXTURES / "llama-f32.gguf", "x")
    equal(json.loads(result.stdout)["error"]["kind"], "bad_model_file", "kind")


@check("embed without a text, and with one too many options, says so")
def usage():
    status(subprocess.run([HEARTH, "embed"], input="", capture_output=True, text=True), 2, "There is no text")
    status(run("embed", "--file", "/dev/null", "x"), 2, "TEXT and --file")
    status(run("embed", "--model", BERT, "--dimensions", "65", "x"), 2, "Ask for 1 to 64")
    status(run("embed", "--model", BERT, "--dimensions", "0", "x"), 2, "--dimensions")
    status(run("embed", "--model", BERT, "--pooling", "max", "x"), 2, "mean, cls, last")
    status(run("embed", "--model", BERT, "--context", "65", "x"), 6, "64")
    result = run("embed", "--help")
    equal(result.returncode, 0, "status")
    assert "[TEXT ...]" in result.stdout and "search_query: " in result.stdout


@check("embedding models with one byte changed end in an error or an answer, within 2 GB")
def damaged():
    places = random.Random(12)
    for model in [BERT, NOMIC]:
        whole = model.read_bytes()
        weights = whole.index(b"blk.1.layer_output_norm.bias")  # names come before the weights
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "damaged.gguf"
            for number in range(60):
                place = places.randrange(weights) if number < 45 else places.randrange(weights, len(whole))
                changed = bytearray(whole)
                changed[place] ^= 1 << places.randrange(8)
                path.write_bytes(changed)
                result = subprocess.run(
                    [HEARTH, "embed", "--model", path, "hello world", "x"], capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)))
                assert result.returncode in (0, 4, 5, 6), f"{model.name}, byte {place}: {result.returncode} {result.stderr[-300:]}"


main()
