#!/usr/bin/env python3
"""Measures every fixture and every model of the store that has references, and writes the tables into Models/README.md.

    swift build -c release --product hearth
    python3 Models/make-table.py            # HEARTH_BINARY names another program

The cache is Float32 for fixtures, as the references have it, and the default for real models. What is not here is left out
and said on standard error.
"""
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/checks"))
from harness import FIXTURES, answer, score, store  # noqa: E402

README = ROOT / "Models/README.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def fixture_rows():
    for path in sorted((FIXTURES / "references").glob("*.json")):
        expected = json.loads(path.read_text())
        if "last_logits_exact" not in expected:
            continue
        exact = expected["last_logits_exact"]
        twins = [FIXTURES / f"{path.stem}.gguf"]
        folder = FIXTURES / "safetensors" / path.stem.removesuffix("-f32")
        if folder.is_dir() and path.stem.endswith("-f32"):
            twins.append(folder)
        for model in twins:
            report = score(model, expected["tokens"], "--kv", "f32", logits=True)
            worst = max(abs(a - b) for a, b in zip(report["logits"][-len(exact):], exact))
            kinds = ", ".join(sorted(expected["weight_types"])) if model.suffix == ".gguf" else "safetensors"
            yield f"| `{model.relative_to(FIXTURES)}` | {kinds} | {worst:.1e} | {expected['max_abs_diff']:.1e} |"


def weights(model):
    """The types of a file's tensors, those with the most bytes first."""
    types = answer("show", model)["tensors"]["types"]
    return ", ".join(sorted(types, key=lambda kind: -types[kind]["bytes"]))


def model_rows():
    """Texts with exact references, then those that only llama.cpp has read."""
    texts = [json.loads(path.read_text()) for path in sorted((FIXTURES / "references/exact").glob("*.json"))]
    for path in sorted((FIXTURES / "references/real").glob("*.texts.json")):
        reference = json.loads(path.read_text())
        texts += [{"model": reference["model"], "text": f"{name}.txt", "tokens": text["tokens"], "llama_cpp": text}
                  for name, text in reference["texts"].items()]
    for expected in texts:
        model = store() / f"{expected['model']}.gguf"
        if not model.exists():
            print(f"left out: {model} is not here", file=sys.stderr)
            continue
        report = score(model, expected["tokens"])
        firsts = [position["first"] for position in report["positions"]]
        same, exact = "not computed", "not computed"
        if "margin" in expected:
            clear = [i for i, margin in enumerate(expected["margin"]) if margin >= 0.5]
            same = f"{sum(firsts[i] == expected['first'][i] for i in clear)} of {len(clear)}"
            exact = f"{expected['mean_nll']:.4f}"
        yield (f"| `{expected['model']}` | {weights(model)} | {expected['text'].removesuffix('.txt')} | {same} | {report['mean_nll']:.4f} "
               f"| {expected['llama_cpp']['mean_nll']:.4f} | {exact} |")


def embedding_rows():
    """Vectors of the sentences of references/real."""
    for path in sorted((FIXTURES / "references/real").glob("*.json")):
        expected = json.loads(path.read_text())
        if "sentences" not in expected:
            continue
        model = store() / expected["model"].split("/")[0]
        if not model.exists():
            print(f"left out: {model} is not here", file=sys.stderr)
            continue
        texts = [sentence["text"] for sentence in expected["sentences"]]
        ours = [item["embedding"] for item in answer("embed", "--model", model, *texts)]
        theirs = [sentence["embedding"] for sentence in expected["sentences"]]
        worst = max(abs(a - b) for x, y in zip(ours, theirs) for a, b in zip(x, y))
        cosine = min(sum(a * b for a, b in zip(x, y)) / math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))
                     for x, y in zip(ours, theirs))
        source = "float64" if "float64" in expected["reference"] else "llama.cpp"
        yield f"| `{model.name}` | {len(texts)} | {source} | {worst:.1e} | {1 - cosine:.1e} |"


def main():
    rows = [
        "Fixtures: the largest difference of a logit of the last position to the value computed exactly from the weights; "
        "llama.cpp's is over all positions.", "",
        "| file | weights | ours | llama.cpp |", "|---|---|---|---|", *fixture_rows(), "",
        "Real models over texts that do not repeat: how often the first choice is exact's where its margin is 0.5 or more, and the "
        "mean negative log-likelihood of a token. Exact is float64 straight from the weights in the file, which nobody computed for the "
        "1.5B model.", "",
        "| model | weights | text | first choice | ours | llama.cpp | exact |", "|---|---|---|---|---|---|---|", *model_rows(), "",
        "Embedding models over the sentences of their references: the largest difference of a number of a vector of length 1, and 1 minus "
        "the least cosine between ours and the reference's vector.", "",
        "| model | sentences | reference | difference | 1 - cosine |", "|---|---|---|---|---|", *embedding_rows(),
    ]
    text = README.read_text()
    if BEGIN not in text:
        text += f"\n## Fidelity\n\nWritten by `python3 Models/make-table.py`.\n\n{BEGIN}\n{END}\n"
    before, rest = text.split(BEGIN)
    README.write_text(before + BEGIN + "\n" + "\n".join(rows) + "\n" + END + rest.split(END)[1])


main()
