"""From the values of a config.json to the config that a family is declared for: the whole one, or one inside it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from calc.config import Config, config_defaults
from calc.errors import ConfigError, quoted
from calc.families.registry import FAMILIES
from calc.families.wrappers import LANGUAGE_FIELDS, WRAPPERS


def whole_and_language_model(values: Mapping[str, object]) -> tuple[Config, Config]:
    """The config, and the one a family is declared for: the same, or, where the type is not declared, one inside it.

    Raises ConfigError: all that `known_model_type` raises.
    """
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
