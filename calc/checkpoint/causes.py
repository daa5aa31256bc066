"""Why a file has numbers that are no parameters of the model, by its tensors' names and shapes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from calc.checkpoint.names import Names, bare
from calc.checkpoint.packings import RealTensor
from calc.tensors import Tensor

Cause = Literal[
    "tied_stored_again", "stored_again", "inv_freq", "causal_mask", "router_correction", "buffer", "dummy_bias", "mtp",
    "more_layers", "padded_vocabulary", "shape_differs", "scales_and_zeros", "packing_tables", "other_modality", "unknown",
    "missing",
]  # fmt: skip
"""
tied_stored_again   a tensor that shares another's numbers, written a second time
stored_again        one part of the parts list under two names
inv_freq            tables of rotary frequencies, which are computed
causal_mask         the triangle that hides later tokens
router_correction   what balances experts: set by rule, not by gradient
buffer              any other tensor the modules keep that is no parameter
dummy_bias          zeros that a quantizer adds where the model has no bias
mtp                 layers that predict further tokens ahead, with their own embedding and head where they have them
more_layers         layers beyond num_hidden_layers of no such kind
padded_vocabulary   rows of an embedding or head beyond vocab_size, negative where there are fewer
shape_differs       a tensor that is there in another size
scales_and_zeros    scales and offsets of quantized weights
packing_tables      order, code book and description of a packing
other_modality      encoders of images or sound, and what joins them to the language model
unknown             anything else, by name
missing             parameters of the parts list that the file does not hold, negative
"""
CAUSES: tuple[Cause, ...] = Cause.__args__

_INV_FREQ = re.compile(r"(^|\.)(\w*inv_freq|rope_freqs\.weight|rope_factors_(long|short)\.weight|rotary_emb\.(cos|sin)_cached)$")
_MASK = re.compile(r"(^|\.)(bias|causal_mask|attn_mask|mask)$")
_MASKED_VALUE = re.compile(r"(^|\.)masked_bias$")
_CORRECTION = re.compile(r"(^|\.)(e_score_correction_bias|expert_bias|exp_probs_b\.bias)$")
_MTP = re.compile(r"(^|\.)(mtp|nextn)")
_MTP_MARKS = re.compile(r"\.(eh_proj|enorm|hnorm|shared_head|nextn)\.")
_MODALITIES = (
    "vision", "visual", "vit.", "vpm.", "v.", "resampler", "multi_modal_projector", "mm_projector", "mm.", "embed_vision",
    "embed_audio", "audio", "sound", "image_newline", "connector", "aligner", "patch_merger",
)  # fmt: skip


def surplus_cause(line: Tensor) -> Cause:
    """The cause of a tensor that the parts list knows and that adds no parameters: tied, or a buffer."""
    if line.tied_to is not None:
        return "tied_stored_again"
    if line.role == "router_correction" or _CORRECTION.search(line.name):
        return "router_correction"
    return "inv_freq" if _INV_FREQ.search(line.name) else "buffer"


def is_padded_vocabulary(line: Tensor, shape: tuple[int, ...] | None) -> bool:
    """Whether an embedding or head differs from the expected shape in its number of rows alone."""
    at_an_end = line.part == "lm_head" or line.role == "token_embedding"
    return bool(at_an_end and shape and len(shape) == len(line.shape) and shape[1:] == line.shape[1:])


def explained(unplaced: Iterable[RealTensor], names: Names, packed_names: set[str]) -> Iterator[tuple[RealTensor, Cause]]:
    """Each tensor that is in no line of the parts list, with the cause its name and shape give away."""
    unplaced = list(unplaced)
    ahead = {names.layer_beyond(tensor.name) for tensor in unplaced if _MTP_MARKS.search(tensor.name)}
    for tensor in unplaced:
        layer = names.layer_beyond(tensor.name)
        if _MTP.search(tensor.name) or (layer is not None and layer in ahead):
            yield tensor, "mtp"
        elif layer is not None:
            yield tensor, "more_layers"
        else:
            yield tensor, _by_name(tensor, packed_names)


def _by_name(tensor: RealTensor, packed_names: set[str]) -> Cause:
    name = tensor.name
    if _INV_FREQ.search(name):
        return "inv_freq"
    if _MASKED_VALUE.search(name) or (_MASK.search(name) and _is_square(tensor.shape)):
        return "causal_mask"
    if _CORRECTION.search(name):
        return "router_correction"
    if name.endswith(".bias") and f"{name.removesuffix('.bias')}.weight" in packed_names:
        return "dummy_bias"
    if bare(name).startswith(_MODALITIES):
        return "other_modality"
    return "unknown"


def _is_square(shape: tuple[int, ...] | None) -> bool:
    """Whether it is one square matrix: [1, 1, n, n]."""
    return bool(shape) and len(shape) >= 2 and shape[-1] == shape[-2] and math.prod(shape) == shape[-1] ** 2
