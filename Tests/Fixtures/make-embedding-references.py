#!/usr/bin/env python3
"""Writes nomic-bert-f32.gguf, a tiny model with random weights and the vocabulary of bert-f32.gguf, and
references/embeddings.json: what encoders give for some token sequences, in float64 straight from the weights in the files.

    pip install numpy==2.4.6 gguf==0.19.0
    python3 make-embedding-references.py                       # the two fixtures
    python3 make-embedding-references.py STORE/nomic-embed-text-v1.5-f16.gguf    # and the sentences of its reference

For each sequence of the fixtures: the mean over the positions, the first state, the last. For a real model: the mean scaled to
length 1. The computation follows the papers (Devlin et al. 2018; Nussbaum et al. 2024) and shares no code with the engine."""

import json
import math
import pathlib
import sys

import gguf
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE / "references" / "embeddings.json"


def field(reader, key, default=None):
    return reader.fields[key].contents() if key in reader.fields else default


def layer_norm(x, weight, bias, epsilon):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + epsilon) * weight + bias


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def silu(x):
    return x / (1 + np.exp(-x))


def rotate(x, base):
    """x is [positions, heads, width]: value j turns with value j + width / 2."""
    half = x.shape[-1] // 2
    angles = np.arange(x.shape[0])[:, None] * base ** (-np.arange(half) / half)
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * c - b * s, a * s + b * c], -1)


class Encoder:
    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.w = {}
        for t in reader.tensors:
            values = gguf.quants.dequantize(t.data, t.tensor_type)
            self.w[t.name] = np.asarray(values, dtype=np.float64).reshape([int(d) for d in reversed(t.shape)])
        arch = field(reader, "general.architecture")
        self.layers = field(reader, arch + ".block_count")
        self.heads = field(reader, arch + ".attention.head_count")
        self.epsilon = float(field(reader, arch + ".attention.layer_norm_epsilon"))
        self.base = field(reader, arch + ".rope.freq_base") if arch == "nomic-bert" else None

    def part(self, x, prefix, name):
        y = x @ self.w[prefix + name + ".weight"].T
        return y + self.w.get(prefix + name + ".bias", 0)

    def norm(self, x, name):
        return layer_norm(x, self.w[name + ".weight"], self.w[name + ".bias"], self.epsilon)

    def states(self, ids):
        w = self.w
        x = w["token_embd.weight"][ids] + w["token_types.weight"][0]
        if "position_embd.weight" in w:
            x = x + w["position_embd.weight"][: len(ids)]
        x = self.norm(x, "token_embd_norm")
        for layer in range(self.layers):
            p = "blk.%d." % layer
            if p + "attn_qkv.weight" in w:
                q, k, v = np.split(self.part(x, p, "attn_qkv"), 3, axis=-1)
            else:
                q, k, v = (self.part(x, p, "attn_" + n) for n in "qkv")
            q, k, v = (m.reshape(len(ids), self.heads, -1) for m in (q, k, v))
            if self.base:
                q, k = rotate(q, self.base), rotate(k, self.base)
            scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(q.shape[-1])
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = np.einsum("hqk,khd->qhd", scores, v).reshape(len(ids), -1)
            x = self.norm(x + self.part(mixed, p, "attn_output"), p + "attn_output_norm")
            if p + "ffn_gate.weight" in w:
                h = silu(self.part(x, p, "ffn_gate")) * self.part(x, p, "ffn_up")
            else:
                h = gelu(self.part(x, p, "ffn_up"))
            x = self.norm(x + self.part(h, p, "ffn_down"), p + "layer_output_norm")
        return x


def bf16(x):
    """Exact in bfloat16, so that no conversion of the file changes a value."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def make_nomic(path, vocabulary_of):
    width, layers, heads, inner, context = 64, 2, 4, 96, 256
    random = np.random.Generator(np.random.PCG64(20240201))
    source = gguf.GGUFReader(vocabulary_of)
    pieces = field(source, "tokenizer.ggml.tokens")
    out = gguf.GGUFWriter(path, "nomic-bert")
    out.add_string("general.name", "Tiny random nomic-bert")
    out.add_string("general.license", "cc0-1.0")
    for key, value in [("context_length", context), ("embedding_length", width), ("block_count", layers),
                       ("feed_forward_length", inner), ("attention.head_count", heads), ("pooling_type", 1)]:
        out.add_uint32("nomic-bert." + key, value)
    out.add_float32("nomic-bert.attention.layer_norm_epsilon", 1e-12)
    out.add_bool("nomic-bert.attention.causal", False)
    out.add_float32("nomic-bert.rope.freq_base", 1000.0)
    for key in source.fields:
        if not key.startswith("tokenizer."):
            continue
        value = field(source, key)
        if isinstance(value, bool):
            out.add_bool(key, value)
        elif isinstance(value, int):
            out.add_uint32(key, value)
        elif isinstance(value, str):
            out.add_string(key, value)
        else:
            out.add_array(key, value)

    def add(name, values):
        out.add_tensor(name, np.ascontiguousarray(bf16(values)))

    def matrix(name, rows, columns, gain=1.0):
        add(name + ".weight", random.standard_normal((rows, columns)) * gain / math.sqrt(columns))

    def norm(name):
        add(name + ".weight", 1 + 0.2 * random.standard_normal(width))
        add(name + ".bias", 0.2 * random.standard_normal(width))

    add("token_embd.weight", 0.7 * random.standard_normal((len(pieces), width)))
    add("token_types.weight", 0.3 * random.standard_normal((2, width)))
    norm("token_embd_norm")
    for layer in range(layers):
        p = "blk.%d." % layer
        matrix(p + "attn_qkv", 3 * width, width, 1.4)
        matrix(p + "attn_output", width, width)
        norm(p + "attn_output_norm")
        matrix(p + "ffn_up", inner, width)
        matrix(p + "ffn_gate", inner, width)
        matrix(p + "ffn_down", width, inner)
        norm(p + "layer_output_norm")
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def sequence(count, vocabulary):
    """[CLS], tokens from all over the vocabulary, [SEP]."""
    ids = [(11 * i * i + 29 * i + 7) % vocabulary for i in range(count)]
    ids[0] = 2
    if count > 1:
        ids[-1] = 3
    return ids


def numbers(values):
    return [float("%.7g" % v) for v in values]


def main():
    make_nomic(HERE / "nomic-bert-f32.gguf", HERE / "bert-f32.gguf")
    old = json.loads(OUT.read_text()) if OUT.exists() else {}
    result = {}
    # Around the tiles and pages that kernels work in; bert-f32 has 64 positions.
    for name, lengths in [("bert-f32", [1, 2, 8, 9, 37, 64]), ("nomic-bert-f32", [1, 2, 8, 9, 37, 128, 129, 256])]:
        encoder = Encoder(HERE / (name + ".gguf"))
        result[name] = []
        for count in lengths:
            ids = sequence(count, encoder.w["token_embd.weight"].shape[0])
            states = encoder.states(ids)
            result[name].append({"tokens": ids, "mean": numbers(states.mean(0)), "first": numbers(states[0]),
                                 "last": numbers(states[-1])})
    for path in sys.argv[1:]:
        name = pathlib.Path(path).stem
        reference = json.loads((HERE / "references" / "real" / (name + ".json")).read_text())
        encoder = Encoder(path)
        result[name] = []
        for sentence in reference["sentences"]:
            mean = encoder.states(sentence["tokens"]).mean(0)
            mean /= np.sqrt((mean * mean).sum())
            result[name].append({"tokens": sentence["tokens"], "mean": numbers(mean)})
    for name in old:
        result.setdefault(name, old[name])
    lines = []
    for name, items in result.items():
        lines.append(' %s: [\n  %s\n ]' % (json.dumps(name), ",\n  ".join(json.dumps(item) for item in items)))
    OUT.write_text("{\n%s\n}\n" % ",\n".join(lines))


main()
