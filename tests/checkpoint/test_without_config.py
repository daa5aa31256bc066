"""A model of the Hub that cannot be counted by its config is refused with what can be done, and that works."""

import json

import pytest
from huggingface_hub import constants

from calc.__main__ import main
from calc.hub import configs
from calc.hub.address import HubAddress
from calc.hub.configs import read_hub_config

from .hub_server import Repository
from .test_command import complaint_of
from .test_hub import fault_of, hub  # noqa: F401  a fixture
from .writing import gguf_head, safetensors_head


@pytest.fixture
def models(hub):  # noqa: F811
    """A Hub with models that only their headers tell of."""
    weights = safetensors_head({"w": ("BF16", (3, 4)), "b": ("F32", (5,))})
    hub.repositories |= {
        "org/no-config": Repository({"model.safetensors": weights}),
        "org/only-gguf": Repository({"m.Q8_0.gguf": gguf_head({"a": ("Q8_0", (7, 32))})}),
        "org/strange": Repository({"config.json": b'{"model_type": "xyzzy"}', "model.safetensors": weights}),
        "org/nearly": Repository({"config.json": b'{"model_type": "lama"}', "model.safetensors": weights}),
    }
    return hub


@pytest.mark.parametrize(
    ("model", "numbers", "named"),
    [
        ("org/no-config", 17, "config.json"),
        ("org/only-gguf", 224, "config.json"),
        ("org/strange", 17, "xyzzy"),
        ("org/nearly", 17, "llama"),
    ],
)
def test_the_remedy_named_on_the_command_line_is_one(model, numbers, named, models, capsys):
    complaint = complaint_of(capsys, "count", model)
    assert named in complaint and "python -m calc count --checkpoint" in complaint
    assert main(["count", "--checkpoint", model, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["found"] == numbers


def test_a_model_that_has_a_config_is_counted_by_its_headers_where_that_is_asked_for(models, capsys):
    assert main(["count", "org/llama", "--json"]) == 0
    by_config = json.loads(capsys.readouterr().out)
    assert main(["count", "--checkpoint", "org/llama", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["found"] == by_config["parameters"]["total"] == 8_030_261_248


def test_one_of_several_files_is_named_as_the_list_names_it(models, capsys):
    """A repository of .gguf files has one for each mix."""
    kinds = {kind: gguf_head({"a": (kind, (7, 32))}) for kind in ("Q8_0", "Q4_0")}
    models.repositories["org/mixes"] = Repository(
        {f"m.{kind}.gguf": head for kind, head in kinds.items()} | {"sub/x.gguf": kinds["Q8_0"]}
    )
    assert "m.Q4_0.gguf" in complaint_of(capsys, "count", "--checkpoint", "org/mixes")
    for file in ("m.Q4_0.gguf", "sub/x.gguf"):
        for model in ("org/mixes", "org/mixes@main"):
            assert main(["count", f"{model}/{file}", "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["found"] == 224
    assert "none.gguf" in complaint_of(capsys, "count", "org/mixes/none.gguf")


def test_a_file_that_is_not_there_is_not_looked_for_on_the_hub(models, capsys, tmp_path, monkeypatch):
    (tmp_path / "here" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for path in (
        "m.gguf",
        "a/m.gguf",
        "./a/b/m.gguf",
        "../a/m.gguf",
        "here/b/m.gguf",
        "/a/b/m.gguf",
        "a//m.gguf",
        "a/b/../m.gguf",
    ):
        complaint_of(capsys, "count", path)
    assert models.asked == []


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("404 EntryNotFound", "hub_no_config"),
        ("404", "hub_no_config"),
        ("404 RepoNotFound", "hub_not_found"),
        ("404 RevisionNotFound", "hub_not_found"),
        ("401", "hub_needs_token"),
        ("401 GatedRepo", "hub_forbidden"),
    ],
)
def test_what_the_hub_says_is_missing(fault, code, models):
    """With a token, the Hub says of a model that does not exist that it does not; without, that it needs one."""
    models.fault, models.fault_at = fault, "/resolve/"
    error = fault_of(read_hub_config, HubAddress("org/llama", "v1", "sub/m.gguf"))
    assert error.code == code
    if code == "hub_no_config":
        assert "org/llama@v1`" in str(error), "the remedy can be copied"


def test_a_kept_copy_without_a_config(models, monkeypatch, tmp_path):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(configs, "cached_folder", lambda address: str(tmp_path))
    assert fault_of(read_hub_config, HubAddress("org/no-config")).code == "hub_no_config"
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    assert read_hub_config(HubAddress("org/no-config")) == {"model_type": "gpt2"}
