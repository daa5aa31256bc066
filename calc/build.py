"""From the values of a config.json to the parts list of its model."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from calc.config import Config, config_defaults
from calc.errors import ConfigError, quoted
from calc.families import FAMILIES
from calc.families.wrappers import LANGUAGE_FIELDS, WRAPPERS
from calc.parts_list import PartsList


def build_parts_list(values: Mapping[str, object]) -> PartsList:
    """Every tensor of the model that `values`, the content of a config.json, describes.

    Of a model that wraps a language model, such as one that sees, that part alone; the others are listed as not counted.

    Raises ConfigError, which names the field and the remedy: an unknown or missing model_type, and whatever
    `calc.config.Config` and the blocks refuse.

    >>> from calc.parts_list import parameters
    >>> config = {"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
    ...           "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000, "tie_word_embeddings": False}
    >>> parts_list = build_parts_list(config)
    >>> parameters(parts_list.tensors), [assumption.field for assumption in parts_list.assumed]
    (1100048384, ['attention_bias', 'head_dim', 'mlp_bias'])
    >>> build_parts_list({"model_type": "llava", "text_config": config}).not_counted
    ('vision_config',)
    """
    whole, config = _whole_and_language_model(values)
    tensors = tuple(FAMILIES[config.model_type].declare(config))
    return PartsList(config.model_type, tensors, whole.assumed, whole.sizes, whole.derived_fields, whole.parts_not_read())


def config_of(values: Mapping[str, object]) -> Config:
    """The config as its family reads it; of a type that is not declared but holds one that is, that one's.

    Raises ConfigError for a missing or unknown model_type.
    """
    return _whole_and_language_model(values)[1]


def read_by_family(values: Mapping[str, object]) -> Config:
    """The whole config, after its family has asked for all it reads. Raises ConfigError, as `build_parts_list` does."""
    whole, config = _whole_and_language_model(values)
    FAMILIES[config.model_type].declare(config)
    return whole


def deciding_values(values: Mapping[str, object]) -> dict[str, object]:
    """Those of a config's values that decide the count and how tokens meet: model_type, and every field the family asks for.

    Raises ConfigError, as `build_parts_list` does.

    >>> deciding_values({"model_type": "gpt2", "n_layer": 2, "resid_pdrop": 0.1})
    {'model_type': 'gpt2', 'n_layer': 2}
    >>> deciding_values({"model_type": "gemma3", "text_config": {"num_hidden_layers": 34, "rope_theta": 1e4}, "vision_config": {}})
    {'model_type': 'gemma3', 'text_config': {'num_hidden_layers': 34}, 'vision_config': {}}
    """
    from calc.mixing import ask_fields  # it stands on this module

    whole, config = _whole_and_language_model(values)
    FAMILIES[config.model_type].declare(config)
    ask_fields(config)
    return {"model_type": values["model_type"], **whole.read()}


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


def language_field(values: Mapping[str, object]) -> str | None:
    """Where a config whose type is not declared holds that of a language model whose type is; None where it does not.

    >>> language_field({"model_type": "internvl_chat", "vision_config": {}, "llm_config": {"model_type": "qwen2"}})
    'llm_config'
    """
    for field in LANGUAGE_FIELDS:
        inner = values.get(field)
        if isinstance(inner, Mapping) and isinstance(inner.get("model_type"), str) and inner["model_type"] in FAMILIES:
            return field
    return None


def _whole_and_language_model(values: Mapping[str, object]) -> tuple[Config, Config]:
    """The config, and the one a family is declared for: the same, or, where the type is not declared, one inside it."""
    model_type = values.get("model_type")
    field = language_field(values) if isinstance(model_type, str) and model_type not in FAMILIES else None
    if field is None:
        known = known_model_type(values)
        config = Config(values, known, FAMILIES[known].names)
        return config, config
    whole = Config(values, None)
    kind = whole.type_inside(field)
    inner = whole.inside(field, kind, names=FAMILIES[kind].names)
    tying = "tie_word_embeddings"
    if whole.gives(tying) and not inner.gives(tying):
        inner.decide(tying, whole.flag(tying))
    return whole, inner


def _without_model_type(architectures: object) -> ConfigError:
    architecture = architectures[0] if isinstance(architectures, list) and architectures else None
    fitting = []
    for model_type in FAMILIES.keys() - WRAPPERS.keys():  # a wrapper's text model has the class of its name
        family = config_defaults()[model_type]["class"].removesuffix("Config")
        if architecture in (f"{family}ForCausalLM", f"{family}LMHeadModel"):
            fitting.append(model_type)
    if not fitting:
        return ConfigError("no_model_type", "model_type")
    suggestion = min(fitting, key=lambda name: (len(name), name))  # of types that share a class, it is called after the shortest
    return ConfigError("no_model_type_but_architecture", "model_type", architecture=quoted(architecture), suggestion=suggestion)
