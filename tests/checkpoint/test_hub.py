"""Models of the Hub, read by the real client from a server on loopback: headers only, and every failure one fault."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from huggingface_hub import constants

from calc.checkpoint import hub_requests
from calc.checkpoint.hub import read_hub, read_hub_config
from calc.checkpoint.hub_address import HubAddress, hub_address
from calc.checkpoint.reconcile import reconcile
from calc.errors import ConfigError
from calc.model import Model

from . import llama_shapes as shapes
from .hub_server import COMMIT, Repository, turn_the_client_here
from .llama_shapes import llama
from .writing import gguf_head, safetensors_head

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hub(monkeypatch, request):
    """The server, with the client library turned to it."""
    running = turn_the_client_here(monkeypatch, request)
    running.repositories["org/llama"] = sharded()
    return running


def sharded(shards=4, packed=None):
    """Llama-3.1-8B in some shards, with index and config."""
    tensors = llama(packed)
    names = list(tensors)
    files = [f"model-{i + 1:05}-of-{shards:05}.safetensors" for i in range(shards)]
    weight_map = {name: files[i * shards // len(names)] for i, name in enumerate(names)}
    stored = {file: safetensors_head({name: tensors[name] for name in names if weight_map[name] == file}) for file in files}
    index = json.dumps({"weight_map": weight_map}).encode()
    config = json.dumps(shapes.CONFIG).encode()
    return Repository({"README.md": b"x", "config.json": config, "model.safetensors.index.json": index, **stored})


def fault_of(function, *arguments, **options):
    """The fault that a call raises."""
    with pytest.raises(ConfigError) as caught:
        function(*arguments, **options)
    assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 400
    return caught.value


LLAMA = HubAddress("org/llama")


def test_a_sharded_model_is_read_by_its_headers_alone(hub):
    seen = []
    checkpoint = read_hub(LLAMA, lambda *told: seen.append(told))
    result = reconcile(Model.of(checkpoint.config), checkpoint)
    assert result.gap == () and result.found == 8_030_261_248
    files = hub.repositories["org/llama"].files
    headers = sum(len(file[0]) for file in files.values() if isinstance(file, tuple))
    small = len(files["config.json"]) + len(files["model.safetensors.index.json"])
    listing = hub.sent - headers - small
    assert 0 < listing < 1000, "headers, index, config and the list of files: not a byte of weights"
    assert checkpoint.bytes_read == hub.sent
    assert [told[:2] for told in seen][-1] == (4, 4) and {told[:2] for told in seen if told[1] != 4} <= {(0, 0)}
    assert checkpoint.files == 4 and checkpoint.config["model_type"] == "llama"
    assert all(f"/{COMMIT}/" in path for path, _, _ in hub.asked if "/resolve/" in path), "all files of one commit"


def test_a_header_on_its_own_and_in_a_folder(hub):
    one = safetensors_head({"w": ("BF16", (3, 4))})
    hub.repositories["org/one"] = Repository(
        {"model.safetensors": one, "sub/other.safetensors": safetensors_head({"v": ("F32", (5,))})}
    )
    assert read_hub(HubAddress("org/one")).stored_elements == 12
    for path in ("sub", "sub/other.safetensors"):
        assert read_hub(HubAddress("org/one", path=path)).stored_elements == 5
    assert fault_of(read_hub, HubAddress("org/one", path="none")).code == "hub_no_such_file"
    assert read_hub(HubAddress("org/one")).config is None


def test_gguf_files_by_name(hub):
    small, large = gguf_head({"a": ("F32", (8,))}), gguf_head({"a": ("Q8_0", (10**6, 32))}, {"tokens": ["piece"] * 50_000})
    parts = [gguf_head({name: ("F16", (6,))}) for name in "bc"]
    hub.repositories["org/gguf"] = Repository(
        {"m.F32.gguf": small, "m.Q8_0.gguf": large, "s-00001-of-00002.gguf": parts[0], "s-00002-of-00002.gguf": parts[1]}
    )
    error = fault_of(read_hub, HubAddress("org/gguf"))
    assert error.code == "several_checkpoints" and "m.Q8_0.gguf" in str(error)
    checkpoint = read_hub(HubAddress("org/gguf", path="m.Q8_0.gguf"))
    assert checkpoint.stored_elements == 32 * 10**6
    assert checkpoint.bytes_read - len(large[0]) < 1_048_576 + 2000 < large[1], "the header, and less than 1 MB beyond"
    assert read_hub(HubAddress("org/gguf", path="m.F32.gguf")).stored_elements == 8
    assert read_hub(HubAddress("org/gguf", path="s-00002-of-00002.gguf")).stored_elements == 12


def test_the_token_opens_a_gated_model_and_goes_to_the_hub_alone(hub, monkeypatch):
    hub.repositories["org/gated"] = Repository({"model.safetensors": safetensors_head({"w": ("F32", (2,))})}, token="hf_secret")
    assert fault_of(read_hub, HubAddress("org/gated")).code == "hub_forbidden"
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    hub.asked.clear()
    assert read_hub(HubAddress("org/gated")).stored_elements == 2
    assert {token for path, _, token in hub.asked if not path.startswith("/store/")} == {"Bearer hf_secret"}
    assert {token for path, _, token in hub.asked if path.startswith("/store/")} == {None}, "the store is another host"


def test_the_token_stays_here_where_it_shall_not_go_along(hub, monkeypatch):
    """Whoever shares an app need not share what their account may read."""
    hub.repositories["org/gated"] = Repository(
        {"model.safetensors": safetensors_head({"w": ("F32", (2,))}), "config.json": b"{}"}, token="hf_secret"
    )
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    for read in (read_hub, read_hub_config):
        fault_of(read, HubAddress("org/gated"), token=False)
        read(HubAddress("org/gated"))
    for read in (read_hub, read_hub_config):
        hub.asked.clear()
        read(LLAMA, token=False)
        assert hub.asked and {token for _, _, token in hub.asked} == {None}


class Stopped(BaseException):
    """What Streamlit raises when a reader stops a run."""


@pytest.mark.parametrize("read", [read_hub, read_hub_config])
def test_what_progress_raises_ends_a_read_that_waits(read, hub):
    hub.fault = "stall"

    def stop(*told):
        assert told == (0, 0, 0)
        raise Stopped

    with pytest.raises(Stopped):
        read(LLAMA, progress=stop)
    assert len(hub.asked) == 1, "it was waiting for an answer"


def test_a_gated_model_of_which_an_open_copy_is_known(hub):
    hub.fault = "403"
    error = fault_of(read_hub, HubAddress("meta-llama/Llama-2-7b-hf"))
    assert error.code == "hub_forbidden_mirror" and "NousResearch/Llama-2-7b-hf" in str(error)


STATUS = {
    "401": "hub_needs_token",
    "403": "hub_forbidden",
    "404": "hub_not_found",
    "429": "hub_too_many_requests",
    "500": "hub_failing",
    "502": "hub_failing",
    "503": "hub_failing",
    "418": "hub_failing",
}
OTHER = {
    "stall": "hub_too_slow",
    "stall in the body": "hub_too_slow",
    "drip": "hub_too_slow",
    "drip in the head": "hub_too_slow",
    "cut short": "hub_cut_short",
    "no protocol": "hub_cut_short",
    "round and round": "hub_unreachable",
}
SECONDS = {"stall": 30, "stall in the body": 30}
"""Where silence ends it, the total limit is not what is tested."""


@pytest.mark.parametrize("fault", [*STATUS, *OTHER, "garbage"])
def test_a_listing_that_fails(fault, hub, monkeypatch):
    monkeypatch.setattr(hub_requests, "STALL_SECONDS", 0.3)
    hub.fault = fault
    error = fault_of(read_hub, LLAMA, None, SECONDS.get(fault, 1))
    assert error.code == {**STATUS, **OTHER, "garbage": "hub_answer_malformed"}[fault]
    if fault not in ("401", "403"):
        assert hub.url in str(error)


@pytest.mark.parametrize("place", ["/store/org/llama/-/model-00003", "/resolve/", "index.json", "config.json"])
@pytest.mark.parametrize("fault", [*STATUS, *OTHER])
def test_a_file_that_fails(fault, place, hub, monkeypatch):
    monkeypatch.setattr(hub_requests, "STALL_SECONDS", 0.3)
    hub.fault, hub.fault_at = fault, place
    error = fault_of(read_hub, LLAMA, None, SECONDS.get(fault, 1))
    assert error.code == {**STATUS, **OTHER, "404": "hub_no_such_file"}[fault]


def test_what_the_hub_has_not(hub):
    assert fault_of(read_hub, HubAddress("org/none")).code == "hub_not_found"
    assert fault_of(read_hub, HubAddress("org/llama", "none")).code == "hub_not_found"
    assert read_hub(HubAddress("org/llama", "refs/pr/1")).files == 4
    hub.repositories["org/bin"] = Repository({"pytorch_model.bin": b"", "config.json": b"{}"})
    assert fault_of(read_hub, HubAddress("org/bin")).code == "no_checkpoint"
    assert fault_of(read_hub_config, HubAddress("org/none")).code == "hub_needs_token", "the Hub does not say which"
    assert read_hub_config(LLAMA)["hidden_size"] == 4096


def test_hostile_headers_are_refused_over_the_network_too(hub):
    entry = {"dtype": "U8", "shape": [10**18], "data_offsets": [0, 10**18]}
    lying = json.dumps({"w": entry}).encode()
    for content, code in [
        ((10**18).to_bytes(8, "little") + b"{}", "header_too_large"),
        (b"\x05\0", "header_truncated"),
        (b"", "header_truncated"),
        (b"\x50\0\0\0\0\0\0\0{}", "header_truncated"),
        (len(lying).to_bytes(8, "little") + lying, "tensor_outside_file"),
    ]:
        hub.repositories["org/bad"] = Repository({"model.safetensors": content})
        assert fault_of(read_hub, HubAddress("org/bad")).code == code
    hub.repositories["org/bad"] = Repository({"m.gguf": b"GGUF" + b"\xff" * 100})
    assert fault_of(read_hub, HubAddress("org/bad")).code == "gguf_version"
    hub.repositories["org/bad"] = Repository({"m.gguf": b""})
    assert fault_of(read_hub, HubAddress("org/bad")).code == "header_truncated"
    index = json.dumps({"weight_map": {"w": "../../../api/secret.safetensors"}}).encode()
    hub.repositories["org/bad"] = Repository({"model.safetensors.index.json": index})
    hub.asked.clear()
    assert fault_of(read_hub, HubAddress("org/bad")).code == "index_outside_folder"
    assert not any("secret" in path for path, _, _ in hub.asked)
    index = json.dumps({"weight_map": {"w": "model-00009.safetensors"}}).encode()
    hub.repositories["org/bad"] = Repository({"model.safetensors.index.json": index})
    assert fault_of(read_hub, HubAddress("org/bad")).code == "index_missing_shard"


def test_a_server_that_ignores_ranges_is_left_once_the_header_is_there(hub):
    head, size = safetensors_head({"w": ("BF16", (10**6, 10**5))})
    hub.repositories["org/whole"] = Repository({"model.safetensors": (head, size)})
    hub.fault, hub.fault_at = "range ignored", "/store/"
    checkpoint = read_hub(HubAddress("org/whole"))
    assert checkpoint.stored_elements == 10**11 and checkpoint.bytes_read < 3000


def test_a_port_where_nobody_listens(hub, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    error = fault_of(read_hub, LLAMA)
    assert error.code == "hub_unreachable" and "http://127.0.0.1:1" in str(error) and "HF_ENDPOINT" in str(error)


def test_offline_nothing_is_asked_and_what_is_kept_is_read(hub, monkeypatch, tmp_path):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    assert fault_of(read_hub, LLAMA).code == "hub_offline"
    assert fault_of(read_hub_config, LLAMA).code == "hub_offline"
    kept = tmp_path / "models--org--llama" / "snapshots" / COMMIT
    kept.mkdir(parents=True)
    (tmp_path / "models--org--llama" / "refs").mkdir()
    (tmp_path / "models--org--llama" / "refs" / "main").write_text(COMMIT)
    blobs = tmp_path / "models--org--llama" / "blobs"
    blobs.mkdir()
    for name, content in {"config.json": b'{"model_type": "llama"}', "model.safetensors": b"\2\0\0\0\0\0\0\0{}"}.items():
        (blobs / name).write_bytes(content)
        (kept / name).symlink_to(blobs / name)
    checkpoint = read_hub(LLAMA)
    assert checkpoint.tensors == () and checkpoint.config == {"model_type": "llama"} and checkpoint.source == "org/llama"
    assert hub.asked == []


@pytest.mark.parametrize(
    "value, address",
    [
        ("Qwen/Qwen3-0.6B", HubAddress("Qwen/Qwen3-0.6B")),
        (" Qwen/Qwen3-0.6B\n", HubAddress("Qwen/Qwen3-0.6B")),
        ("gpt2", HubAddress("gpt2")),
        ("org/name@v1.0", HubAddress("org/name", "v1.0")),
        ("https://huggingface.co/org/name", HubAddress("org/name")),
        ("https://huggingface.co/org/name/", HubAddress("org/name")),
        ("https://huggingface.co/org/name?library=transformers#x", HubAddress("org/name")),
        ("huggingface.co/org/name", HubAddress("org/name")),
        ("https://hf-mirror.com/org/name/tree/main", HubAddress("org/name")),
        ("https://huggingface.co/gpt2/tree/main", HubAddress("gpt2")),
        ("https://huggingface.co/org/name/tree/v2/sub", HubAddress("org/name", "v2", "sub")),
        (
            "https://huggingface.co/org/name/blob/main/a/m.Q4_K_M.gguf?show_file_info=x",
            HubAddress("org/name", "main", "a/m.Q4_K_M.gguf"),
        ),
        ("https://huggingface.co/org/name/resolve/main/m.gguf?download=true", HubAddress("org/name", "main", "m.gguf")),
        ("https://huggingface.co/org/name/tree/refs%2Fpr%2F7", HubAddress("org/name", "refs/pr/7")),
        ("https://huggingface.co/org/name/blob/refs/pr/7/m.gguf", HubAddress("org/name", "refs/pr/7", "m.gguf")),
        ("https://mirror.example/hf/org/name/tree/main", HubAddress("org/name")),
    ],
)
def test_what_people_paste(value, address):
    assert hub_address(value, "https://mirror.example/hf") == address


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a b",
        "../etc",
        "a/../b",
        "/org/name",
        "org/name/",
        "a/b/c",
        "org//name",
        "-x/y",
        "org/na\0me",
        "x" * 2000,
        "org/..",
        "org/name@../x",
    ],
)
def test_what_is_no_model(value):
    assert hub_address(value) is None


@pytest.mark.parametrize(
    "value",
    [
        "https://example.com/org/name",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "https://huggingface.co/datasets/a/b",
        "https://huggingface.co/",
        "https://huggingface.co/org/name/blob/main/../../x",
        "https://huggingface.co@evil.example/a/b",
        "https://[::1/a/b",
        "https://huggingface.co/org/name/blob/main/%2e%2e/x",
    ],
)
def test_an_address_of_anything_else_is_never_asked(value):
    assert fault_of(hub_address, value).code == "not_a_hub_model"


def command(hub, *arguments, **environment):
    """`python -m calc` in a process of its own, with the mirror in its environment."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("HF_") and "proxy" not in key.lower()}
    return subprocess.run(
        [sys.executable, "-m", "calc", *arguments],
        cwd=ROOT,
        env=clean | {"HF_ENDPOINT": hub.url} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
