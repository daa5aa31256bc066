"""From what a checkpoint stores to the weights it represents.

Quantized checkpoints pack several weights into one integer and add scales. Each packed tensor is counted in real weights
(see `calc.checkpoint.packings`), and what only serves the packing is set apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calc.checkpoint.packings import RealTensor, real_tensor
from calc.checkpoint.stored import Checkpoint, StoredTensor

Service = Literal["scales_and_zeros", "packing_tables"]
"""What a tensor without weights is for: scales and offsets of the values, or order and description of the packing."""

_SCALES = re.compile(
    r"qzeros|scales|SCB|weight_scale(_inv|_2)?|(weight|input|output)_zero_point|(weight|input)_global_scale"
    r"|(input|output|pre_quant|activation|k|v)_scale"
)
"""Neighbours of a module's weight: `q_proj.weight_scale` next to `q_proj.weight`."""
_TABLES = frozenset(("g_idx", "perm", "weight_shape", "weight_g_idx", "weight_format"))
_SCALE_ENDINGS = ("_scale", "_scale_inv", "_scale_2")
_OF_A_STACK = (*_SCALE_ENDINGS, *(f"_weight{ending}" for ending in _SCALE_ENDINGS), "_input_scale", "_zero_point")
"""The same for a stack of experts, which is no module: `gate_up_proj_scale` next to `gate_up_proj`."""
_BITSANDBYTES: Mapping[str, Service] = {
    "absmax": "scales_and_zeros",
    "nested_absmax": "scales_and_zeros",
    "quant_map": "packing_tables",
    "nested_quant_map": "packing_tables",
}
_QUANT_STATE = "quant_state.bitsandbytes__"
_KV_SCALES = ("k_scale", "v_scale")


@dataclass(frozen=True, slots=True)
class ServiceTensor:
    """A tensor without weights, and what it is for."""

    tensor: StoredTensor
    service: Service


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A checkpoint in real weights, and what serves the packing."""

    tensors: tuple[RealTensor, ...]
    service: tuple[ServiceTensor, ...]

    @property
    def real_elements(self) -> int:
        """Numbers stored in place of weights, tied copies and buffers among them."""
        return sum(tensor.elements for tensor in self.tensors)

    @property
    def service_elements(self) -> int:
        """Numbers that serve the packing, as they are stored."""
        return sum(item.tensor.elements for item in self.service)


def unpacked(checkpoint: Checkpoint, config: Mapping[str, object] | None = None) -> Unpacked:
    """The real weights of a checkpoint.

    config   its config.json, where `quantization_config` (MLX: `quantization`) gives the width of a packing that the
             shapes leave open; the one the checkpoint was read with unless given

    Raises ConfigError: packing_unclear.

    >>> stored = (StoredTensor("q_proj.qweight", "I32", (512, 4096), 8_388_608),
    ...           StoredTensor("q_proj.qzeros", "I32", (32, 512), 65_536),
    ...           StoredTensor("q_proj.scales", "F16", (32, 4096), 262_144))
    >>> of_gptq = unpacked(Checkpoint("example", "safetensors", stored))
    >>> of_gptq.tensors
    (RealTensor(name='q_proj.weight', shape=(4096, 4096), elements=16777216, packing='gptq', padding=0),)
    """
    if checkpoint.file_format == "gguf":
        return Unpacked(tuple(RealTensor(t.name, t.shape, t.elements, _gguf_packing(t.dtype)) for t in checkpoint.tensors), ())
    config = config if config is not None else checkpoint.config or {}
    by_name = {tensor.name: tensor for tensor in checkpoint.tensors}
    real: list[RealTensor] = []
    service: list[ServiceTensor] = []
    for tensor in checkpoint.tensors:
        purpose = _service_of(tensor.name, by_name)
        if purpose:
            service.append(ServiceTensor(tensor, purpose))
        else:
            real.append(real_tensor(tensor, by_name, config))
    return Unpacked(tuple(real), tuple(service))


def _gguf_packing(dtype: str) -> str | None:
    return None if dtype in ("F32", "F16", "BF16", "F64", "I8", "I16", "I32", "I64") else "gguf"


def _service_of(name: str, by_name: Mapping[str, StoredTensor]) -> Service | None:
    """What a tensor is for, None where it has weights: it serves only next to something packed or scaled."""
    module, _, last = name.rpartition(".")
    weights = {kind for kind in ("weight", "qweight", "weight_packed") if f"{module}.{kind}" in by_name}
    if weights and _SCALES.fullmatch(last):
        return "scales_and_zeros"
    if weights and last in _TABLES:
        return "packing_tables"
    if last == "biases" and f"{module}.scales" in by_name and weights:
        return "scales_and_zeros"
    if last in _KV_SCALES and by_name[name].elements == 1:
        return "scales_and_zeros"
    if last in _BITSANDBYTES and module in by_name:
        return _BITSANDBYTES[last]
    owner, found, _ = name.rpartition(f".{_QUANT_STATE}")
    if found and owner in by_name:
        return "packing_tables"
    if name.endswith("_scales") and f"{name.removesuffix('_scales')}_blocks" in by_name:
        return "scales_and_zeros"
    if any(name.endswith(suffix) and name.removesuffix(suffix) in by_name for suffix in _OF_A_STACK):
        return "scales_and_zeros"
    return None
