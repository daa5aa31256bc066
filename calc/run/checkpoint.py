"""A model read so that it can run: the one that is carried here, a folder, or uploads. What cannot run is refused by name.

It has to be of a type whose pass is the one in `forward.py`, hold exactly the tensors that the parts list expects of its config, in a
floating-point type, and be small.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from calc.checkpoint.choosing import chosen_files, is_index
from calc.checkpoint.index import shards_of, weight_map_of
from calc.checkpoint.safetensors_header import LENGTH_BYTES, read_safetensors_upload
from calc.config import config_defaults
from calc.errors import ConfigError, quoted
from calc.read_config import read_config
from calc.run.formulas import Array
from calc.run.llama import HEAD, Llama, Sizes
from calc.run.prediction import expected_tensors, lengths

STORIES_FOLDER = Path(__file__).parents[1] / "data" / "stories-260k"
LIMIT_BYTES = 50_000_000
"""Of all files together."""
LONGEST_CONTEXT = 2_048
"""Tokens that any model runs here at most: the budget of a run."""

TYPES = ("llama", "mistral", "qwen2", "qwen3")
"""Types of one arithmetic: Qwen2 adds biases to queries, keys and values, Qwen3 a norm to each head's queries and keys."""
ACTIVATIONS = ("silu", "swish")
ROTATIONS = ("default",)
DTYPES = ("F32", "F16", "BF16")
BUFFERS = ".rotary_emb.inv_freq"
"""What old files store beside the weights; it follows from θ."""

Files = Sequence[tuple[str, bytes]]
"""(name, content)."""


@cache
def stories() -> Llama:
    """stories260K, which is carried here: 260,032 parameters, trained by Andrej Karpathy on TinyStories.

    >>> stories().parameters, stories().sizes.queries_per_key
    (260032, 2)
    """
    return read_model(files_of(STORIES_FOLDER))


def files_of(folder: str | Path) -> Files:
    """The files of a folder that make up a model: config.json, weights, tokenizer.json.

    Raises ConfigError: unreadable_file, weights_too_large, and all that `chosen_files` and `weight_map_of` raise.
    """
    path = Path(folder)
    try:
        names = sorted(entry.name for entry in os.scandir(path) if entry.is_file())
        weights = chosen_files(names, str(folder))
        if is_index(weights[0]):
            weights = shards_of(weight_map_of((path / weights[0]).read_bytes()))
        chosen = [name for name in ("config.json", "tokenizer.json") if name in names] + weights
        _check_size(sum((path / name).stat().st_size for name in chosen))
        return [(name, (path / name).read_bytes()) for name in chosen]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError("unreadable_file", path=quoted(str(folder)), reason=reason) from None


def read_model(files: Files) -> Llama:
    """The model in these files: a config.json, and .safetensors files with all its tensors.

    Raises ConfigError: weights_too_large, no_config_to_run, no_weights_to_run, not_run_type, not_run_quantized, not_among, head_dim_odd,
    tensor_in_two_files, tensor_missing, tensor_unexpected, tensor_other_shape, tensor_not_float, tensor_not_finite, and all
    that `read_config`, `read_safetensors_upload` and `build_parts_list` raise.
    """
    _check_size(sum(len(content) for _, content in files))
    configs = [content for name, content in files if Path(name).name == "config.json"]
    weights = {name: content for name, content in files if name.endswith(".safetensors")}
    if not configs:
        raise ConfigError("no_config_to_run")
    if not weights:
        raise ConfigError("no_weights_to_run")
    values = read_config(configs[0])
    sizes = sizes_of(values)
    return Llama(sizes, _checked(_tensors_of(weights), values, sizes), values)


def sizes_of(values: Mapping[str, object]) -> Sizes:
    """The lengths of a model that can run. Raises ConfigError: not_run_type, not_run_quantized, not_among, head_dim_odd,
    and all that `build_parts_list` raises.
    """
    model_type = values.get("model_type")
    if model_type not in TYPES:
        raise ConfigError("not_run_type", "model_type", value=quoted(model_type), known=", ".join(TYPES))
    if values.get("quantization_config"):
        raise ConfigError("not_run_quantized", "quantization_config")
    defaults = config_defaults()[str(model_type)]["defaults"]
    _among("hidden_act", values.get("hidden_act", defaults["hidden_act"]), ACTIVATIONS)
    found = lengths(values)
    if int(found["head_dim"]) % 2:
        raise ConfigError("head_dim_odd", "head_dim", value=found["head_dim"])
    fields = (
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "vocab_size",
    )
    context = min(int(found["max_context"]) or LONGEST_CONTEXT, LONGEST_CONTEXT)
    epsilon = _number("rms_norm_eps", values.get("rms_norm_eps", defaults["rms_norm_eps"]))
    sizes = {field: int(found[field]) for field in fields}
    return Sizes(
        **sizes, max_context=context, rms_norm_eps=epsilon, rope_theta=_theta(values), tied=bool(found["tie_word_embeddings"])
    )


def _theta(values: Mapping[str, object]) -> float:
    """θ, where positions turn in the plain way. transformers 5 writes rope_parameters, earlier versions rope_theta and rope_scaling."""
    for field in ("rope_parameters", "rope_scaling"):
        inner = values.get(field)
        if isinstance(inner, Mapping):
            _among(f"{field}.rope_type", inner.get("rope_type", inner.get("type", "default")), ROTATIONS)
            if inner.get("partial_rotary_factor", 1) != 1:
                _among(f"{field}.partial_rotary_factor", inner["partial_rotary_factor"], ("1",))
            if "rope_theta" in inner:
                return _number(f"{field}.rope_theta", inner["rope_theta"])
    return _number("rope_theta", values.get("rope_theta", 10_000.0))


def _among(field: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigError("not_among", field, value=quoted(value), among=", ".join(known))


def _number(field: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e12:
        raise ConfigError("not_a_quantity", field, value=quoted(value), example="1e-05" if "eps" in field else "10000.0")
    return float(value)


def _check_size(size_bytes: int) -> None:
    if size_bytes > LIMIT_BYTES:
        raise ConfigError("weights_too_large", size_mb=f"{size_bytes / 1e6:.1f}", limit_mb=LIMIT_BYTES // 10**6)


def _tensors_of(weights: Mapping[str, bytes]) -> dict[str, Array]:
    """Every tensor of the files as float32."""
    found: dict[str, Array] = {}
    place: dict[str, str] = {}
    for name, content in weights.items():
        stored = read_safetensors_upload(name, content, len(content))
        begin = stored.bytes_read
        offsets = json.loads(content[LENGTH_BYTES:begin])
        for tensor in stored.tensors:
            if tensor.name in place:
                raise ConfigError(
                    "tensor_in_two_files", tensor=quoted(tensor.name), first=quoted(place[tensor.name]), second=quoted(name)
                )
            if tensor.dtype not in DTYPES:
                raise ConfigError("tensor_not_float", tensor=quoted(tensor.name), dtype=tensor.dtype, known=", ".join(DTYPES))
            first = begin + offsets[tensor.name]["data_offsets"][0]
            place[tensor.name] = name
            found[tensor.name] = _as_float32(content[first : first + tensor.size_bytes], tensor.dtype).reshape(tensor.shape)
    return found


def _as_float32(content: bytes, dtype: str) -> Array:
    """The numbers of a tensor; bf16 is the upper half of float32's bits.

    >>> _as_float32(b"\\xc0\\x3f", "BF16").tolist()
    [1.5]
    """
    if dtype == "BF16":
        return (np.frombuffer(content, "<u2").astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(content, {"F32": "<f4", "F16": "<f2"}[dtype]).astype(np.float32)


def _checked(tensors: dict[str, Array], values: Mapping[str, object], sizes: Sizes) -> dict[str, Array]:
    """The tensors in the order of the parts list, if they are the ones it expects, each of its shape and finite."""
    expected = expected_tensors(values)
    beside = {name for name in tensors if name.endswith(BUFFERS)} | ({HEAD} if sizes.tied else set())
    for name in tensors:
        if name not in expected and name not in beside:
            raise ConfigError("tensor_unexpected", tensor=quoted(name))
    for name, shape in expected.items():
        if name not in tensors:
            raise ConfigError("tensor_missing", tensor=quoted(name))
        if tensors[name].shape != shape:
            raise ConfigError("tensor_other_shape", tensor=quoted(name), shape=tensors[name].shape, expected=shape)
        if not np.isfinite(tensors[name]).all():
            raise ConfigError("tensor_not_finite", tensor=quoted(name))
    return {name: tensors[name] for name in expected}
