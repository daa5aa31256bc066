"""What a person would do on the page of real files and read off it, from a run of the app without a browser.

The Hub is the loopback server of tests/checkpoint, asked by the real client.
"""

from __future__ import annotations

import json
import re

import pytest
from checkpoint.hub_server import Repository, turn_the_client_here
from checkpoint.test_reconcile import as_stored
from checkpoint.writing import safetensors_head
from streamlit.testing.v1 import AppTest

import ui.frame.page
from calc.model import Model

from .screen import REPOSITORY, figures, of_class, whole_number, words

LLAMA_2_7B, LLAMA_2_7B_FOUND = 6_738_415_616, 6_738_417_664
MIRROR = "NousResearch/Llama-2-7b-hf"


def sharded(tensors, config, shards=2):
    """A repository of some shards with index and config, the files by name."""
    names = list(tensors)
    files = [f"model-{i + 1:05}-of-{shards:05}.safetensors" for i in range(shards)]
    weight_map = {name: files[i * shards // len(names)] for i, name in enumerate(names)}
    heads = {file: safetensors_head({name: tensors[name] for name in names if weight_map[name] == file}) for file in files}
    index = json.dumps({"weight_map": weight_map}).encode()
    return Repository({"config.json": json.dumps(config).encode(), "model.safetensors.index.json": index, **heads})


def llama_2_7b():
    """The published checkpoint: fp16, and 32 buffers of 64 frequencies."""
    model = Model.of("llama-2-7b")
    buffers = {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("F32", (64,)) for i in range(32)}
    return sharded(as_stored(model.parts_list, "F16") | buffers, dict(model.values))


def gpt2():
    """The published checkpoint: without the prefix of the modules, and with 12 masks."""
    model = Model.of("gpt2")
    tensors = {name.removeprefix("transformer."): tensor for name, tensor in as_stored(model.parts_list, "F32").items()}
    masks = {f"h.{i}.attn.bias": ("F32", (1, 1, 1024, 1024)) for i in range(12)}
    return Repository(
        {"config.json": json.dumps(dict(model.values)).encode(), "model.safetensors": safetensors_head(tensors | masks)}
    )


@pytest.fixture(name="hub")
def hub_on_loopback(monkeypatch, request):
    """The server, with the client library turned to it, and nobody at this machine."""
    running = turn_the_client_here(monkeypatch, request)
    running.repositories[MIRROR] = llama_2_7b()
    running.repositories["openai-community/gpt2"] = gpt2()
    return running


@pytest.fixture(autouse=True)
def page_first(monkeypatch):
    """Without a browser every session begins on the first page: here this one, so that the frame is around it."""
    run = ui.frame.page.run
    monkeypatch.setattr(
        ui.frame.page, "run", lambda sections: run({**sections, "": sorted(sections[""], key="checkpoint".__ne__)})
    )


def opened(**query):
    """The page after its first run at this address."""
    app = AppTest.from_file(str(REPOSITORY / "streamlit_app.py"), default_timeout=60)
    app.query_params.update(query)
    app.run()
    assert not app.exception
    return app


def read(app, source=None):
    """Press the button, after another source was written where one is given."""
    if source is not None:
        app.text_input(key="source").set_value(source).run()
    app.button(key="read_hub").click().run()
    assert not app.exception
    return app


def choose(app, key, way):
    """Click a button of a row; its labels are translated, and without a browser only the English ones can be clicked."""
    app.segmented_control(key=key).set_value(way).run()
    assert not app.exception and app.segmented_control(key=key).value == way


def upload(app, *files):
    """Hand over files, each (name, content)."""
    app.file_uploader(key="upload_checkpoint").set_value(
        [(name, content, "application/octet-stream") for name, content in files]
    ).run()
    assert not app.exception
    return app


def headline(app):
    """Expected, found and gap, which read the same as their data; the two subtract."""
    [shown] = of_class(figures(app), "figures")
    told = {}
    for element in shown.iter():
        for name in ("expected", "found", "gap"):
            if element.get(f"data-{name}"):
                told[name] = int(element.get(f"data-{name}"))
                assert whole_number(words(element)) == told[name]
    assert told["found"] - told["expected"] == told["gap"]
    return told


def causes(within):
    """Cause → elements, as they stand in the ledger, which adds up."""
    [section] = of_class(within, "ledger")
    first, last = (whole_number(words(of_class(line, "number")[0])) for line in of_class(section, "line") if line.tag == "div")
    found = {}
    for row in section.iter("details"):
        if row.get("data-cause"):
            found[row.get("data-cause")] = int(row.get("data-elements"))
            assert whole_number(words(of_class(row, "number")[0])) == int(row.get("data-elements"))
    assert first + sum(found.values()) == last
    return found


def lists(within):
    """List → its rows, each a list of cells; None for a list that is empty."""
    found = {}
    for element in within.iter():
        if element.get("data-list"):
            rows = [[words(cell) for cell in row.iter("td")] for body in element.iter("tbody") for row in body.iter("tr")]
            found[element.get("data-list")] = rows or None
    return found


def captions(app):
    """What stands small and grey, without Markdown's signs."""
    return " ".join(unescaped(caption.value) for caption in app.caption)


def unescaped(sentence):
    """A sentence without the signs that keep Markdown from reading it."""
    return re.sub(r"\\(.)", r"\1", sentence)
