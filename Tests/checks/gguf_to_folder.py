"""Writes a small GGUF file again as a folder of safetensors, as the Hugging Face libraries would: names, layouts and config.json.

Only what the fixtures need: tensors in F32 (and MXFP4 of gpt-oss's experts), no tokenizer. No package beyond Python's own.
"""
import array
import json
import struct

SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}


class Gguf:
    """Metadata by key, and tensors by name: (shape with rows first, type number, bytes)."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.at = 24
        tensors, keys = struct.unpack_from("<QQ", self.data, 8)
        self.metadata = {}
        for _ in range(keys):
            name = self.string()
            self.metadata[name] = self.value(self.take("<I"))
        records = []
        for _ in range(tensors):
            name = self.string()
            shape = [self.take("<Q") for _ in range(self.take("<I"))][::-1]
            records.append((name, shape, self.take("<I"), self.take("<Q")))
        start = -(-self.at // 32) * 32
        self.tensors = {}
        for name, shape, kind, offset in records:
            count = 1
            for size in shape:
                count *= size
            size = {0: 4 * count, 39: count // 32 * 17}[kind]
            self.tensors[name] = (shape, kind, self.data[start + offset:start + offset + size])

    def take(self, form):
        value, = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def string(self):
        length = self.take("<Q")
        self.at += length
        return self.data[self.at - length:self.at].decode(errors="replace")

    def value(self, kind):
        if kind == 8:
            return self.string()
        if kind == 9:
            inner, count = self.take("<I"), self.take("<Q")
            return [self.value(inner) for _ in range(count)]
        return self.take(SCALARS[kind])


def rows(data, count):
    size = len(data) // count
    return [data[i * size:(i + 1) * size] for i in range(count)]


def halves(data, count, heads):
    """Rows of heads from pairs side by side to two halves: the way back from llama's layout in GGUF."""
    all_rows = rows(data, count)
    width = count // heads
    return b"".join(all_rows[h * width + i % (width // 2) * 2 + i // (width // 2)] for h in range(heads) for i in range(width))


def interleave(first, second, count):
    return b"".join(row for pair in zip(rows(first, count), rows(second, count)) for row in pair)


def transposed(data, height, width):
    values = array.array("f", data)
    return array.array("f", (values[r * width + c] for c in range(width) for r in range(height))).tobytes()


def less_one(data):
    return array.array("f", (v - 1 for v in array.array("f", data))).tobytes()


def unpacked_mxfp4(data):
    """Blocks of 17 bytes to scales and values in pairs of neighbours."""
    scales, values = bytearray(), bytearray()
    for at in range(0, len(data), 17):
        scales.append(data[at])
        plain = [b & 15 for b in data[at + 1:at + 17]] + [b >> 4 for b in data[at + 1:at + 17]]
        values += bytes(plain[2 * i] | plain[2 * i + 1] << 4 for i in range(16))
    return bytes(values), bytes(scales)


TOP = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}
LAYER = {
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_qkv": "self_attn.qkv_proj", "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm", "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "ffn_gate_inp": "mlp.gate", "attn_sinks": "self_attn.sinks",
    "post_attention_norm": "post_attention_layernorm", "post_ffw_norm": "post_feedforward_layernorm",
}
OTHERS = {
    "gemma2": {"ffn_norm": "pre_feedforward_layernorm"}, "gemma3": {"ffn_norm": "pre_feedforward_layernorm"},
    "olmo2": {"ffn_norm": "-"}, "phi3": {"ffn_up": "mlp.gate_up_proj"}, "gpt-oss": {"ffn_gate_inp": "mlp.router"},
    "lfm2": {
        "attn_norm": "operator_norm", "ffn_norm": "ffn_norm", "shortconv.conv": "conv.conv", "shortconv.in_proj": "conv.in_proj",
        "shortconv.out_proj": "conv.out_proj", "attn_output": "self_attn.out_proj", "attn_q_norm": "self_attn.q_layernorm",
        "attn_k_norm": "self_attn.k_layernorm", "ffn_gate": "feed_forward.w1", "ffn_up": "feed_forward.w3", "ffn_down": "feed_forward.w2",
    },
}
TYPES = {"llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "qwen3moe": "qwen3_moe", "gemma2": "gemma2", "gemma3": "gemma3_text",
         "phi3": "phi3", "olmo2": "olmo2", "granite": "granite", "smollm3": "smollm3", "gpt-oss": "gpt_oss", "lfm2": "lfm2"}


def config(gguf, arch):
    def get(key, default=None):
        return gguf.metadata.get(f"{arch}.{key}", default)
    heads, width, layers = get("attention.head_count"), get("embedding_length"), get("block_count")
    head = get("attention.key_length", width // heads)
    result = {
        "model_type": TYPES[arch], "hidden_size": width, "intermediate_size": get("feed_forward_length"), "num_hidden_layers": layers,
        "num_attention_heads": heads, "num_key_value_heads": get("attention.head_count_kv"), "head_dim": head,
        "rms_norm_eps": get("attention.layer_norm_rms_epsilon"), "max_position_embeddings": get("context_length"),
        "rope_theta": get("rope.freq_base"), "tie_word_embeddings": "output.weight" not in gguf.tensors, "hidden_act": "silu",
    }
    if arch in ("gemma2", "gemma3"):
        result |= {"hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": head, "sliding_window": get("attention.sliding_window"),
                   "attn_logit_softcapping": get("attn_logit_softcapping"), "final_logit_softcapping": get("final_logit_softcapping")}
        del result["hidden_act"]
    if arch == "granite":
        result |= {"embedding_multiplier": get("embedding_scale"), "residual_multiplier": get("residual_scale"),
                   "attention_multiplier": get("attention.scale"), "logits_scaling": get("logit_scale")}
    if arch == "qwen3moe":
        result |= {"num_experts": get("expert_count"), "num_experts_per_tok": get("expert_used_count"),
                   "moe_intermediate_size": get("expert_feed_forward_length"), "norm_topk_prob": True, "decoder_sparse_step": 1,
                   "mlp_only_layers": []}
    if arch == "gpt-oss":
        result |= {"num_local_experts": get("expert_count"), "num_experts_per_tok": get("expert_used_count"),
                   "intermediate_size": get("expert_feed_forward_length"), "sliding_window": get("attention.sliding_window"),
                   "layer_types": [("full" if i % 2 else "sliding") + "_attention" for i in range(layers)], "swiglu_limit": 7.0,
                   "rope_scaling": {"rope_type": "yarn", "factor": get("rope.scaling.factor"), "truncate": True, "beta_fast": 32.0,
                                    "beta_slow": 1.0, "original_max_position_embeddings": get("rope.scaling.original_context_length")}}
    if arch == "lfm2":
        kv = get("attention.head_count_kv")
        result |= {"num_key_value_heads": max(kv), "layer_types": ["full_attention" if n else "conv" for n in kv],
                   "norm_eps": result.pop("rms_norm_eps"), "conv_L_cache": get("shortconv.l_cache"), "block_auto_adjust_ff_dim": False}
        del result["hidden_act"], result["head_dim"]
    return result


def expert_tensors(arch, layer, gguf):
    """The experts of a layer in safetensors' ways."""
    def part(stem, kind="weight"):
        return gguf.tensors.get(f"blk.{layer}.{stem}_exps.{kind}")
    base = f"model.layers.{layer}.mlp.experts"
    if arch == "qwen3moe":
        for stem in ("gate", "up", "down"):
            (count, *shape), _, data = part(f"ffn_{stem}")
            for index, one in enumerate(rows(data, count)):
                yield f"{base}.{index}.{stem}_proj.weight", "F32", shape, one
        return
    gate, up, down = part("ffn_gate"), part("ffn_up"), part("ffn_down")
    (count, inner, width), kind, _ = gate
    both = interleave(gate[2], up[2], count * inner)
    for name, height, columns, data in [("gate_up_proj", 2 * inner, width, both), ("down_proj", width, inner, down[2])]:
        if kind == 39:
            values, scales = unpacked_mxfp4(data)
            yield f"{base}.{name}_blocks", "U8", [count, height, columns // 32, 16], values
            yield f"{base}.{name}_scales", "U8", [count, height, columns // 32], scales
        else:
            yield f"{base}.{name}", "F32", [count, columns, height], b"".join(transposed(one, height, columns) for one in rows(data, count))
    bias = interleave(part("ffn_gate", "bias")[2], part("ffn_up", "bias")[2], count * inner)
    yield f"{base}.gate_up_proj_bias", "F32", [count, 2 * inner], bias
    yield f"{base}.down_proj_bias", "F32", [count, width], part("ffn_down", "bias")[2]


def write(source, folder, shards=1):
    """`source` as a folder of `shards` files."""
    gguf = Gguf(source)
    arch = gguf.metadata["general.architecture"]
    settings = config(gguf, arch)
    names = LAYER | OTHERS.get(arch, {})
    tensors = []
    for name, (shape, _, data) in gguf.tensors.items():
        top = {"token_embd_norm.weight": "model.embedding_norm.weight"} | TOP
        if name in top:
            tensors.append((top[name], "F32", shape, data))
        elif "_exps." not in name:
            _, layer, rest = name.split(".", 2)
            stem, kind = rest.rsplit(".", 1)
            if arch in ("llama", "granite", "smollm3") and stem in ("attn_q", "attn_k"):
                data = halves(data, shape[0], settings["num_attention_heads" if stem == "attn_q" else "num_key_value_heads"])
            if stem == "shortconv.conv":
                shape = [shape[0], 1, shape[1]]
            suffix = "" if stem == "attn_sinks" else f".{kind}"
            tensors.append((f"model.layers.{layer}.{names[stem]}{suffix}", "F32", shape, data))
        if arch.startswith("gemma") and name.endswith("norm.weight"):
            tensors[-1] = (*tensors[-1][:3], less_one(data))
    if f"blk.0.ffn_gate_exps.weight" in gguf.tensors:
        for layer in range(settings["num_hidden_layers"]):
            tensors += expert_tensors(arch, layer, gguf)
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(settings))
    where = {}
    for shard in range(shards):
        file = "model.safetensors" if shards == 1 else f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        header, data = {}, b""
        for name, dtype, shape, part in tensors[shard::shards]:
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(part)]}
            data += part
            where[name] = file
        text = json.dumps(header).encode()
        (folder / file).write_bytes(struct.pack("<Q", len(text)) + text + data)
    if shards > 1:
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
