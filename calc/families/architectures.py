"""What the class that a config's `architectures` names makes of its type: another head, none, or a draft of the model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from calc.blocks import Tensors, linear
from calc.config import Config
from calc.errors import ConfigError, quoted
from calc.families.drafts import DRAFT, EAGLE_3, eagle_3
from calc.families.wrappers import WRAPPERS
from calc.lengths import Length

DEFAULT_LABELS = 2
"""Labels of a classifier whose config does not say. Source: `PreTrainedConfig`."""

LANGUAGE_MODEL = re.compile(r".*(ForCausalLM|ForConditionalGeneration|LMHeadModel|ForMaskedLM|LMHead)|(?!.*For).*Model")
"""Classes that, where nothing more is known of them, are taken for the type's language model."""


@dataclass(frozen=True, slots=True)
class Architectures:
    """What is recorded of the classes of transformers: see `calc.data.make_architectures`.

    causal   class → types it is the language model of
    bare     class → types it is the language model of, without an output head
    other    class → types it adds something to that is not described here
    heads    class → [types, name of its head, field of its width, outputs (0: the labels), bias]
    kinds    type that is not declared → what it is in transformers
    """

    causal: Mapping[str, list[str]]
    bare: Mapping[str, list[str]]
    other: Mapping[str, list[str]]
    heads: Mapping[str, tuple[list[str], str, str, int, bool]]
    kinds: Mapping[str, str]


@cache
def architectures() -> Architectures:
    """The record. Source: the transformers version named in the file.

    >>> architectures().causal["LlamaForCausalLM"], architectures().kinds["t5"]
    (['internlm3', 'iquestcoder', 'llama'], 'encoder_decoder')
    """
    record = json.loads((Path(__file__).parents[1] / "data" / "architectures.json").read_text(encoding="utf-8"))
    record.pop("transformers")
    return Architectures(**record)


def architecture_of(values: Mapping[str, object]) -> str | None:
    """The first class that `architectures` names, None where there is none."""
    named = values.get("architectures")
    first = named[0] if isinstance(named, list | tuple) and named else None
    return first if isinstance(first, str) else None


def as_architecture(name: str | None, config: Config, tensors: Tensors) -> tuple[Tensors, ConfigError | None]:
    """The tensors that the class `name` holds of a config's type, and a remark on what it changes or where it disagrees.

    Raises ConfigError: draft_not_described, draft_layers, head_not_described.

    >>> from calc.model import Model
    >>> config = {"model_type": "llama", "num_labels": 3, "architectures": ["LlamaForSequenceClassification"]}
    >>> head = Model.of(config).tensors[-1]
    >>> head.name, head.numbers
    ('score.weight', '4096 × 3')
    """
    kind, known = config.model_type, architectures()
    said = {"value": quoted(name), "type": kind}
    if name is None or kind in known.causal.get(name, ()):
        return tensors, None
    if kind in EAGLE_3.get(name, ()):
        config.text("architectures")
        return eagle_3(config), ConfigError("draft_head", "architectures", **said)
    if DRAFT.search(name):
        raise ConfigError("draft_not_described", "architectures", **said)
    if kind in known.bare.get(name, ()):
        config.text("architectures")
        base = f"{tensors[0].name.partition('.')[0]}."
        return [tensor for tensor in tensors if tensor.name.startswith(base)], ConfigError(
            "no_output_head", "architectures", **said
        )
    if name in known.heads and kind in known.heads[name][0]:
        return _with_head(name, config, tensors), ConfigError("another_head", "architectures", **said)
    if kind in known.other.get(name, ()) or LANGUAGE_MODEL.fullmatch(name) is None:
        raise ConfigError("head_not_described", "architectures", **said)
    return tensors, _disagreement(name, kind)


def _with_head(name: str, config: Config, tensors: Tensors) -> Tensors:
    """The bare model with one matrix on top."""
    _, head, field, outputs, bias = architectures().heads[name]
    hidden_size = config.length("hidden_size")
    if field not in config.names_of("hidden_size"):
        hidden_size = config.length(field, otherwise=lambda: (hidden_size.value, "d"))
    config.text("architectures")
    base = f"{tensors[0].name.partition('.')[0]}."
    width = Length.of("2", 2) if outputs else Length.of("num_labels", number_of_labels(config))
    inner = [tensor for tensor in tensors if tensor.name.startswith(base)]
    return [*inner, *linear(head, "lm_head", "score", hidden_size, width, bias=bias)]


def number_of_labels(config: Config) -> int:
    """`num_labels`, else as many as `id2label` names, else two: as `PreTrainedConfig` has it.

    >>> number_of_labels(Config({"id2label": {"0": "no", "1": "yes", "2": "maybe"}}, "llama")), number_of_labels(Config({}, "llama"))
    (3, 2)
    """
    if config.gives("num_labels"):
        return config.size("num_labels")
    if named := config.entries("id2label"):
        return named
    return config.size("num_labels", otherwise=lambda: (DEFAULT_LABELS, str(DEFAULT_LABELS)))


def _disagreement(name: str, kind: str) -> ConfigError | None:
    """A remark where a class is one of another type, or none that transformers has for the type."""
    known = architectures()
    types = known.causal.get(name) or known.bare.get(name) or known.heads.get(name, [[]])[0]
    if types:
        return ConfigError("class_of_other_type", "architectures", value=quoted(name), type=kind, types=", ".join(types))
    own = next((each for each, kinds in known.causal.items() if kind in kinds), None)
    if own is None or kind in WRAPPERS or _plain(own) == _plain(name):
        return None
    return ConfigError("class_unknown", "architectures", value=quoted(name), type=kind, causal=own)


def _plain(name: str) -> str:
    return name.replace("_", "").lower().removesuffix("forcausallm").removesuffix("lmheadmodel")
