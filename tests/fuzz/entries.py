"""The doors of the app and the command line: what comes in at each, made by chance, and what has to hold of the answer."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from random import Random

from calc.catalogue import catalogue
from calc.checkpoint.report import checkpoint_document
from calc.checkpoint.uploads import read_uploads
from calc.compute import quantities
from calc.config.defaults import config_defaults
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.hub.address import hub_address
from calc.mixing.kv_cache import DTYPES
from calc.model import Model
from calc.read_config import read_config
from calc.weights.format_names import known_formats
from tests.checkpoint.writing import gguf_head, safetensors_head
from tests.fuzz.sums import differences
from tests.fuzz.values import WORDS, damaged, nested, value, word, written

Trial = tuple[object, Callable[[], Iterable[str]]]
"""What is put in, for the report; and a call that puts it in and gives what does not hold of the answer."""


def config_values(random: Random) -> Trial:
    """The values of a config: a model's own or a type's defaults, some fields of the type put to anything."""
    values = _config(random)
    context, dtype = random.choice((1, 2, 4096, 10**6)), random.choice(list(DTYPES))
    number_format = random.choice(known_formats()) if random.random() < 0.1 else None

    def put() -> Iterator[str]:
        yield from differences(Model(values), context, dtype, number_format)

    return values, put


def config_text(random: Random) -> Trial:
    """A config.json with damaged bytes, or a very deep one."""
    text = (
        nested(random) if random.random() < 0.05 else damaged(random, written(_config(random)).encode("utf-8", "surrogatepass"))
    )

    def put() -> Iterator[str]:
        yield from differences(Model(read_config(text)), 16, "fp16", None)

    return text, put


def number_field(random: Random) -> Trial:
    """What is typed where a number is asked for."""
    typed = (
        word(random) if random.random() < 0.5 else f"{random.choice(WORDS)}{random.choice(['', 'e9', 'K', 'T', '%', ',', ' '])}"
    )

    def put() -> Iterator[str]:
        for read in (_whole, quantities.share, quantities.price):
            with contextlib.suppress(ConfigError):
                number = read("field", typed)
                if not 0 <= number <= quantities.MOST_TOKENS:
                    yield f"{number} is out of bounds"

    return typed, put


def query(random: Random) -> Trial:
    """The query of a link: fields and packed models."""
    from ui.comparison.entries import entry_of, is_entry
    from ui.frame.address import MAX_NAMES, MAX_VALUE_CHARACTERS, accepted, fitting
    from ui.frame.errors import plain
    from ui.model.config_address import packed, packed_text, unpacked

    packings = [
        lambda: packed(_model(random.choice(list(catalogue())))),
        lambda: packed_text(word(random)) or "",
        lambda: word(random),
    ]
    pack = damaged(random, random.choice(packings)().encode("utf-8", "ignore")).decode("utf-8", "ignore")
    entry = (
        f"{word(random)}!{pack}"
        if random.random() < 0.8
        else damaged(random, entry_of(_model("gpt2")).encode()).decode("utf-8", "ignore")
    )
    given = {_clean(word(random)): _clean(word(random)) for _ in range(random.choice((1, 5, 60)))}

    def put() -> Iterator[str]:
        taken = accepted(given)
        if len(taken) > MAX_NAMES or any(len(each) > MAX_VALUE_CHARACTERS for each in fitting(taken).values()):
            yield "more is taken than the address can hold"
        unpacked(pack)
        is_entry(entry)
        if plain(entry).count("\n"):
            yield "a line end gets through"

    return (given, entry), put


def hub_words(random: Random) -> Trial:
    """What is typed where a model of the Hub is asked for."""
    words = "/".join(word(random) for _ in range(random.choice((1, 2, 3))))
    words = f"{random.choice(['', 'https://huggingface.co/', 'hf.co/', '//'])}{words}"

    def put() -> Iterator[str]:
        address = hub_address(words)
        if address and not all(part.strip(".") for part in address.repo_id.split("/")):
            yield f"{address} leaves the models of the Hub"

    return words, put


def weights_file(random: Random) -> Trial:
    """An upload of weights with a damaged header."""
    shapes = {
        f"model.layers.{number}.{word(random)[:20]}": tuple(random.choices((0, 1, 32, 256, 2**40), k=random.randrange(4)))
        for number in range(3)
    }
    if random.random() < 0.5:
        kind, (head, _) = "safetensors", safetensors_head({_clean(name): ("F16", shape) for name, shape in shapes.items()})
    else:
        kind, head = "gguf", gguf_head({_clean(name): ("F16", (256, 4)) for name in shapes}, {"general.architecture": "llama"})
        head = head[0] if isinstance(head, tuple) else head
    content = damaged(random, head) if random.random() < 0.9 else head

    def put() -> Iterator[str]:
        checkpoint = read_uploads([(f"a.{kind}", content)])
        if sum(tensor.elements for tensor in checkpoint.tensors) != checkpoint.stored_elements:
            yield "the tensors do not sum to the elements"
        json.dumps(checkpoint_document(checkpoint))

    return content, put


def command_line(random: Random) -> Trial:
    """A command with words in the place of numbers and models. It reads no file and asks nobody."""
    from calc.__main__ import main

    shape = random.choice(COMMAND_LINES)
    argv = [
        word(random) if part == "?" else random.choice(list(catalogue())) if part == "MODEL" else part for part in shape.split()
    ]

    def put() -> Iterator[str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(argv)
        complaint = err.getvalue()
        if code not in (0, 2) or (code == 2) != bool(complaint):
            yield f"it ends with {code} and {complaint!r}"
        if complaint and (len(complaint.splitlines()) != 1 or not complaint.isascii() or len(complaint) > 1_000):
            yield f"no short line: {complaint[:300]!r}"

    return argv, put


def tokenizer_file(random: Random) -> Trial:
    """A tokenizer of the reader's own, damaged."""
    from calc.tokens.own_tokenizer import OwnTokenizer

    model: dict[str, object] = {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}
    if random.random() < 0.7:
        model[random.choice(("type", "vocab", "merges", "unk_token", "dropout"))] = value(random)
    content = json.dumps({"version": "1.0", "model": model, "pre_tokenizer": None}).encode()
    content = damaged(random, content) if random.random() < 0.3 else content
    name = random.choice(["tokenizer.json", "tokenizer.model"])

    def put() -> Iterator[str]:
        own = OwnTokenizer(name, content, 5, 5)
        if b"".join(piece.bytes for piece in own.encode("ab").pieces()) != b"ab":
            yield "the pieces are not the text"

    return content, put


ENTRIES: dict[Callable[[Random], Trial], int] = {
    config_values: 300,
    config_text: 200,
    number_field: 150,
    query: 100,
    hub_words: 50,
    weights_file: 150,
    command_line: 49,
    tokenizer_file: 1,
}
"""Each with how often it is tried in a thousand."""

COMMAND_LINES = (
    "count ? --json", "count MODEL ?", "flops MODEL --context ?", "flops ? --json", "kv MODEL --context ? --batch ?",
    "kv MODEL --context 100 --dtype ?", "fit MODEL --gpu T4 --context ? --batch ? --gpus ?", "fit MODEL --gpu ? --format ? --cache ?",
    "weights MODEL --format ?", "train MODEL --tokens ? --gpu ?", "train MODEL --tokens 2T --gpu T4 --gpus ? --price ? --utilisation ?",
    "compare MODEL ?", "diff MODEL ?", "?", "? ? ?", "types ?",
)  # fmt: skip


def _whole(field: str, typed: str) -> int:
    return quantities.whole(field, typed, quantities.MOST_TOKENS, "4096")


@lru_cache(maxsize=128)
def _model(name: str) -> Model:
    return Model.of(name)


def _config(random: Random) -> dict[str, object]:
    if random.random() < 0.3:
        values: dict[str, object] = {**_model(random.choice(list(catalogue()))).values}
    else:
        values = {"model_type": random.choice(list(FAMILIES))}
    fields = [
        *values,
        *config_defaults()[str(values["model_type"])]["defaults"],
        "text_config",
        "num_hidden_layers",
        "hidden_size",
    ]
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        values[random.choice(fields)] = value(random)
    return values


def _clean(name: str) -> str:
    return name.encode("utf-8", "ignore").decode()
