"""From what a checkpoint stores to the parameters it stands for.

Quantized checkpoints pack several weights into one integer and put scales beside them. Here each packed tensor is
counted in real weights (see `calc.checkpoint.packings`), and what only serves the packing is set apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calc.checkpoint.packings import RealTensor, real_tensor
from calc.checkpoint.stored import Checkpoint, StoredTensor

Service = Literal["scales_and_zeros", "packing_tables"]
"""What a tensor that holds no weights is for: the values' scales and offsets, or finding one's way in the packing."""

_OF_A_MODULE: Mapping[str, Service] = {
    "qzeros": "scales_and_zeros",
    "scales": "scales_and_zeros",
    "g_idx": "packing_tables",
    "perm": "packing_tables",
    "weight_scale": "scales_and_zeros",
    "weight_scale_inv": "scales_and_zeros",
    "weight_scale_2": "scales_and_zeros",
    "weight_zero_point": "scales_and_zeros",
    "weight_global_scale": "scales_and_zeros",
    "input_scale": "scales_and_zeros",
    "input_global_scale": "scales_and_zeros",
    "input_zero_point": "scales_and_zeros",
    "output_scale": "scales_and_zeros",
    "output_zero_point": "scales_and_zeros",
    "pre_quant_scale": "scales_and_zeros",
    "activation_scale": "scales_and_zeros",
    "k_scale": "scales_and_zeros",
    "v_scale": "scales_and_zeros",
    "weight_shape": "packing_tables",
    "weight_g_idx": "packing_tables",
    "SCB": "scales_and_zeros",
    "weight_format": "packing_tables",
}
"""Neighbours of a module's weight: `q_proj.weight_scale` beside `q_proj.weight`."""

_OF_A_STACK = (
    "_weight_scale_inv",
    "_weight_scale_2",
    "_weight_scale",
    "_input_scale",
    "_scale_inv",
    "_scale_2",
    "_scale",
    "_zero_point",
)
"""The same for a stack of experts, which has no module of its own: `gate_up_proj_scale` beside `gate_up_proj`."""

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
    """A tensor that holds no weights, and what it is for."""

    tensor: StoredTensor
    service: Service


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A checkpoint in real weights, and what stands beside them."""

    tensors: tuple[RealTensor, ...]
    service: tuple[ServiceTensor, ...]

    @property
    def real_elements(self) -> int:
        """Numbers that are weights, or at least stored in place of weights: tied copies and buffers are among them."""
        return sum(tensor.elements for tensor in self.tensors)

    @property
    def service_elements(self) -> int:
        """Numbers that serve the packing, each as it is stored."""
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
    real, service = [], []
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
    """What a tensor serves, None where it holds weights: it serves only beside something packed or scaled."""
    module, _, last = name.rpartition(".")
    weights = {kind for kind in ("weight", "qweight", "weight_packed") if f"{module}.{kind}" in by_name}
    if last in _OF_A_MODULE and weights:
        return _OF_A_MODULE[last]
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
