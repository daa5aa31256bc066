"""From a tensor's name in a checkpoint to its line of the parts list.

Checkpoints of one model differ in their names: a prefix more or less, experts one by one or in a stack, llama.cpp's
own short names. The parts list has the names of the modules of `transformers`; the renames are those of its
`conversion_mapping.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from calc.parts_list import PartsList

PREFIXES = frozenset((
    "model", "language_model", "text_model", "llm", "transformer", "gpt_neox", "base_model", "decoder", "backbone", "rwkv",
    "biogpt", "roberta", "bert",
))  # fmt: skip
"""Modules around a decoder that some files name and others leave out."""

RENAMES: tuple[tuple[str, str, str | None], ...] = (
    (r"\.block_sparse_moe\.", ".mlp.", None),
    (r"\.block_sparse_moe\.input_linear\.weight$", ".block_sparse_moe.experts.gate_up_proj", None),
    (r"\.block_sparse_moe\.output_linear\.weight$", ".block_sparse_moe.experts.down_proj", None),
    (r"\.router\.layer\.weight$", ".router.weight", None),
    (r"\.router\.gate\.weight$", ".gate.weight", None),
    (r"\.gate\.weight$", ".router.weight", None),
    (r"\.mlp\.moe_statics\.", ".mlp.gate.moe_statics.", None),
    (r"\.mlp\.e_score_correction_bias$", ".mlp.gate.e_score_correction_bias", None),
    (r"\.expert_bias$", ".e_score_correction_bias", None),
    (r"\.shared_mlp\.", ".shared_experts.", None),
    (r"\.gamma$", ".weight", None),
    (r"\.beta$", ".bias", None),
    (r"\.experts\.(?:\*\.)?(?:gate_proj|w1)\.weight$", ".experts.gate_up_proj", "gate"),
    (r"\.experts\.(?:\*\.)?(?:up_proj|w3)\.weight$", ".experts.gate_up_proj", "up"),
    (r"\.experts\.(?:\*\.)?(?:gate_up_proj)\.weight$", ".experts.gate_up_proj", None),
    (r"\.experts\.(?:\*\.)?(?:up_proj|w3)\.weight$", ".experts.up_proj", None),
    (r"\.experts\.(?:\*\.)?(?:down_proj|w2)\.weight$", ".experts.down_proj", None),
    (r"\.experts\.(?:\*\.)?gate_proj\.bias$", ".experts.gate_up_proj_bias", "gate"),
    (r"\.experts\.(?:\*\.)?up_proj\.bias$", ".experts.gate_up_proj_bias", "up"),
    (r"\.experts\.(?:\*\.)?down_proj\.bias$", ".experts.down_proj_bias", None),
    (r"\.switch_mlp\.", ".experts.", None),
)
"""(pattern, replacement, which part of the stack it is)."""

_NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")
_RENAMES = tuple((re.compile(pattern), replacement, piece) for pattern, replacement, piece in RENAMES)
_MOST_RENAMES = 3
_RENAMEABLE = re.compile("|".join(pattern for pattern, _, _ in RENAMES))
_MOST_SEARCHES = 20_000
"""Of names that need a rename; published files have under 100. More are a file made to keep us busy."""


def starred(name: str) -> tuple[str, tuple[int, ...]]:
    """A name with its numbers written `*`, and the numbers.

    >>> starred("model.layers.3.mlp.experts.17.w1.weight")
    ('model.layers.*.mlp.experts.*.w1.weight', (3, 17))
    """
    return _NUMBER.sub("*", name), tuple(int(number) for number in _NUMBER.findall(name))


def bare(name: str) -> str:
    """A name without the modules around the decoder.

    >>> bare("model.language_model.layers.*.mlp.up_proj.weight")
    'layers.*.mlp.up_proj.weight'
    """
    parts = name.split(".")
    while len(parts) > 1 and parts[0] in PREFIXES:
        parts = parts[1:]
    return ".".join(parts)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a checkpoint's tensor belongs.

    name    of the line in the parts list
    layer   the layer's id, None outside the layers
    piece   which part of it this is: () for the whole, (17, "gate") for expert 17's gate in a stack
    """

    name: str
    layer: int | None
    piece: tuple[int | str, ...] = ()


class Names:
    """The names of one parts list, found under whatever name a checkpoint has for them.

    >>> from calc.build import build_parts_list
    >>> names = Names(build_parts_list({"model_type": "mixtral"}))
    >>> names.place("model.layers.3.block_sparse_moe.experts.7.w1.weight")
    Place(name='model.layers.*.mlp.experts.gate_up_proj', layer=3, piece=(7, 'gate'))
    >>> names.place("vision_tower.layers.3.mlp.up_proj.weight") is None
    True
    """

    def __init__(self, parts_list: PartsList, architecture: str | None = None) -> None:
        """`architecture` is a .gguf's `general.architecture`; its names are llama.cpp's, None for a safetensors file."""
        self._names = {tensor.name for tensor in parts_list.tensors}
        self._in_layers = {tensor.name for tensor in parts_list.tensors if tensor.layers is not None}
        self._bare: dict[str, str | None] = {}
        for name in self._names:
            short = bare(name)
            self._bare[short] = name if self._bare.get(short, name) == name else None  # two of one short name: neither
        self._searches = 0
        self._resolved: dict[str, tuple[str, str | None] | None] = {}
        if architecture is not None:
            self._resolved |= _gguf_names(parts_list, architecture)
        self._layer_prefixes = {name.split("*")[0] for name in self._in_layers}
        self._bare_layer_prefixes = {bare(f"{prefix}*")[:-1] for prefix in self._layer_prefixes} | {"blk."}

    def place(self, name: str) -> Place | None:
        """Where a tensor of this name belongs, None where the parts list has nothing of the kind.

        The layer is as the file says; whether the line is in that layer is not asked here.
        """
        pattern, numbers = starred(name)
        if pattern not in self._resolved:
            self._resolved[pattern] = self._search(pattern)
        found = self._resolved[pattern]
        if found is None:
            return None
        line, piece = found
        in_layer = line in self._in_layers and numbers
        rest = numbers[1:] if in_layer else numbers
        return Place(line, numbers[0] if in_layer else None, (*rest, *([piece] if piece else ())))

    def layer_of(self, name: str) -> int | None:
        """The layer a tensor is in by its name alone, also one the parts list knows nothing of; None outside the layers."""
        pattern, numbers = starred(name)
        start = pattern.split("*")[0]
        inside = numbers and (start in self._layer_prefixes or bare(f"{start}*")[:-1] in self._bare_layer_prefixes)
        return numbers[0] if inside else None

    def _search(self, pattern: str) -> tuple[str, str | None] | None:
        if pattern in self._names:
            return pattern, None
        if not _RENAMEABLE.search(pattern) or self._searches >= _MOST_SEARCHES:
            line = self._bare.get(bare(pattern))
            return (line, None) if line else None
        self._searches += 1
        for candidate, piece in _candidates(pattern):
            if candidate in self._names:
                return candidate, piece
            if self._bare.get(bare(candidate)):
                return self._bare[bare(candidate)], piece
        return None


def _candidates(pattern: str) -> Iterator[tuple[str, str | None]]:
    """The name itself, then what one rename makes of it, then two, then three."""
    seen = {pattern}
    level: list[tuple[str, str | None]] = [(pattern, None)]
    for renames in range(_MOST_RENAMES + 1):
        yield from level
        if renames == _MOST_RENAMES:
            return
        following = []
        for name, piece in level:
            for expression, replacement, part in _RENAMES:
                renamed = expression.sub(replacement, name)
                if renamed not in seen:
                    seen.add(renamed)
                    following.append((renamed, part or piece))
                elif renamed != name and part and (renamed, part) not in following:
                    following.append((renamed, part))
        level = following


_GGUF_PIECES = (
    (".experts.gate_up_proj", ".experts.gate_proj", "gate"), (".experts.gate_up_proj", ".experts.up_proj", "up"),
    (".kv_b_proj.weight", ".k_b_proj.weight", "k"), (".kv_b_proj.weight", ".v_b_proj.weight", "v"),
)  # fmt: skip
"""What llama.cpp stores in two: the experts' gates apart from their ups, MLA's keys apart from its values."""


def _gguf_names(parts_list: PartsList, architecture: str) -> Mapping[str, tuple[str, str | None]]:
    """llama.cpp's name, its block written `*` → the line of the parts list and the piece."""
    from gguf import MODEL_ARCH, MODEL_ARCH_NAMES, get_tensor_name_map

    known = {name: arch for arch, name in MODEL_ARCH_NAMES.items()}
    mapping = get_tensor_name_map(known.get(architecture, MODEL_ARCH.LLAMA), max(parts_list.num_hidden_layers, 1))
    found: dict[str, tuple[str, str | None]] = {}
    for line in dict.fromkeys(tensor.name for tensor in parts_list.tensors):
        forms = [(line, None), (line.replace("_correction_bias", "_correction.bias"), None)]
        forms += [(line.replace(whole, part), piece) for whole, part, piece in _GGUF_PIECES if line.endswith(whole)]
        for form, piece in forms:
            theirs = mapping.get_name(form.replace("*", "0", 1), (".weight", ".bias"))
            if theirs:
                theirs = theirs if theirs.endswith((".weight", ".bias")) else f"{theirs}.weight"
                found.setdefault(starred(theirs)[0], (line, piece))
    return found
