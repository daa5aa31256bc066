"""From the values of a config.json to the config that a family is declared for: the whole one, or one inside it."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Mapping

from calc.config import ALIASES, Config, config_defaults, read_as
from calc.config.not_read import bears_on_count, is_structural
from calc.errors import ConfigError, quoted
from calc.families.architectures import architectures
from calc.families.registry import FAMILIES
from calc.families.wrappers import LANGUAGE_FIELDS, WRAPPERS

CANDIDATES = 3
"""Types of a similar name that are tried before one is proposed."""


def whole_and_language_model(values: Mapping[str, object]) -> tuple[Config, Config]:
    """The config, and the one a family is declared for: the same, or, where the type is not declared, one inside it.

    Raises ConfigError: all that `known_model_type` raises.
    """
    model_type = values.get("model_type")
    is_unknown = isinstance(model_type, str) and read_as(model_type, values) not in FAMILIES
    field = language_field(values) if is_unknown else None
    if field is None:
        known = known_model_type(values)
        config = Config(values, known, FAMILIES[known].names)
        return config, config
    whole = Config(values, None)
    kind = str(whole.type_inside(field))  # `language_field` has found one that is declared
    inner = whole.inside(field, kind, names=FAMILIES[kind].names)
    tying = "tie_word_embeddings"
    if whole.gives(tying) and not inner.gives(tying):
        inner.decide(tying, whole.flag(tying))
    return whole, inner


def refuse_what_is_left(whole: Config, inner: Config) -> None:
    """Refuse a language model inside a type that is not declared, where it has tensors that its own type does not know.

    Raises ConfigError: wrapper_leaves_fields.
    """
    if whole is inner:
        return
    left = [each.field for each in whole.not_read() if each.is_structural]
    if left:
        details = {"value": quoted(whole.text("model_type")), "type": inner.model_type, "names": ", ".join(left)}
        raise ConfigError("wrapper_leaves_fields", ".".join(inner.path), **details)


def like(values: Mapping[str, object], model_type: str) -> dict[str, object]:
    """The same values with another type, that of the language model inside where only that one is not declared.

    Raises ConfigError: all that `known_model_type` raises.

    >>> like({"model_type": "new", "hidden_size": 64}, "llama")
    {'model_type': 'llama', 'hidden_size': 64}
    """
    known_model_type({"model_type": model_type})
    field = next((field for field in LANGUAGE_FIELDS if isinstance(values.get(field), Mapping)), None)
    inner = values.get(field or "")
    if isinstance(inner, Mapping) and model_type not in WRAPPERS:
        return {**values, str(field): {**inner, "model_type": model_type}}
    return {**values, "model_type": model_type}


def known_model_type(values: Mapping[str, object]) -> str:
    """The type a config is read as, if a family is declared for it.

    Raises ConfigError: no_model_type, no_model_type_but_architecture, model_type_not_text, and as `unknown_type`.
    """
    model_type = values.get("model_type")
    if model_type is None:
        raise _without_model_type(values.get("architectures"))
    if not isinstance(model_type, str):
        raise ConfigError("model_type_not_text", "model_type", value=quoted(model_type))
    known = read_as(model_type, values)
    if known in FAMILIES:
        return known
    field, inner = inner_with_type(values)
    if field and inner["model_type"] not in FAMILIES:
        raise unknown_type(f"{field}.model_type", inner)
    raise unknown_type("model_type", values)


def unknown_type(field: str, values: Mapping[str, object]) -> ConfigError:
    """Why the type of these values cannot be counted: what it is, or a type of a similar name that reads all of them.

    The ConfigError is unknown_model_type, unknown_model_type_similar, unknown_model_type_remote, unknown_model_type_encoder,
    unknown_model_type_encoder_decoder or unknown_model_type_elsewhere.
    """
    model_type = str(values["model_type"])
    details = {"value": quoted(model_type), "known": len(FAMILIES)}
    for similar in difflib.get_close_matches(model_type[:100].lower(), FAMILIES, n=CANDIDATES):
        if reads_all(values, similar):
            return ConfigError("unknown_model_type_similar", field, similar=similar, **details)
    kind = architectures().kinds.get(model_type)
    if kind == "encoder_decoder":
        return ConfigError("unknown_model_type_encoder_decoder", field, **details)
    if kind == "encoder":
        return ConfigError("unknown_model_type_encoder", field, **details)
    if kind is not None:
        return ConfigError("unknown_model_type_elsewhere", field, **details)
    if isinstance(values.get("auto_map"), Mapping):
        return ConfigError("unknown_model_type_remote", field, **details)
    return ConfigError("unknown_model_type", field, **details)


def reads_all(values: Mapping[str, object], model_type: str) -> bool:
    """Whether a type reads every field of a config that describes a tensor, and, if there are any, on no size that is not there."""
    config = Config({**values, "model_type": model_type}, model_type, FAMILIES[model_type].names)
    try:
        FAMILIES[model_type].declare(config)
    except ConfigError:
        return False
    with contextlib.suppress(ConfigError):
        reach = FAMILIES[model_type].reach
        if reach is not None:
            reach(config)
    describes = any(is_structural(name, value) and bears_on_count(name, value) for name, value in values.items())
    rests_on_default = describes and any(type(item.value) in (int, list, tuple) and item.rule is None for item in config.assumed)
    return not rests_on_default and not any(each.is_structural for each in config.not_read())


def inner_with_type(values: Mapping[str, object]) -> tuple[str, Mapping[str, object]] | tuple[None, Mapping[str, object]]:
    """Where a config holds that of a language model with a type, declared or not."""
    for field in LANGUAGE_FIELDS:
        inner = values.get(field)
        if isinstance(inner, Mapping) and isinstance(inner.get("model_type"), str):
            return field, inner
    return None, {}


def language_field(values: Mapping[str, object]) -> str | None:
    """Where a config whose type is not declared holds that of a language model whose type is; None where it does not.

    >>> language_field({"model_type": "internvl_chat", "vision_config": {}, "llm_config": {"model_type": "qwen2"}})
    'llm_config'
    """
    for field in LANGUAGE_FIELDS:
        inner = values.get(field)
        if (
            isinstance(inner, Mapping)
            and isinstance(kind := inner.get("model_type"), str)
            and ALIASES.get(kind, kind) in FAMILIES
        ):
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
