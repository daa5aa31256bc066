"""Write config_defaults.json: what a model type assumes for a field its config.json leaves out.

    python -m calc.data.make_config_defaults

Source: the configuration classes of the installed transformers. Each is a dataclass, so the value a field is
declared with can be read before ``__post_init__`` derives anything from it: LlamaConfig declares
``num_key_value_heads`` as None and only then sets it to ``num_attention_heads``. The declared value is what is
written, because the derivation needs the other fields of the config at hand.

Recorded are the causal language models that transformers knows, the types that `calc.families` declares beyond them,
and the classes of the configs inside those: under their model_type, or under their own name where they have none.
What a class puts where such a config is missing (``init_kwargs`` of its ``sub_configs_defaults``) is recorded with it.

Kept: fields whose declared value is a number, a bool, None, a str, or a list or dict of those. Left out: fields
every model has (labels, output switches) and token ids, none of which shape a tensor.
"""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any, cast

import transformers
from transformers import CONFIG_MAPPING, AutoConfig, PreTrainedConfig
from transformers.configuration_utils import SubConfigSpec
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from calc.config.defaults import remote_types
from calc.data.earlier_names import earlier_names, names_taken
from calc.families import FAMILIES
from calc.families.wrappers import LANGUAGE_FIELDS

CAUSAL = frozenset(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
"""Every causal language model that transformers knows."""

OUTPUT = Path(__file__).with_name("config_defaults.json")


def is_plain(value: object) -> bool:
    """True for a finite number, bool, None or str, and for a list or dict made of those alone.

    >>> is_plain([1, None, {"a": True}]), is_plain(0.1), is_plain(object())
    (True, True, False)
    """
    if isinstance(value, list | tuple):
        return all(is_plain(item) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(item) for key, item in value.items())
    return value is None or isinstance(value, (int, str)) or (isinstance(value, float) and math.isfinite(value))


def declared_default(field: dataclasses.Field) -> object:
    """The value a dataclass field is declared with; ``dataclasses.MISSING`` where it has none."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def may_be_null(field: dataclasses.Field) -> bool:
    """Whether the class accepts null for a field: its annotation names None."""
    return "None" in str(field.type) or "Optional" in str(field.type)


def describe(config_class: type[PreTrainedConfig]) -> dict:
    """The entry of one class: class, attribute_map, defaults, nullable (fields that may be null), and what is inside.

    Raises ValueError where the class and its dataclass fields disagree.
    """
    of_every_model = {field.name for field in dataclasses.fields(PreTrainedConfig)} - {"tie_word_embeddings"}
    fields = dataclasses.fields(config_class)
    defaults = {}
    for field in fields:
        if field.name in of_every_model or field.name.endswith("_token_id"):
            continue
        value = declared_default(field)
        if value is dataclasses.MISSING or not is_plain(value):
            continue
        if field.default_factory is dataclasses.MISSING and getattr(config_class, field.name) != value:
            raise ValueError(f"{config_class}.{field.name}: field {value!r}, class {getattr(config_class, field.name)!r}")
        defaults[field.name] = value
    defaults |= flags_without_field(config_class, {field.name for field in fields})
    if "tie_word_embeddings" not in defaults:
        # as modeling_utils reads it where the class does not declare it
        defaults["tie_word_embeddings"] = getattr(built(config_class), "tie_word_embeddings", False)
    earlier = earlier_names(config_class, set(defaults))
    return {
        "class": config_class.__name__,
        "attribute_map": dict(sorted(config_class.attribute_map.items())),
        "defaults": dict(sorted(defaults.items())),
        "nullable": sorted(field.name for field in fields if field.name in defaults and may_be_null(field)),
        **({"earlier": earlier} if earlier else {}),
        **({"taken": taken} if (taken := sorted(names_taken(config_class) - earlier.keys())) else {}),
        **describe_inside(config_class),
    }


def flags_without_field(config_class: type[PreTrainedConfig], fields: set[str]) -> dict[str, bool]:
    """The flags a class sets for all its configs without declaring a field: a config.json can change them all the same."""
    return {
        name: value
        for parent in config_class.__mro__[: config_class.__mro__.index(PreTrainedConfig)]
        for name, value in vars(parent).items()
        if isinstance(value, bool) and not name.startswith("_") and name not in fields and not hasattr(PreTrainedConfig, name)
    }


def built(config_class: type[PreTrainedConfig], **values: Any) -> PreTrainedConfig | None:
    """The config that says nothing but `values`; None where the class cannot make one."""
    try:
        return config_class(**values)
    except Exception:  # whatever a class raises of its own accord
        return None


def specs_of(config_class: type[PreTrainedConfig]) -> dict[str, SubConfigSpec]:
    """The configs inside a class's: field → its class, type and values where it is missing. Older classes name the class alone."""
    older = {
        field: SubConfigSpec(config_class=inner)
        for field, inner in cast(dict, config_class.sub_configs).items()
        if inner is not AutoConfig
    }
    return {**older, **config_class.sub_configs_defaults}


def describe_inside(config_class: type[PreTrainedConfig]) -> dict:
    """What is known of the configs inside a class's: `inside`, `any_inside`, `optional`, `absent`, `filled`, if there are any."""
    inside, any_inside, absent, optional, filled = {}, {}, {}, [], []
    for field, spec in sorted(specs_of(config_class).items()):
        if issubclass(spec.config_class, PreTrainedConfig):
            inner = spec.config_class
            inside[field] = key_of(inner)
        else:
            inner = CONFIG_MAPPING[spec.model_type]
            any_inside[field] = spec.model_type
        if spec.optional:
            optional.append(field)
        if field in LANGUAGE_FIELDS:
            own = {each.name: declared_default(each) for each in dataclasses.fields(inner)}
            differing = {name: value for name, value in spec.init_kwargs.items() if name in own and own[name] != value}
            given = getattr(built(config_class, **{field: {}}), field, None)
            if differing:
                absent[field] = differing
            if differing and given is not None and all(getattr(given, name) == value for name, value in differing.items()):
                filled.append(field)
    known = {"inside": inside, "any_inside": any_inside, "optional": optional, "absent": absent, "filled": filled}
    return {name: entries for name, entries in known.items() if entries}


def key_of(config_class: type[PreTrainedConfig]) -> str:
    """What a class is recorded under: its model_type, or its name."""
    return config_class.model_type or config_class.__name__


def classes() -> dict[str, type[PreTrainedConfig]]:
    """Every class to record by its key: those of the types, and of the configs inside them.

    Of a wrapper around a language model that is no causal language model itself, only the language part is recorded.
    """
    found: dict[str, type[PreTrainedConfig]] = {}
    nested: dict[str, type[PreTrainedConfig]] = {}
    for model_type in sorted(CAUSAL | FAMILIES.keys()):
        if model_type in CONFIG_MAPPING:
            found[model_type] = CONFIG_MAPPING[model_type]
    waiting = [(key in CAUSAL, config_class) for key, config_class in found.items()]
    while waiting:
        whole, config_class = waiting.pop()
        for field, spec in specs_of(config_class).items():
            inner = spec.config_class
            if (
                issubclass(inner, PreTrainedConfig)
                and (whole or field in LANGUAGE_FIELDS)
                and key_of(inner) not in found | nested
            ):
                nested[key_of(inner)] = inner
                waiting.append((whole, inner))
    missing = FAMILIES.keys() - found.keys() - nested.keys() - remote_types()
    if missing:
        raise ValueError(f"no class of transformers for {sorted(missing)}")
    return dict(sorted({**nested, **found}.items()))


def main() -> None:
    """Write the file."""
    lines = []
    recorded = classes()
    for key, config_class in recorded.items():
        parts = ",\n   ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in describe(config_class).items())
        lines.append(f"  {json.dumps(key)}: {{\n   {parts}}}")
    text = f'{{"transformers": {json.dumps(transformers.__version__)},\n "types": {{\n' + ",\n".join(lines) + "\n }}\n"
    json.loads(text)
    OUTPUT.write_text(text, encoding="utf-8")
    print(OUTPUT.name, len(recorded), "classes,", len(text), "bytes")


if __name__ == "__main__":
    main()
