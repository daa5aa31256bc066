"""What the config classes of `transformers` take for a field that a config.json leaves out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

DEFAULTS_FILE = Path(__file__).parents[1] / "data" / "config_defaults.json"


def config_defaults() -> Mapping[str, Mapping]:
    """What is known of each config class, under its `model_type`, or under its own name where it has no type.

    class           its name
    attribute_map   generic name → own name
    defaults        field → value
    nullable        fields that may be null
    earlier         what older files call a field → the field; such a name wins over the field's own
    taken           further names that the class's code takes out of a config
    inside          field that holds another config → the type of that config
    any_inside      the same for a field whose config says its own type; the type is that of a config which does not
    optional        those of these fields that may be null: the model then lacks the part
    absent          such a field → what its config holds where the field is missing, if that is not what its class takes
    filled          those of these fields whose config takes the same for whatever it leaves out

    Source: the `transformers` version named in the file.

    >>> config_defaults()["mistral"]["defaults"]["num_key_value_heads"], config_defaults()["gemma3"]["inside"]["text_config"]
    (8, 'gemma3_text')
    """
    return _types()


ALIASES = {"kimi_k2": "deepseek_v3", "exaone4_5_text": "exaone4"}
"""Types that classes of transformers rewrite: what they say → what they are read as.

Source: `__post_init__` of Kimi_K25Config and Exaone4_5_Config. Kimi-K2's own code is DeepSeek-V3's.
"""


def read_as(model_type: str, values: Mapping[str, object]) -> str:
    """The type that a config is read as: a Mistral with `layer_types` as Ministral (`AutoConfig.from_pretrained`), see `ALIASES`.

    >>> read_as("kimi_k2", {}), read_as("mistral", {"layer_types": []}), read_as("llama", {})
    ('deepseek_v3', 'ministral', 'llama')
    """
    if model_type == "mistral" and "layer_types" in values:
        return "ministral"
    return ALIASES.get(model_type, model_type)


class _Types(dict[str, Mapping]):
    """The classes by type; for one that is not there a sentence for whoever declares it."""

    def __missing__(self, kind: str) -> Mapping:
        raise LookupError(
            f"nothing is known of the config class of {kind!r}: where transformers has it, run "
            "`python -m calc.data.make_config_defaults`; otherwise give config_class= and defaults= to @family in the type's "
            "file in calc/families/"
        )


@cache
def _types() -> _Types:
    return _Types(_defaults_file()["types"])


def declare_class(kind: str, config_class: str, defaults: Mapping[str, object]) -> None:
    """Make a config class known that comes with a model's own code: its name, and what it takes for missing fields."""
    nullable = sorted(field for field, value in defaults.items() if value is None)
    known = {"class": config_class, "attribute_map": {}, "defaults": dict(defaults), "nullable": nullable}
    _types()[kind] = _REMOTE[kind] = known


_REMOTE: dict[str, Mapping] = {}


def remote_types() -> frozenset[str]:
    """The types among those imported so far whose class transformers does not have."""
    return frozenset(_REMOTE)


def defaults_version() -> str:
    """The transformers version whose classes the defaults were read from."""
    return _defaults_file()["transformers"]


@cache
def _defaults_file() -> Mapping:
    return json.loads(DEFAULTS_FILE.read_text(encoding="utf-8"))
