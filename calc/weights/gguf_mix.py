"""The tensors of a .gguf file as llama.cpp makes it from a checkpoint, and their bytes.

llama.cpp first converts a checkpoint (`convert_hf_to_gguf.py`): tensors get its own short names, experts are stacked, what is
one row long, norms and routers stay in 32 bits. Then `llama-quantize` chooses a type for each matrix: `calc.weights.gguf_types`.

    bytes of a tensor = rows · (row length ÷ block) · bytes of a block

Each tensor is filled up to a multiple of 32 bytes. Before the data stand the tokenizer and other metadata, which no config
tells, and the list of tensors, whose bytes are counted here too.

What a config does not tell either: whether a checkpoint stores a tied head all the same (Qwen3-0.6B and 1.7B do, and their
.gguf files then have an output matrix), and how many rows of Gemma 3's table no token fills (the converter drops them).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from calc.errors import ConfigError, quoted
from calc.mixing import Mixing
from calc.mixing.reading import language_model
from calc.model import Model
from calc.parts_list import PartsList
from calc.tensors import Tensor
from calc.weights.formats import number_format, unknown_format
from calc.weights.gguf_types import FTYPES, NEEDS_IMATRIX, Candidate, Shape, choose_types, fitting

ALIGNMENT = 32
"""Every tensor of the file begins at a multiple of so many bytes."""

ARCHITECTURES = {
    "arcee": "arcee", "bloom": "bloom", "cohere": "command-r", "cohere2": "cohere2", "deepseek_v2": "deepseek2",
    "deepseek_v3": "deepseek2", "ernie4_5": "ernie4_5", "exaone4": "exaone4", "falcon": "falcon", "gemma": "gemma",
    "gemma2": "gemma2", "gemma3_text": "gemma3", "glm4": "glm4", "gpt2": "gpt2", "gpt_bigcode": "starcoder",
    "gpt_neox": "gptneox", "gpt_oss": "gpt-oss",
    "granite": "granite", "granitemoe": "granitemoe", "llama": "llama", "ministral": "llama",
    "ministral3": "mistral3", "mistral": "llama", "mixtral": "llama", "nemotron": "nemotron", "olmo": "olmo", "olmo2": "olmo2",
    "olmo3": "olmo2", "olmoe": "olmoe", "phi": "phi2", "phi3": "phi3", "phimoe": "phimoe", "qwen2": "qwen2",
    "qwen2_moe": "qwen2moe", "qwen3": "qwen3", "qwen3_moe": "qwen3moe", "seed_oss": "seed_oss", "smollm3": "smollm3",
    "stablelm": "stablelm", "starcoder2": "starcoder2",
}  # fmt: skip
"""Types whose conversion is described here → what llama.cpp calls them. It converts more types than these."""

NAMES = {
    "token_embedding": "token_embd", "position_embedding": "position_embd", "norm_after_embedding": "token_embd_norm",
    "lm_head": "output", "final_norm": "output_norm",
    "norm_before_attention": "attn_norm", "norm_before_attention_and_ffn": "attn_norm", "norm_before_ffn": "ffn_norm",
    "norm_after_attention": "post_attention_norm", "norm_after_ffn": "post_ffw_norm",
    "query": "attn_q", "key": "attn_k", "value": "attn_v", "query_key_value": "attn_qkv", "attention_output": "attn_output",
    "query_norm": "attn_q_norm", "key_norm": "attn_k_norm", "all_queries_norm": "attn_q_norm", "all_keys_norm": "attn_k_norm",
    "attention_sinks": "attn_sinks",
    "query_down": "attn_q_a", "query_latent_norm": "attn_q_a_norm", "query_up": "attn_q_b", "key_value_down": "attn_kv_a_mqa",
    "key_value_latent_norm": "attn_kv_a_norm",
    "gate": "ffn_gate", "up": "ffn_up", "gate_up": "ffn_up", "down": "ffn_down", "widen": "ffn_up", "narrow": "ffn_down",
    "router": "ffn_gate_inp", "shared_expert_gate": "ffn_gate_inp_shexp", "router_correction": "exp_probs_b",
}  # fmt: skip
"""Role of a line of the parts list → llama.cpp's name of the tensor, without `blk.N.` and its ending."""

NAMES_BY_ARCHITECTURE = {
    "gpt-oss": {"norm_before_ffn": "post_attention_norm"},
    "seed_oss": {"norm_before_ffn": "post_attention_norm"},
    "phi2": {"norm_before_attention": "attn_norm"},
}
DROPS_ROWS = ("gemma3",)
"""Architectures whose table loses rows in the conversion, as far as the tokenizer has no token for them."""

IN_32_BITS = ("router", "shared_expert_gate", "position_embedding", "router_correction")
"""Roles that the converter keeps in 32 bits although they are matrices."""


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One tensor of the file.

    name    as llama.cpp calls it
    kind    its type: `Q4_K`, `F32` …
    shape   lengths, slowest first: [out, in], of stacked experts [E, out, in]
    bytes   without the filling behind it
    line    name in the parts list; None for what the converter adds
    layer   id, None outside the layers
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    bytes: int
    line: str | None
    layer: int | None

    @property
    def padded_bytes(self) -> int:
        """With the filling behind it."""
        return -(-self.bytes // ALIGNMENT) * ALIGNMENT

    @property
    def info_bytes(self) -> int:
        """Its entry in the list of tensors: name with its length, number of lengths, lengths, type, offset."""
        return 8 + len(self.name.encode()) + 4 + 8 * len(self.shape) + 4 + 8


@dataclass(frozen=True, slots=True)
class _Raw:
    name: str
    shape: tuple[int, ...]
    line: str | None
    layer: int | None
    in_32_bits: bool


def needs_imatrix(ftype: str) -> bool:
    """Whether llama-quantize refuses to make a file of this type without an importance matrix.

    >>> [name for name in FTYPES if needs_imatrix(name)]
    ['Q2_K_S', 'IQ1_S', 'IQ1_M', 'IQ2_XXS', 'IQ2_XS', 'IQ2_S', 'IQ2_M', 'IQ3_XXS', 'IQ3_XS']
    """
    return FTYPES[ftype] in NEEDS_IMATRIX or ftype in ("Q2_K_S", "IQ3_XS")  # IQ3_XS gives queries and keys IQ3_XXS


def file_type(name: str) -> str:
    """A file type, upper or lower case. Raises ConfigError: unknown_format, unknown_format_similar.

    >>> file_type("q4_k_m")
    'Q4_K_M'
    """
    if name.strip().upper() in FTYPES:
        return name.strip().upper()
    raise unknown_format(name, FTYPES)


def gguf_tensors(model: Model, ftype: str, imatrix: bool = False) -> tuple[GgufTensor, ...]:
    """Every tensor of the file that llama.cpp makes of a model, in the order it is written: by layer, then by name.

    ftype     one of `FTYPES`
    imatrix   whether an importance matrix is given; it is taken for granted where the type needs one

    Raises ConfigError: unknown_format, unknown_format_similar, gguf_not_described, gguf_no_fallback, and all that
    `Model.of` raises.

    >>> llama = gguf_tensors(Model.of("llama-2-7b"), "Q4_K_M")
    >>> sum(tensor.padded_bytes for tensor in llama), llama[0].name, llama[0].kind
    (4080263168, 'output.weight', 'Q6_K')
    """
    ftype = file_type(ftype)
    architecture, parts_list, mixing = _architecture(model), model.parts_list, model.mixing
    raw = sorted(_converted(model, architecture), key=lambda each: (_block(each), each.name.encode()))
    candidates = {each.name: _candidate(each) for each in raw if not each.in_32_bits}
    shape = _shape(parts_list, mixing, architecture, tied="output.weight" not in candidates)
    kinds = choose_types(tuple(candidates.values()), shape, ftype, imatrix or needs_imatrix(ftype))
    found = []
    for each in raw:
        kind = "F32" if each.in_32_bits else fitting(kinds[each.name], candidates[each.name])
        found.append(GgufTensor(each.name, kind, each.shape, bytes_as(kind, each.shape), each.line, each.layer))
    return tuple(found)


def bytes_as(kind: str, shape: tuple[int, ...]) -> int:
    """Bytes of a tensor of this type and shape: rows · (row length ÷ block) · bytes of a block.

    >>> bytes_as("Q4_K", (4096, 11008))
    25362432
    """
    of_kind, numbers = number_format(f"gguf-{kind}"), 1
    for length in shape:
        numbers *= length
    return numbers // of_kind.block_weights * of_kind.block_bits // 8


def list_bytes(tensors: tuple[GgufTensor, ...]) -> int:
    """Bytes of the list of tensors in the header."""
    return sum(tensor.info_bytes for tensor in tensors)


def _architecture(model: Model) -> str:
    kind = language_model(model.config).model_type
    if kind not in ARCHITECTURES:
        raise ConfigError("gguf_not_described", "format", value=quoted(kind), known=", ".join(ARCHITECTURES))
    return ARCHITECTURES[kind]


def _shape(parts_list: PartsList, mixing: Mixing, architecture: str, tied: bool) -> Shape:
    attention = next(entry for entry in mixing.attention if entry.kind not in ("index", "cross"))
    kv_heads = 1 if attention.kind == "latent" else attention.kv_heads.value
    experts = max((tensor.experts.value for tensor in parts_list.tensors if tensor.experts), default=0)
    return Shape(architecture, parts_list.num_hidden_layers, attention.heads.value, kv_heads, experts, tied)


def _block(raw: _Raw) -> int:
    return -1 if raw.layer is None else raw.layer


def _candidate(raw: _Raw) -> Candidate:
    return Candidate(raw.name, raw.shape[-1], raw.shape[0] if len(raw.shape) > 2 else 1)


def _converted(model: Model, architecture: str) -> Iterator[_Raw]:
    """What the converter writes, in 16 bits or, where `in_32_bits`, in 32."""
    names = NAMES | NAMES_BY_ARCHITECTURE.get(architecture, {})
    for tensor in model.tensors:
        if tensor.tied_to is not None or (tensor.kind == "buffer" and tensor.role != "router_correction"):
            continue
        if tensor.role not in names and tensor.role != "key_value_up":
            raise ConfigError("gguf_not_described", "format", value=quoted(tensor.name), known=", ".join(ARCHITECTURES))
        for base, shape in _pieces(tensor, names, model.mixing):
            ending = "bias" if tensor.kind == "bias" or tensor.role == "router_correction" else "weight"
            in_32_bits = len(shape) == 1 or tensor.kind not in ("matrix", "table") or tensor.role in IN_32_BITS
            for layer in tensor.layers or (None,):
                block = "" if layer is None else f"blk.{layer}."
                yield _Raw(f"{block}{base}.{ending}", shape, tensor.name, layer, in_32_bits)
    for name, length in _rotation_factors(model):
        yield _Raw(f"{name}.weight", (length,), None, None, True)


def _pieces(tensor: Tensor, names: Mapping[str, str], mixing: Mixing) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(name, shape) of what a line becomes: mostly one; experts' gates apart from their ups, MLA's keys from its values."""
    rows, row = tensor.output.value, tensor.input.value
    if tensor.role == "key_value_up":
        latent = next(entry for entry in mixing.attention if entry.kind == "latent")
        heads, nope = latent.heads.value, int(mixing.sizes["qk_nope_head_dim"])
        yield "attn_k_b", (heads, row, nope)
        yield "attn_v_b", (heads, rows // heads - nope, row)
        return
    if tensor.kind == "table":
        rows, row = row, rows
    stack = (tensor.experts.value,) if tensor.experts else ()
    base = names[tensor.role]
    if tensor.experts and tensor.part == "ffn":
        halves = ("ffn_gate", "ffn_up") if tensor.role == "gate_up" else (base,)
        for half in halves:
            yield f"{half}_exps", (*stack, rows // len(halves)) if tensor.is_vector else (*stack, rows // len(halves), row)
        return
    shared = "_shexp" if "shared" in tensor.name and tensor.role in ("gate", "up", "down", "gate_up") else ""
    yield base + shared, (rows,) if tensor.is_vector else (rows, row)


def _rotation_factors(model: Model) -> Iterator[tuple[str, int]]:
    """Factors of stretched rotations that the converter writes as tensors: Llama 3.1's, and Phi-3's long and short ones."""
    texts = [model.values, *(each for each in model.values.values() if isinstance(each, Mapping) and "num_hidden_layers" in each)]
    for text in texts:
        for field in ("rope_scaling", "rope_parameters"):
            scaling = text.get(field)
            if not isinstance(scaling, Mapping):
                continue
            if str(scaling.get("rope_type", scaling.get("type", ""))).lower() == "llama3":
                yield "rope_freqs", model.mixing.attention[0].key_width.value // 2
                return
            for name in ("long", "short"):
                factors = scaling.get(f"{name}_factor")
                if isinstance(factors, list) and factors:
                    yield f"rope_factors_{name}", len(factors)
