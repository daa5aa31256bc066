"""Write architectures.json: what the classes that a config's `architectures` names put on top of a declared type.

    python -m calc.data.make_architectures

Source: the auto mappings and the text of the modeling files of the installed transformers; nothing of it is run.

    causal   class → types: the language model, with its head of vocab_size
    bare     class → types: the same without any head
    other    class → types: classes with an encoder, a pooler or a further part, which no declaration describes
    heads    class → [types, head, width field, outputs (0: the number of labels), bias]: one matrix on the bare model
    kinds    undeclared type → encoder_decoder, encoder or elsewhere: what transformers has under that name
"""

import importlib
import json
import re
from pathlib import Path
from typing import Any

import transformers

from calc.families import FAMILIES
from calc.families.wrappers import WRAPPERS

auto: Any = importlib.import_module("transformers.models.auto.modeling_auto")
OUTPUT = Path(__file__).with_name("architectures.json")
MODELS = Path(transformers.__file__).parent / "models"

GENERIC = {
    "GenericForSequenceClassification": ["score", "hidden_size", 0, False],
    "GenericForTokenClassification": ["score", "hidden_size", 0, True],
    "GenericForQuestionAnswering": ["qa_outputs", "hidden_size", 2, True],
}
"""The heads of `modeling_layers.py`."""

HEAD = re.compile(
    r"self\.(\w+) = (?:torch\.)?nn\.Linear\(\s*config\.(\w+),\s*((?:config|self)\.num_labels|2)\s*(?:,\s*bias=(True|False))?\s*,?\s*\)"
)
BASE = re.compile(r"self\.\w+ = \w+Model\(config\w*\)")
IGNORED = re.compile(
    r"self\.num_labels = |self\.config = |super\(\)|self\.post_init\(\)|dropout|^\s*(#|else:|$|\"\"\")|def __init__",
    re.IGNORECASE,
)


def class_text(name: str) -> str:
    """The text of a class of a modeling file, empty where there is none."""
    for text in _texts():
        found = re.search(rf"^class {name}\(.*?(?=^class |^@|^def |\Z)", text, re.MULTILINE | re.DOTALL)
        if found:
            return found[0]
    return ""


def _texts(found: list[str] = []) -> list[str]:  # noqa: B006, read once
    if not found:
        found += [path.read_text(encoding="utf-8") for path in sorted(MODELS.glob("*/modeling_*.py"))]
    return found


def head_of(name: str) -> list | None:
    """Name, width field, outputs and bias of the one matrix that a class puts on the bare model; None where it is more."""
    text = class_text(name)
    for generic, head in GENERIC.items():
        if re.match(rf"class {name}\({generic}\b", text) and "__init__" not in text:
            return head
    start = re.search(r"def __init__\(.*?(?=^    def |^    @|\Z)", text, re.MULTILINE | re.DOTALL)
    if start is None:
        return None
    heads = HEAD.findall(start[0])
    left = BASE.sub("", HEAD.sub("", start[0]))
    rest = [line for line in left.splitlines() if line.strip() and not IGNORED.search(line)]
    if len(heads) != 1 or rest or "self." in BASE.sub("", HEAD.sub("", "\n".join(rest))):
        return None
    head, width, outputs, bias = heads[0]
    return [head, width, 2 if outputs == "2" else 0, bias != "False"]


WITH_ENCODER = auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
HEADED = (
    auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    auto.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
    auto.MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES,
)
WRAPPED = (auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES, auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES)


class Record:
    """The classes found so far."""

    def __init__(self) -> None:
        self.causal: dict[str, list[str]] = {}
        self.bare: dict[str, list[str]] = {}
        self.other: dict[str, list[str]] = {}
        self.heads: dict[str, list] = {}

    def add(self, kind: str) -> None:
        """The classes of a decoder's type."""
        names = auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.get(kind) or ()
        causal = [names] if isinstance(names, str) else list(names)
        for name in causal:
            self.causal.setdefault(name, []).append(kind)
        base = auto.MODEL_MAPPING_NAMES.get(kind)
        if isinstance(base, str) and base not in causal:
            more = kind in WITH_ENCODER or "pooler" in class_text(base) or not class_text(base)
            (self.other if more else self.bare).setdefault(base, []).append(kind)
        if kind in WITH_ENCODER:
            self.other.setdefault(WITH_ENCODER[kind], []).append(kind)
        for name in (names[kind] for names in HEADED if isinstance(names.get(kind), str)):
            head = None if kind in WITH_ENCODER or base in self.other else head_of(name)
            if head is None:
                self.other.setdefault(name, []).append(kind)
            else:
                self.heads.setdefault(name, [[], *head])[0].append(kind)

    def add_wrapper(self, kind: str, keeps_head_apart: bool) -> None:
        """The classes of a type around a language model."""
        base = auto.MODEL_MAPPING_NAMES.get(kind)
        if isinstance(base, str):
            (self.bare if keeps_head_apart else self.other).setdefault(base, []).append(kind)
        for name in (names[kind] for names in WRAPPED if isinstance(names.get(kind), str)):
            self.causal.setdefault(name, []).append(kind)


def kind_of(model_type: str) -> str:
    """What a type is that no declaration counts."""
    if model_type in WITH_ENCODER:
        return "encoder_decoder"
    return "encoder" if model_type in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES else "elsewhere"


def main() -> None:
    """Write the file."""
    found = Record()
    for kind in sorted(FAMILIES):
        if kind in WRAPPERS:
            found.add_wrapper(kind, WRAPPERS[kind].module is not None)
        else:
            found.add(kind)
    kinds = {kind: kind_of(kind) for kind in sorted(auto.MODEL_MAPPING_NAMES.keys() - set(FAMILIES))}
    record = {"transformers": transformers.__version__, **vars(found), "kinds": kinds}
    body = ",\n".join(f" {json.dumps(key)}: {json.dumps(value, sort_keys=True)}" for key, value in record.items())
    OUTPUT.write_text("{\n" + body + "\n}\n", encoding="utf-8")
    print(OUTPUT.name, {key: len(value) for key, value in record.items()})


if __name__ == "__main__":
    main()
