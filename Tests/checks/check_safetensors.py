"""Fixtures written again as folders of safetensors: the same weights in another layout give the same bits, or what it says below."""
import pathlib
import tempfile
import gguf_to_folder
from harness import FIXTURES, check, equal, main, reference, run, score

# Norm weights are stored minus 1 there, which rounds some of them.
ROUNDED = {"gemma2-f32": 1e-4, "gemma3-f32": 1e-4}


def both(name, *options, shards=1):
    """Reports of the file and of the folder over the reference's tokens."""
    tokens = reference(name)["tokens"]
    with tempfile.TemporaryDirectory() as space:
        folder = pathlib.Path(space) / "model"
        gguf_to_folder.write(FIXTURES / f"{name}.gguf", folder, shards)
        return [score(model, tokens, "--kv", "f32", *options, logits=True) for model in (FIXTURES / f"{name}.gguf", folder)]


for name in ["llama-f32", "mistral-f32", "qwen2-f32", "qwen3-f32", "qwen3moe-f32", "gemma2-f32", "gemma3-f32", "phi3-f32", "olmo2-f32",
             "granite-f32", "smollm3-f32", "gpt-oss-f32", "gpt-oss-mxfp4", "lfm2-f32"]:
    @check(f"{name} as a folder gives the file's logits")
    def same(name=name):
        file, folder = both(name)
        if name in ROUNDED:
            worst = max(abs(a - b) for a, b in zip(file["logits"], folder["logits"]))
            assert worst <= ROUNDED[name], f"off by {worst}"
        else:
            equal(folder["logits_sha256"], file["logits_sha256"], "hash of the logits")


for name in ["qwen3moe-f32", "gpt-oss-mxfp4"]:
    @check(f"{name} in three files, its experts spread over them, gives the file's logits")
    def spread(name=name):
        file, folder = both(name, shards=3)
        equal(folder["logits_sha256"], file["logits_sha256"], "hash of the logits")


@check("an expert that is missing is named")
def missing():
    with tempfile.TemporaryDirectory() as space:
        folder = pathlib.Path(space) / "model"
        gguf_to_folder.write(FIXTURES / "qwen3moe-f32.gguf", folder)
        file = folder / "model.safetensors"
        # The same length, so that everything else stays where it is.
        file.write_bytes(file.read_bytes().replace(b"layers.1.mlp.experts.3.up_proj", b"layers.1.mlp.experts.9.up_proj"))
        result = run("show", folder)
        equal(result.returncode, 4, "status")
        assert "blk.1.ffn_up_exps.weight" in result.stderr and "expert 3 is missing" in result.stderr, result.stderr


for name in ["qwen3moe-f32", "gpt-oss-f32", "lfm2-f32"]:
    @check(f"{name} as a folder is brought into Q8_0 while it is loaded, experts too: the bits of a file that was quantised before")
    def quantised(name=name):
        tokens = reference(name)["tokens"]
        with tempfile.TemporaryDirectory() as space:
            folder, small = pathlib.Path(space) / "model", pathlib.Path(space) / "small.gguf"
            gguf_to_folder.write(FIXTURES / f"{name}.gguf", folder)
            loaded = score(folder, tokens, "--kv", "f32", "--quantize", "q8_0")
            equal(run("quantize", folder, small, "q8_0").returncode, 0, "status of `hearth quantize`")
            written = score(small, tokens, "--kv", "f32")
            plain = score(folder, tokens, "--kv", "f32")
        equal(loaded["logits_sha256"], written["logits_sha256"], "hash of the logits")
        assert loaded["logits_sha256"] != plain["logits_sha256"], "nothing was brought into another type"


main()
