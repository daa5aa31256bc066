"""The config files of original releases, which have no model_type: Meta's and Mistral's params.json, Mamba's config.json.

Each is written as the config.json that transformers' own conversion makes of it; fields it does not know stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from calc.config.fields import checked_size
from calc.config.not_read import REST, is_structural
from calc.errors import ConfigError, quoted

PARAMS = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "hidden_dim": "intermediate_size",
    "head_dim": "head_dim",
    "vocab_size": "vocab_size",
    "norm_eps": "rms_norm_eps",
    "rope_theta": "rope_theta",
    "sliding_window": "sliding_window",
    "max_seq_len": "max_position_embeddings",
    "tied_embeddings": "tie_word_embeddings",
}
"""params.json → config.json. Source: `convert_llama_weights_to_hf.py` and `convert_mistral_weights_to_hf.py`."""

RULES = {"multiple_of", "ffn_dim_multiplier", "use_scaled_rope", "model_type", "max_batch_size", "moe"}
"""Further fields of params.json that are read here or say nothing of a tensor."""

MAMBA_REST = {
    "d_model",
    "n_layer",
    "vocab_size",
    "ssm_cfg",
    "pad_vocab_size_multiple",
    "tie_embeddings",
    "rms_norm",
    "residual_in_fp32",
}
SSM = {"d_state": "state_size", "d_conv": "conv_kernel", "expand": "expand", "dt_rank": "time_step_rank"}
SSM_2 = {"d_state": "state_size", "d_conv": "conv_kernel", "expand": "expand", "headdim": "head_dim", "ngroups": "n_groups"}


def as_config(values: Mapping[str, object]) -> tuple[Mapping[str, object], ConfigError | None]:
    """The values of a config.json, and a remark where they were in an original format; other values as they are.

    Raises ConfigError: original_format_not_read, and what a size of the file may be refused for.

    >>> config, remark = as_config({"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 256, "vocab_size": 32000})
    >>> config["model_type"], config["intermediate_size"], remark.code
    ('llama', 11008, 'original_format')
    """
    if isinstance(values.get("model_type"), str):
        return values, None
    if {"dim", "n_layers", "n_heads"} <= values.keys():
        return _params(values)
    if {"d_model", "n_layer", "ssm_cfg"} <= values.keys():
        return _mamba(values)
    return values, None


def _params(values: Mapping[str, object]) -> tuple[Mapping[str, object], ConfigError]:
    maker, moe = "Mistral" if "hidden_dim" in values else "Meta", values.get("moe")
    config: dict[str, object] = {PARAMS[name]: value for name, value in values.items() if name in PARAMS}
    if maker == "Meta":
        config["intermediate_size"] = _ffn_size(values)
        kind = "llama"
    else:
        kind = "mixtral" if moe else "mistral"
    if isinstance(moe, Mapping):
        config |= {"num_local_experts": moe.get("num_experts"), "num_experts_per_tok": moe.get("num_experts_per_tok")}
    config.setdefault("num_key_value_heads", config["num_attention_heads"])
    _refuse_further(values, PARAMS.keys() | RULES, "params.json", maker)
    return {"model_type": kind, **config}, ConfigError("original_format", file="params.json", maker=maker, type=kind)


def _ffn_size(values: Mapping[str, object]) -> int:
    """⅔ · 4·d, times `ffn_dim_multiplier`, rounded up to `multiple_of`. Source: `FeedForward` of Meta's model.py.

    >>> _ffn_size({"dim": 4096, "multiple_of": 1024, "ffn_dim_multiplier": 1.3})
    14336
    """
    size = int(2 * 4 * checked_size("dim", values["dim"], 1, 1_000_000) / 3)
    times, multiple = values.get("ffn_dim_multiplier"), values.get("multiple_of") or 256
    if times is not None:
        if isinstance(times, bool) or not isinstance(times, int | float) or not 0 < times < 1000:
            raise ConfigError("not_a_number", "ffn_dim_multiplier", value=quoted(times))
        size = int(times * size)
    multiple = checked_size("multiple_of", multiple, 1, 1_000_000)
    return -(-size // multiple) * multiple


def _mamba(values: Mapping[str, object]) -> tuple[Mapping[str, object], ConfigError]:
    """Mamba's config.json. Source: `mamba_ssm/models/config_mamba.py`, which pads the vocabulary to a multiple."""
    mixer = values["ssm_cfg"] if isinstance(values["ssm_cfg"], Mapping) else {}
    second = mixer.get("layer") == "Mamba2"
    d = checked_size("d_model", values["d_model"], 1, 1_000_000)
    vocab_size = checked_size("vocab_size", values.get("vocab_size", 50277), 1, 100_000_000)
    multiple = checked_size("pad_vocab_size_multiple", values.get("pad_vocab_size_multiple", 8), 1, 1_000_000)
    names, kind = (SSM_2, "mamba2") if second else (SSM, "mamba")
    config: dict[str, object] = {
        "model_type": kind,
        "hidden_size": d,
        "num_hidden_layers": values["n_layer"],
        "vocab_size": -(-vocab_size // multiple) * multiple,
        "tie_word_embeddings": values.get("tie_embeddings", True),
        **{names[name]: value for name, value in mixer.items() if name in names},
    }
    if second:
        config = {"expand": 2, "head_dim": 64, "n_groups": 1, "state_size": 128, **config}
        width = checked_size("expand", config["expand"], 1, 1000) * d
        config["num_heads"] = width // checked_size("headdim", config["head_dim"], 1, 100_000)
    further = {**values, **{name: value for name, value in mixer.items() if name not in names and name != "layer"}}
    if values.get("rms_norm") is False:
        further["rms_norm = false"] = 1
    _refuse_further(further, MAMBA_REST, "config.json", "mamba_ssm")
    return config, ConfigError("original_format", file="config.json", maker="mamba_ssm", type=kind)


def _refuse_further(values: Mapping[str, object], known: set[str], file: str, maker: str) -> None:
    further = [
        name
        for name, value in values.items()
        if name not in known and REST.fullmatch(name) is None and is_structural(name, value)
    ]
    if further:
        raise ConfigError("original_format_not_read", file=file, maker=maker, names=", ".join(further))
