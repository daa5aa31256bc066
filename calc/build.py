"""From the values of a config.json to the parts list of its model."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from calc.config import Config, config_defaults
from calc.errors import ConfigError, quoted
from calc.families import FAMILIES
from calc.parts_list import PartsList


def build_parts_list(values: Mapping[str, object]) -> PartsList:
    """Every tensor of the model that `values`, the content of a config.json, describes.

    Raises ConfigError, which names the field and the remedy: an unknown or missing model_type, and whatever
    `calc.config.Config` and the blocks refuse.

    >>> from calc.parts_list import parameters
    >>> config = {"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
    ...           "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000, "tie_word_embeddings": False}
    >>> parts_list = build_parts_list(config)
    >>> parameters(parts_list.tensors), [assumption.field for assumption in parts_list.assumed]
    (1100048384, ['attention_bias', 'head_dim', 'mlp_bias'])
    """
    config = config_of(values)
    tensors = tuple(FAMILIES[config.model_type].declare(config))
    return PartsList(config.model_type, tensors, config.assumed, config.sizes, config.derived_fields)


def config_of(values: Mapping[str, object]) -> Config:
    """The config as its family reads it. Raises ConfigError for a missing or unknown model_type."""
    model_type = known_model_type(values)
    return Config(values, model_type, FAMILIES[model_type].names)


def deciding_values(values: Mapping[str, object]) -> dict[str, object]:
    """Those of a config's values that decide the count: model_type, and every field its family asks for.

    Raises ConfigError, as `build_parts_list` does.

    >>> deciding_values({"model_type": "gpt2", "n_layer": 2, "resid_pdrop": 0.1})
    {'model_type': 'gpt2', 'n_layer': 2}
    """
    config = config_of(values)
    FAMILIES[config.model_type].declare(config)
    names = {"model_type", *config.sizes, *(name for field in config.sizes for name in config.names_of(field))}
    return {name: value for name, value in values.items() if name in names}


def known_model_type(values: Mapping[str, object]) -> str:
    """The config's model_type, if a family is declared for it.

    Raises ConfigError: no_model_type, no_model_type_but_architecture, model_type_not_text, unknown_model_type,
    unknown_model_type_similar.
    """
    model_type = values.get("model_type")
    if model_type is None:
        raise _without_model_type(values.get("architectures"))
    if not isinstance(model_type, str):
        raise ConfigError("model_type_not_text", "model_type", value=quoted(model_type))
    if model_type in FAMILIES:
        return model_type
    details = {"value": quoted(model_type), "known": len(FAMILIES)}
    similar = difflib.get_close_matches(model_type[:100].lower(), FAMILIES, n=1)
    if similar:
        raise ConfigError("unknown_model_type_similar", "model_type", similar=similar[0], **details)
    raise ConfigError("unknown_model_type", "model_type", **details)


def _without_model_type(architectures: object) -> ConfigError:
    architecture = architectures[0] if isinstance(architectures, list) and architectures else None
    for model_type in FAMILIES:
        family = config_defaults()[model_type]["class"].removesuffix("Config")
        if architecture in (f"{family}ForCausalLM", f"{family}LMHeadModel"):
            details = {"architecture": quoted(architecture), "suggestion": model_type}
            return ConfigError("no_model_type_but_architecture", "model_type", **details)
    return ConfigError("no_model_type", "model_type")
