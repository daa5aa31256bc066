"""Write config_defaults.json: what a model type assumes for a field its config.json leaves out.

    python calc/data/make_config_defaults.py

Source: the configuration classes of the installed transformers. Each is a dataclass, so the value a field is
declared with can be read before ``__post_init__`` derives anything from it: LlamaConfig declares
``num_key_value_heads`` as None and only then sets it to ``num_attention_heads``. The declared value is what is
written, because the derivation needs the other fields of the config at hand.

Kept: fields whose declared value is a number, a bool, None, a str, or a list or dict of those. Left out: fields
every model has (labels, output switches) and token ids, none of which shape a tensor.
"""

import dataclasses
import json
from pathlib import Path

import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

TYPES = tuple(sorted(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES))
"""Every causal language model that transformers knows, and so every type a family can be declared for."""

OUTPUT = Path(__file__).with_name("config_defaults.json")


def is_plain(value: object) -> bool:
    """True for a number, bool, None or str, and for a list or dict made of those alone.

    >>> is_plain([1, None, {"a": True}]), is_plain(0.1), is_plain(object())
    (True, True, False)
    """
    if isinstance(value, list):
        return all(is_plain(item) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(item) for key, item in value.items())
    return value is None or isinstance(value, (int, float, str))


def declared_default(field: dataclasses.Field) -> object:
    """The value a dataclass field is declared with; ``dataclasses.MISSING`` where it has none."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def may_be_null(field: dataclasses.Field) -> bool:
    """Whether the class accepts null for a field: its annotation names None."""
    return "None" in str(field.type) or "Optional" in str(field.type)


def describe(model_type: str) -> dict:
    """The entry of one model type: class, attribute_map, defaults and nullable (fields that may be null).

    Raises ValueError where the class and its dataclass fields disagree.
    """
    config_class = CONFIG_MAPPING[model_type]
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
            raise ValueError(f"{model_type}.{field.name}: field {value!r}, class {getattr(config_class, field.name)!r}")
        defaults[field.name] = value
    if "tie_word_embeddings" not in defaults:
        # as modeling_utils reads it where the class does not declare it
        defaults["tie_word_embeddings"] = getattr(config_class(), "tie_word_embeddings", False)
    return {
        "class": config_class.__name__,
        "attribute_map": dict(sorted(config_class.attribute_map.items())),
        "defaults": dict(sorted(defaults.items())),
        "nullable": sorted(field.name for field in fields if field.name in defaults and may_be_null(field)),
    }


def main() -> None:
    """Write the file."""
    lines = []
    for model_type in TYPES:
        parts = ",\n   ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in describe(model_type).items())
        lines.append(f"  {json.dumps(model_type)}: {{\n   {parts}}}")
    text = f'{{"transformers": {json.dumps(transformers.__version__)},\n "types": {{\n' + ",\n".join(lines) + "\n }}\n"
    json.loads(text)
    OUTPUT.write_text(text, encoding="utf-8")
    print(OUTPUT.name, len(TYPES), "types,", len(text), "bytes")


if __name__ == "__main__":
    main()
