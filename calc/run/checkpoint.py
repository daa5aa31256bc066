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
from calc.checkpoint.safetensors_header import LENGTH_BYTES, checkpoint_of, header_length
from calc.config import Config
from calc.errors import ConfigError, quoted
from calc.model import Model
from calc.read_config import read_config
from calc.run.formulas import Array
from calc.run.llama import HEAD, Llama, Sizes
from calc.run.prediction import expected_tensors, longest_context

STORIES_FOLDER = Path(__file__).parents[1] / "data" / "stories-260k"
LIMIT_BYTES = 50_000_000
"""Of all files together."""
LONGEST_CONTEXT = 2_048
"""Tokens that any model runs here at most: the budget of a run."""

TYPES = ("llama", "mistral", "qwen2", "qwen3")
"""Types of one arithmetic: Qwen2 adds biases to queries, keys and values, Qwen3 a norm to each head's queries and keys."""
ACTIVATIONS = ("silu", "swish")
ROTATIONS = ("default",)
THETA = 10_000.0
"""What the four classes take where a config says nothing."""
LENGTHS = (
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
)
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
            weights = shards_of(weight_map_of((path / weights[0]).read_bytes()), weights[0], names)
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
    that `read_config`, `checkpoint_of` and `Model.of` raise.
    """
    _check_size(sum(len(content) for _, content in files))
    configs = [content for name, content in files if Path(name).name == "config.json"]
    weights = {name: content for name, content in files if name.endswith(".safetensors")}
    if not configs:
        raise ConfigError("no_config_to_run")
    if not weights:
        raise ConfigError("no_weights_to_run")
    model = Model.of(read_config(configs[0]))
    sizes = sizes_of(model)
    return Llama(sizes, _checked(_tensors_of(weights), expected_tensors(model), sizes.tied), model)


def sizes_of(model: Model) -> Sizes:
    """The lengths of a model, if it can run.

    Raises ConfigError: not_run_type, not_run_quantized, not_among, not_a_number, not_positive, head_dim_odd.

    >>> sizes_of(Model.of("tinyllama-1.1b")).head_dim
    64
    """
    if model.values["model_type"] not in TYPES:
        raise ConfigError("not_run_type", "model_type", value=quoted(model.values["model_type"]), known=", ".join(TYPES))
    if model.values.get("quantization_config"):
        raise ConfigError("not_run_quantized", "quantization_config")
    config, counted = model.config, model.parts_list.sizes
    config.word("hidden_act", ACTIVATIONS)
    if counted["head_dim"] % 2:
        raise ConfigError("head_dim_odd", "head_dim", value=counted["head_dim"])
    return Sizes(
        **{field: int(counted[field]) for field in LENGTHS},
        max_context=min(longest_context(model) or LONGEST_CONTEXT, LONGEST_CONTEXT),
        rms_norm_eps=float(config.number("rms_norm_eps")),
        rope_theta=_theta(config),
        tied=bool(counted["tie_word_embeddings"]),
    )


def _theta(config: Config) -> float:
    """θ, where positions turn in the plain way. transformers 5 writes rope_parameters, earlier versions rope_theta and rope_scaling."""
    for field in ("rope_parameters", "rope_scaling"):
        if config.gives(field):
            rotation = config.inside(field)
            for kind in ("rope_type", "type"):
                if rotation.gives(kind):
                    rotation.word(kind, ROTATIONS)
            if rotation.gives("rope_theta"):
                return float(rotation.number("rope_theta"))
    return float(config.number("rope_theta")) if config.gives("rope_theta") else THETA


def _check_size(size_bytes: int) -> None:
    if size_bytes > LIMIT_BYTES:
        raise ConfigError("weights_too_large", size_mb=f"{size_bytes / 1e6:.1f}", limit_mb=LIMIT_BYTES // 10**6)


def _tensors_of(weights: Mapping[str, bytes]) -> dict[str, Array]:
    """Every tensor of the files as float32."""
    found: dict[str, Array] = {}
    place: dict[str, str] = {}
    for name, content in weights.items():
        begin = LENGTH_BYTES + header_length(content[:LENGTH_BYTES], len(content), name)
        stored = checkpoint_of(name, content[LENGTH_BYTES:begin], len(content), name)
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


def _checked(tensors: Mapping[str, Array], expected: Mapping[str, tuple[int, ...]], tied: bool) -> dict[str, Array]:
    """The tensors in the order of the parts list, if they are the ones it expects, each of its shape and finite."""
    for name in tensors:
        if name not in expected and not name.endswith(BUFFERS) and not (tied and name == HEAD):
            raise ConfigError("tensor_unexpected", tensor=quoted(name))
    for name, shape in expected.items():
        if name not in tensors:
            raise ConfigError("tensor_missing", tensor=quoted(name))
        if tensors[name].shape != shape:
            raise ConfigError("tensor_other_shape", tensor=quoted(name), shape=tensors[name].shape, expected=shape)
        if not np.isfinite(tensors[name]).all():
            raise ConfigError("tensor_not_finite", tensor=quoted(name))
    return {name: tensors[name] for name in expected}
