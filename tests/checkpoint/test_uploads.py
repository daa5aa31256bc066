"""Uploads: whole files and beginnings of files, in one piece or many, and one fault for whatever does not fit together."""

import json

import pytest

from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.uploads import read_uploads
from calc.errors import ConfigError
from calc.model import Model

from .llama_shapes import CONFIG, PARAMETERS, gptq, llama
from .writing import gguf_head, safetensors_head, write_sharded


def fault_of(*files):
    """The fault that reading these raises."""
    with pytest.raises(ConfigError) as caught:
        read_uploads(files)
    assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 400
    return caught.value


@pytest.mark.parametrize("beyond", [0, 1, 1000, None])
def test_a_file_is_read_whole_or_from_its_beginning(beyond):
    head, size = safetensors_head({"a": ("F32", (100, 7)), "b": ("I8", (5,))})
    content = head + bytes(size - len(head) if beyond is None else beyond)
    checkpoint = read_uploads([("model.safetensors", content)])
    assert (checkpoint.stored_elements, checkpoint.size_bytes, checkpoint.bytes_read) == (705, 2805, len(head))
    assert checkpoint.source == "model.safetensors" and checkpoint.config is None


def test_a_beginning_of_a_gguf_is_read_as_the_whole():
    head, size = gguf_head({"a": ("Q8_0", (32, 64)), "b": ("F16", (6,))}, {"tokens": ["piece"] * 1000})
    for content in (head, head + b"\0" * 100, head + bytes(size - len(head))):
        checkpoint = read_uploads([("cut.bin", content)])
        assert checkpoint.file_format == "gguf" and checkpoint.stored_elements == 32 * 64 + 6


def test_beginnings_of_all_shards_with_their_index_and_config(tmp_path):
    index = write_sharded(tmp_path, llama(gptq), 3)
    files = [(index.name, index.read_bytes()), ("config.json", json.dumps(CONFIG).encode())]
    for shard in sorted(tmp_path.glob("*.safetensors")):
        with open(shard, "rb") as file:
            files.append((shard.name, file.read(200_000)))
    checkpoint = read_uploads(files)
    result = reconcile(Model.of(checkpoint.config), checkpoint)
    assert checkpoint.files == 3 and result.expected == PARAMETERS and not result.missing
    assert result.elements("dummy_bias") == 1_376_256
    assert result.packings == ("gptq",)
    renamed = [("index (1).json" if name == index.name else name, content) for name, content in files]
    assert read_uploads(renamed).files == 3, "a browser renames what is there already"
    error = fault_of(*(file for file in files if "00002" not in file[0]))
    assert error.code == "index_missing_shard" and "model-00002-of-00003.safetensors" in str(error)
    assert fault_of(files[0]).code == "index_missing_shard"
    without_index = [file for file in files if file[0] != index.name]
    assert read_uploads(without_index).stored_elements == checkpoint.stored_elements


def test_parts_of_a_split_gguf():
    parts = [(f"m-0000{n}-of-00002.gguf", gguf_head({name: ("F16", (6,))})[0]) for n, name in ((1, "a"), (2, "b"))]
    assert read_uploads(parts).stored_elements == 12
    error = fault_of(parts[1])
    assert error.code == "gguf_part_missing" and "m-00001-of-00002.gguf" in str(error)


def test_what_does_not_fit_together():
    head, size = safetensors_head({"a": ("F32", (100, 7))})
    one, gguf = ("one.safetensors", head), ("m.gguf", gguf_head({"b": ("F16", (6,))})[0])
    assert fault_of().code == "no_upload_of_weights"
    assert fault_of(("config.json", b"{}")).code == "no_upload_of_weights"
    assert fault_of(one, one).code == "upload_twice"
    assert fault_of(one, gguf).code == "several_uploads"
    assert fault_of(one, ("config.json", b"{}"), ("other.json", b"{}")).code == "several_uploads"
    assert fault_of(one, ("two.safetensors", head)).code == "tensor_in_two_files"
    assert fault_of(one, ("config.json", b"[1]")).code == "not_an_object"
    assert fault_of(("x.safetensors", head + bytes(size - len(head) + 4))).code == "tensors_leave_a_gap"


@pytest.mark.parametrize("length", [0, 5, 8, 30])
def test_a_beginning_that_ends_inside_the_header(length):
    for name, content in (
        ("x.safetensors", safetensors_head({"a": ("F32", (100, 7))})[0]),
        ("x.gguf", gguf_head({"a": ("F16", (6,))})[0]),
    ):
        error = fault_of((name, content[:length]))
        assert error.code == "upload_cut_in_header" and name in str(error) and str(length) in str(error)


def test_hostile_uploads():
    assert fault_of(("x.safetensors", (10**18).to_bytes(8, "little") + b"{}")).code == "header_too_large"
    assert fault_of(("x.bin", b"\x80\x02}q\x00" * 100)).code in ("header_too_large", "header_not_json")
    index = json.dumps({"weight_map": {"a": "../../x.safetensors"}}).encode()
    assert fault_of(("model.safetensors.index.json", index)).code == "index_outside_folder"
