"""The same bits whatever the threads, the batches and the cache; and what another backend or set of kernels may change."""
import json
from harness import FIXTURES, check, default_model, equal, main, reference, score

SMOL = json.loads((FIXTURES / "references/exact/smollm2-135m-instruct-q4_1.prose.json").read_text())


def one_hash(model, tokens, variants, *options):
    """Scores each variant (list of options); all must have one hash, recomputed from the logits that were written."""
    hashes = {}
    for variant in variants:
        report = score(model, tokens, *options, *variant, logits=True)
        equal(report["recomputed_sha256"], report["logits_sha256"], f"hash recomputed with {variant}")
        hashes[" ".join(variant)] = report["logits_sha256"]
    assert len(set(hashes.values())) == 1, f"hashes differ: {hashes}"
    return hashes.popitem()[1]


@check("smollm2: threads 1 and 2 and batches of 1, 7, 64 and 512 have one hash, and the report says what ran")
def batches():
    tokens = SMOL["tokens"][:150]
    seen = set()
    for threads in ["1", "2"]:
        for batch in ["1", "7", "64", "512"]:
            report = score(default_model(), tokens, "--backend", "native", "--threads", threads, "--batch", batch, logits=True)
            equal(report["threads"], int(threads), "threads")
            equal(report["forward_passes"], -(-len(tokens) // int(batch)), f"forward passes with batches of {batch}")
            equal(report["blas_products"], 0, "blas_products")
            equal(report["recomputed_sha256"], report["logits_sha256"], "recomputed hash")
            seen.add(report["logits_sha256"])
    equal(len(seen), 1, "number of different hashes")


@check("smollm2: split at 1, at 100 and at all but one has the hash of the same positions in one go")
def splits():
    import hashlib
    tokens = SMOL["tokens"][:150]
    whole = score(default_model(), tokens, "--backend", "native", logits=True)
    width = len(whole["logits"]) // len(tokens)
    for split in [1, 100, len(tokens) - 1]:
        part = score(default_model(), tokens, "--backend", "native", "--split", str(split), logits=True)
        equal(len(part["logits"]), (len(tokens) - split + 1) * width, f"logits with split {split}")
        expected = hashlib.sha256(whole["logits"][(split - 1) * width:].tobytes()).hexdigest()
        equal(part["logits_sha256"], expected, f"hash with split {split}")
        equal(part["recomputed_sha256"], expected, f"recomputed hash with split {split}")
        equal(part["cached"], split, "tokens from the cache")
        equal(part["evaluated"], len(tokens), "tokens evaluated by both requests")


for kind in ["q8_0", "q4_1", "q6_k", "q4_k_m", "f16", "bf16", "f32"]:
    for kernels in ["reference", "portable", "avx2"]:
        @check(f"quant-{kind} with {kernels} kernels: threads, batches and a split do not change a bit")
        def fixture(kind=kind, kernels=kernels):
            name = f"quant-{kind}"
            tokens = reference(name)["tokens"]
            options = ["--backend", "native", "--kernels", kernels]
            one_hash(FIXTURES / f"{name}.gguf", tokens, [
                ["--threads", threads, "--batch", batch] for threads in ["1", "2"] for batch in ["1", "7", "64"]], *options)
            one_hash(FIXTURES / f"{name}.gguf", tokens, [
                ["--split", "1", "--threads", threads, "--batch", batch] for threads in ["1", "2"] for batch in ["5", "64"]], *options)

for cache in ["f32", "f16", "q8_0"]:
    @check(f"quant-f32 with --kv {cache}: batches do not change a bit")
    def caches(cache=cache):
        one_hash(FIXTURES / "quant-f32.gguf", reference("quant-f32")["tokens"],
                 [["--batch", batch] for batch in ["1", "7", "64"]], "--kv", cache, "--backend", "native")


for name in ["quant-f32", "quant-q4_1"]:
    @check(f"{name} with --backend blas: products are counted, within 1e-3 of exact, other bits than native's")
    def blas(name=name):
        expected = reference(name)
        path = FIXTURES / f"{name}.gguf"
        report = score(path, expected["tokens"], "--backend", "blas", "--kv", "f32", logits=True)
        equal(report["backend"], "blas", "backend")
        assert report["blas_products"] > 0, "no BLAS product was made"
        exact = expected["last_logits_exact"]
        worst = max(abs(a - b) for a, b in zip(report["logits"][-len(exact):], exact))
        assert worst <= 1e-3, f"off by {worst}"
        native = score(path, expected["tokens"], "--backend", "native", "--kv", "f32")
        assert native["logits_sha256"] != report["logits_sha256"], "the hash is native's"


@check("smollm2: the three kernel sets make the same first choice wherever exact's margin is 0.5")
def sets():
    tokens = SMOL["tokens"][:64]
    for kernels in ["reference", "portable", "avx2"]:
        report = score(default_model(), tokens, "--kernels", kernels)
        equal(report["kernels"], kernels, "kernels")
        for index, margin in enumerate(SMOL["margin"][:63]):
            if margin >= 0.5:
                equal(report["positions"][index]["first"], SMOL["first"][index], f"first choice of {kernels} at {index}")


main()
