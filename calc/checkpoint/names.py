"""From a tensor's name in a checkpoint to its line of the parts list.

Checkpoints of one model differ in their names: a prefix more or less, experts one by one or in a stack, query, key and
value in one matrix or in three, llama.cpp's own short names. See `calc.checkpoint.renames`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from calc.checkpoint.renames import FUSIONS, GGUF_NAMES, PREFIXES, RENAMES, Fusion
from calc.parts_list import PartsList, stack_of
from calc.tensors import Tensor

_NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")
_MOST_RENAMES = 3
_MOST_SEARCHES = 5_000
"""Of names, numbers aside, that the parts list does not have; published files have under 1,000. More are a file made to
keep us busy."""
_PARTS: dict[str, list[tuple[Fusion, str]]] = {}
_WHOLES: dict[str, list[Fusion]] = {}
for _fusion in FUSIONS:
    for _role, _names in _fusion.parts:
        for _name in _names if _fusion.whole else ():
            _PARTS.setdefault(_name, []).append((_fusion, _role))
    for _name in _fusion.names:
        _WHOLES.setdefault(_name, []).append(_fusion)


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

    >>> from calc.model import Model
    >>> names = Names(Model.of({"model_type": "mixtral"}).parts_list)
    >>> names.place("model.layers.3.block_sparse_moe.experts.7.w1.weight")
    Place(name='model.layers.*.mlp.experts.gate_up_proj', layer=3, piece=(7, 'gate'))
    >>> names.place("vision_tower.layers.3.mlp.up_proj.weight") is None
    True
    >>> [place.name for place in names.joined("model.layers.3.self_attn.W_pack.weight")]
    ['model.layers.*.self_attn.q_proj.weight', 'model.layers.*.self_attn.k_proj.weight', 'model.layers.*.self_attn.v_proj.weight']
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
        self._joined: dict[str, tuple[str, ...]] = {}
        if architecture is not None:
            self._resolved |= _gguf_names(parts_list, architecture)
        stacks = parts_list.stacks
        self._layers: dict[str, int] = {"blk.": parts_list.num_hidden_layers} if architecture is not None else {}
        self._by_role: dict[tuple[str, str, str], dict[str, str]] = {}
        for tensor in parts_list.tensors:
            if tensor.layers is not None:
                prefix = _layer_prefix(tensor.name)
                self._layers[prefix] = max(self._layers.get(prefix, 0), stacks[stack_of(tensor)])
                self._note_role(tensor, "blk." if architecture is not None else prefix)

    def _note_role(self, tensor: Tensor, prefix: str) -> None:
        head, module, ending = _module(tensor.name)
        if tensor.kind in ("matrix", "bias") and not tensor.experts and module:
            self._by_role.setdefault((prefix, tensor.role, ending), {})[bare(head)] = tensor.name

    def place(self, name: str) -> Place | None:
        """Where a tensor of this name belongs, None where the parts list has nothing of the kind.

        The layer is as the file says; whether the line is in that layer is not asked here.
        """
        pattern, numbers = starred(name)
        if pattern not in self._resolved:
            self._resolved[pattern] = self._search(pattern) or self._part_of_a_whole(pattern)
        found = self._resolved[pattern]
        if found is None:
            return None
        line, piece = found
        in_layer = line in self._in_layers and numbers
        rest = numbers[1:] if in_layer else numbers
        return Place(line, numbers[0] if in_layer else None, (*rest, *([piece] if piece else ())))

    def joined(self, name: str) -> tuple[Place, ...]:
        """The places of all that a tensor of this name may hold side by side: query, key and value of a `W_pack`; () for none."""
        pattern, numbers = starred(name)
        if pattern not in self._joined:
            self._joined[pattern] = self._whole_of_parts(pattern) if numbers else ()
        return tuple(Place(line, numbers[0]) for line in self._joined[pattern])

    def layer_beyond(self, name: str) -> int | None:
        """The layer a tensor is in by its name, where its stack ends before; None for all else."""
        pattern, numbers = starred(name)
        number_of_layers = self._layers.get(_layer_prefix(pattern)) if numbers else None
        return numbers[0] if number_of_layers is not None and numbers[0] >= number_of_layers else None

    def _search(self, pattern: str) -> tuple[str, str | None] | None:
        if pattern in self._names:
            return pattern, None
        if self._bare.get(bare(pattern)):
            return self._bare[bare(pattern)], None
        if self._searches >= _MOST_SEARCHES:
            return None
        self._searches += 1
        for candidate, piece in _candidates(pattern):
            if candidate in self._names:
                return candidate, piece
            if self._bare.get(bare(candidate)):
                return self._bare[bare(candidate)], piece
        return None

    def _part_of_a_whole(self, pattern: str) -> tuple[str, str] | None:
        """The line that holds this matrix beside others, and which of them it is."""
        head, module, ending = _module(pattern)
        for fusion, role in _PARTS.get(module, ()):
            line = self._line(pattern, head, fusion.whole, ending)
            if line:
                return line, role
        return None

    def _whole_of_parts(self, pattern: str) -> tuple[str, ...]:
        """The lines that this matrix holds side by side."""
        head, module, ending = _module(pattern)
        for fusion in _WHOLES.get(module, ()):
            lines = [self._line(pattern, head, role, ending) for role, _ in fusion.parts]
            if all(lines):
                return tuple(lines)
        return ()

    def _line(self, pattern: str, head: str, role: str, ending: str) -> str | None:
        """The line of this role in the module `head`, or the only one in these layers; experts have a line of their own."""
        lines = self._by_role.get((_layer_prefix(pattern), role, ending), {})
        alike = [line for line in lines.values() if _is_of_experts(line) == _is_of_experts(head)]
        return lines.get(bare(head)) or (alike[0] if len(alike) == 1 and head.count("*") == 1 else None)


def _is_of_experts(name: str) -> bool:
    return "expert" in name or "shared" in name


def _layer_prefix(pattern: str) -> str:
    """`layers.` of `model.layers.*.mlp.up_proj.weight`."""
    return bare(f"{pattern.split('*')[0]}*")[:-1]


def _module(pattern: str) -> tuple[str, str, str]:
    """`model.layers.*.mlp`, `up_proj`, `weight` of `model.layers.*.mlp.up_proj.weight`; without a module, empty texts."""
    head, _, ending = pattern.rpartition(".")
    head, _, module = head.rpartition(".")
    return (head, module, ending) if ending in ("weight", "bias") else ("", "", "")


@cache
def _renames() -> tuple[tuple[re.Pattern, str, str | None], ...]:
    return tuple((re.compile(pattern), replacement, piece) for pattern, replacement, piece in RENAMES)


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
            for expression, replacement, part in _renames():
                match = expression.search(name)
                if match is None:
                    continue
                renamed, part = expression.sub(replacement, name), match.expand(part) if part else None
                if renamed not in seen:
                    seen.add(renamed)
                    following.append((renamed, part or piece))
                elif renamed != name and part and (renamed, part) not in following:
                    following.append((renamed, part))
        level = following


_GGUF_PIECES = (
    (".experts.gate_up_proj", ".experts.gate_proj", "gate"),
    (".experts.gate_up_proj", ".experts.up_proj", "up"),
    (".kv_b_proj.weight", ".k_b_proj.weight", "k"),
    (".kv_b_proj.weight", ".v_b_proj.weight", "v"),
)
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
    for tensor in parts_list.tensors:
        for theirs, piece in _gguf_names_by_role(tensor):
            found.setdefault(theirs, (tensor.name, piece))
    return found


def _gguf_names_by_role(tensor: Tensor) -> Iterator[tuple[str, str | None]]:
    """What llama.cpp calls a line of this role."""
    block = "" if tensor.layers is None else "blk.*."
    ending = "bias" if tensor.kind == "bias" else "weight"
    if tensor.experts and tensor.role == "gate_up":
        yield from ((f"{block}ffn_{piece}_exps.{ending}", piece) for piece in ("gate", "up"))
    elif not (tensor.kind == "buffer" or tensor.repeats > 1):
        suffix = "_exps" if tensor.experts else "_shexp" if "shared" in tensor.name and tensor.part == "ffn" else ""
        yield from ((f"{block}{name}{suffix}.{ending}", None) for name in GGUF_NAMES.get(tensor.role, ()))
