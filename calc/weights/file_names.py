"""What a model's published file calls its tensors, and in which pieces it keeps them.

The parts list has the names of the modules of `transformers`, which keeps all experts of a layer in one tensor. Published
files mostly keep them one by one, and some call things otherwise. Tied tensors are not stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from calc.parts_list import PartsList
from calc.tensors import Tensor

ONE_BY_ONE = frozenset((
    "afmoe", "cohere2_moe", "deepseek_v2", "deepseek_v3", "dots1", "dots3_note", "dots3_note_text", "ernie4_5_moe", "exaone_moe",
    "flex_olmo", "flint", "glm4_moe", "glm4_moe_lite", "glm_moe_dsa", "hunyuan_v1_moe", "hy_v3", "jamba", "kolibri1", "laguna",
    "lfm2_moe", "longcat_flash", "mellum", "mimo_v2_flash", "minimax", "minimax_m2", "mixtral", "nemotron_h", "olmoe", "phimoe",
    "qwen2_moe", "qwen3_5_moe", "qwen3_5_moe_text", "qwen3_moe", "qwen3_next", "solar_open",
))  # fmt: skip
"""Types whose files keep each expert's matrices apart."""

EXPERT_PARTS = {
    "gate_up": ("gate", "up"), "gate": ("gate",), "up": ("up",), "down": ("down",), "widen": ("up",), "narrow": ("down",),
}  # fmt: skip
"""What a stack of this role is taken apart into."""

EXPERT_NAMES = {"gate": "gate_proj", "up": "up_proj", "down": "down_proj"}
EXPERT_LETTERS = {"gate": "w1", "up": "w3", "down": "w2"}
WITH_LETTERS = frozenset(("lfm2_moe", "minimax", "minimax_m2", "mixtral", "phimoe"))
"""Types whose experts are w1, w2 and w3."""

_SPARSE = ((r"\.mlp\.(?=experts|gate\.)", ".block_sparse_moe."),)
_JETMOE_LIKE = (
    (r"\.experts\.gate_up_proj$", ".input_linear.weight"),
    (r"\.experts\.down_proj$", ".output_linear.weight"),
    (r"\.router\.weight$", ".router.layer.weight"),
)
RENAMED: dict[str, tuple[tuple[str, str], ...]] = {
    "aria_text": ((r"\.experts\.gate_up_proj$", ".experts.fc1.weight"), (r"\.experts\.down_proj$", ".experts.fc2.weight")),
    "ernie4_5_moe": ((r"\.mlp\.gate\.moe_statics\.", ".mlp.moe_statics."),),
    "exaone_moe": ((r"\.mlp\.gate\.e_score_correction_bias$", ".mlp.e_score_correction_bias"),),
    "flint": ((r"\.sinks$", ".softmax_offset"),),
    "fuyu": (
        (r"^model\.language_model\.", "language_model.model."),
        (r"^model\.vision", "vision"),
        (r"^lm_head", "language_model.lm_head"),
    ),
    "gpt_neox": ((r"^lm_head\.", "embed_out."),),
    "granitemoe": _JETMOE_LIKE,
    "granitemoehybrid": _JETMOE_LIKE,
    "granitemoeshared": _JETMOE_LIKE,
    "hy_v3": (
        (r"\.mlp\.gate\.weight$", ".mlp.router.gate.weight"),
        (r"\.mlp\.e_score_correction_bias$", ".mlp.expert_bias"),
        (r"\.shared_experts\.", ".shared_mlp."),
    ),
    "kolibri1": (
        (r"\.post_self_attn_layernorm\.", ".post_attn_norm."),
        (r"\.post_mlp_layernorm\.", ".post_ffn_norm."),
        (r"\.mlp\.gate\.e_score_correction_bias$", ".moe.router.expert_bias"),
    ),
    "laguna": (
        (r"\.mlp\.gate\.e_score_correction_bias$", ".mlp.experts.e_score_correction_bias"),
        (r"\.shared_experts\.", ".shared_expert."),
    ),
    "lfm3": ((r"\.self_attn\.g_proj\.", ".self_attn.gate_proj."),),
    "mimo_v2_flash": ((r"\.sinks$", ".attention_sink_bias"),),
    "minimax": _SPARSE,
    "minimax_m2": (*_SPARSE, (r"\.mlp\.e_score", ".block_sparse_moe.e_score")),
    "mixtral": _SPARSE,
    "nemotron_h": ((r"^model\.", "backbone."),),
    "phimoe": ((r"\.mlp\.router\.", ".block_sparse_moe.gate."), (r"\.mlp\.experts", ".block_sparse_moe.experts")),
}
"""(pattern, replacement) of each type whose file calls something otherwise than the modules."""

OTHERWISE = frozenset((
    "axk2", "bailing_hybrid", "deepseek_v4", "hrm_text", "hy_v4", "kimi_linear", "olmo_hybrid", "qwen4_exp", "qwen4_exp_text",
))  # fmt: skip
"""Types whose files differ in more than this; they are counted with the modules' names, so that a header may be off by a few
hundred bytes."""

AS_DATA_FLOWS = frozenset(("bloom", "gpt2", "gpt_bigcode", "mamba", "mamba2", "falcon_mamba"))
"""Types whose layers name their modules in the order that data flows: a norm before what it serves."""

NORMS_FIRST = frozenset(("gpt_neox", "gpt_neox_japanese"))
"""Types whose layers name all norms before attention and FFN; those of all others name them last."""

_LAST = ("final_norm", "norm_before_lm_head")


@dataclass(frozen=True, slots=True)
class FileTensor:
    """One tensor of the file.

    name     as the file has it
    shape    as stored, slowest first
    line     of the parts list
    matrices how many matrices it stacks: E of experts kept together, 1 otherwise
    rows, row_length   outputs and inputs of one matrix; 1 and the length of a vector
    layer    id, None outside the layers
    """

    name: str
    shape: tuple[int, ...]
    line: Tensor
    matrices: int
    rows: int
    row_length: int
    layer: int | None

    @property
    def count(self) -> int:
        """Numbers in it."""
        return self.matrices * self.rows * self.row_length


def is_named_as_published(parts_list: PartsList) -> bool:
    """Whether the names here are those of the published file, so that the header's length is exact.

    Not for the few types of `OTHERWISE`, nor where the model is the language model of something larger, which has a file
    of its own with more in it.
    """
    return parts_list.model_type not in OTHERWISE and not parts_list.not_counted


def file_tensors(parts_list: PartsList) -> Iterator[FileTensor]:
    """Every tensor of the file, in the order that shards are filled: embedding, layer by layer, norm, head.

    Within a layer attention comes first, then the FFN, then the layer's norms, as in the modules of most types. The order
    decides only where a model is cut into several files, and with that a few bytes of their headers; transformers 5 sorts by
    name instead where it takes stacks of experts apart.

    >>> from calc.model import Model
    >>> [tensor.name for tensor in file_tensors(Model.of("mixtral-8x7b").parts_list)][6:8]
    ['model.layers.0.block_sparse_moe.experts.0.w1.weight', 'model.layers.0.block_sparse_moe.experts.0.w3.weight']
    """
    stored = [tensor for tensor in parts_list.tensors if tensor.tied_to is None]
    in_layers: dict[int, list[Tensor]] = {}
    for tensor in stored:
        for layer in tensor.layers or ():
            in_layers.setdefault(layer, []).append(tensor)
    outside = [tensor for tensor in stored if tensor.layers is None]
    yield from _all_pieces(parts_list, (tensor for tensor in outside if not _is_after_layers(tensor)), None)
    for layer in sorted(in_layers):
        yield from _all_pieces(parts_list, _in_module_order(parts_list.model_type, in_layers[layer]), layer)
    yield from _all_pieces(parts_list, filter(_is_after_layers, outside), None)


def _is_after_layers(tensor: Tensor) -> bool:
    return tensor.part == "lm_head" or tensor.role in _LAST


def _in_module_order(model_type: str, tensors: list[Tensor]) -> list[Tensor]:
    """A layer's tensors, module by module; in a module what multiplies before its norms."""
    modules: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        modules.setdefault(tensor.name.partition("*.")[2].partition(".")[0], []).append(tensor)
    groups = [sorted(held, key=lambda tensor: tensor.part == "norm") for held in modules.values()]
    if model_type not in AS_DATA_FLOWS:
        norms_last = model_type not in NORMS_FIRST
        groups.sort(key=lambda held: all(tensor.part == "norm" for tensor in held) == norms_last)
    return [tensor for held in groups for tensor in held]


def _all_pieces(parts_list: PartsList, tensors: Iterable[Tensor], layer: int | None) -> Iterator[FileTensor]:
    for tensor in tensors:
        yield from _pieces(parts_list.model_type, tensor, layer)


def pieces_once(model_type: str, tensor: Tensor) -> Iterator[tuple[FileTensor, int]]:
    """Each kind of tensor that a line becomes in the file, once, and how many of it there are.

    >>> from calc.model import Model
    >>> down = Model.of({"model_type": "mixtral"}).parts_list.named("model.layers.*.mlp.experts.down_proj")
    >>> [(piece.shape, times) for piece, times in pieces_once("mixtral", down)]
    [((4096, 14336), 256)]
    """
    layer = tensor.layers[0] if tensor.layers else None
    one = list(_pieces(model_type, replace(tensor, repeats=1), layer, experts=1))
    apart = tensor.experts.value if tensor.experts and one[0].matrices == 1 and one[0].shape != tensor.shape else 1
    for piece in one:
        yield piece, tensor.copies * apart


def _pieces(model_type: str, tensor: Tensor, layer: int | None, experts: int | None = None) -> Iterator[FileTensor]:
    name = tensor.name if layer is None else tensor.name.replace("*", str(layer), 1)
    rows, row = tensor.output.value, tensor.input.value
    if tensor.kind == "table":
        rows, row = row, rows
    if tensor.is_vector and not tensor.experts:
        rows, row = 1, tensor.output.value
    if tensor.experts and model_type in ONE_BY_ONE and not tensor.is_vector:
        names = EXPERT_LETTERS if model_type in WITH_LETTERS else EXPERT_NAMES
        head = name.rpartition(".")[0]
        for expert in range(tensor.experts.value if experts is None else experts):
            for part in EXPERT_PARTS[tensor.role]:
                of_part = rows // len(EXPERT_PARTS[tensor.role])
                piece = renamed(model_type, f"{head}.{expert}.{names[part]}.weight")
                yield FileTensor(piece, (of_part, row), tensor, 1, of_part, row, layer)
        return
    for copy in range(tensor.repeats):
        matrices = tensor.experts.value if tensor.experts else 1
        own = name.replace("*", str(copy), 1).replace("*", "1" if tensor.role.endswith("_up") else "0")  # of Zamba2's pairs
        own = renamed(model_type, own)
        yield FileTensor(own, tensor.shape, tensor, matrices, rows, tensor.count // (matrices * rows), layer)


def renamed(model_type: str, name: str) -> str:
    """A tensor's name as the type's file has it.

    >>> renamed("gpt_neox", "lm_head.weight"), renamed("llama", "lm_head.weight")
    ('embed_out.weight', 'lm_head.weight')
    """
    for pattern, replacement in RENAMED.get(model_type, ()):
        name = re.sub(pattern, replacement, name)
    return name
