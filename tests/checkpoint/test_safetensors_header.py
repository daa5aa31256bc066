"""Headers of .safetensors files: what they say is read, and what is wrong with them is named."""

import json
import struct

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from calc.checkpoint.index import read_index, weight_map_of
from calc.checkpoint.safetensors_header import LENGTH_BYTES, checkpoint_of, header_length, read_safetensors
from calc.checkpoint.uploads import read_uploads
from calc.errors import ConfigError

from .writing import safetensors_head, write_raw, write_safetensors, write_sharded, write_sparse

ENTRY = {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}


def fault_of(function, *arguments):
    """The fault that a call raises."""
    with pytest.raises(ConfigError) as caught:
        function(*arguments)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


def test_a_file_that_the_formats_own_writer_saved(tmp_path):
    arrays = {
        "model.embed_tokens.weight": numpy.zeros((5, 4), numpy.float16),
        "scalar": numpy.zeros((), numpy.float32),
        "packed": numpy.zeros((2, 1, 3), numpy.int32),
        "empty": numpy.zeros((0, 4), numpy.uint8),
    }
    save_file(arrays, tmp_path / "m.safetensors", metadata={"format": "np"})
    checkpoint = read_safetensors(tmp_path / "m.safetensors")
    found = {tensor.name: (tensor.dtype, tensor.shape, tensor.elements) for tensor in checkpoint.tensors}
    assert found == {
        "model.embed_tokens.weight": ("F16", (5, 4), 20),
        "scalar": ("F32", (), 1),
        "packed": ("I32", (2, 1, 3), 6),
        "empty": ("U8", (0, 4), 0),
    }
    assert checkpoint.metadata == {"format": "np"}
    size = (tmp_path / "m.safetensors").stat().st_size
    assert checkpoint.bytes_read + 40 + 4 + 24 == size, "the header and no more"


def test_no_more_than_the_header_is_read(tmp_path):
    """684 GB of zeros would be noticed."""
    path = write_safetensors(tmp_path / "big.safetensors", {"w": ("BF16", (342_000, 1_000_000))})
    assert path.stat().st_size > 684_000_000_000
    assert read_safetensors(path).bytes_read < 200


def test_an_upload_may_be_the_header_alone():
    head, size = safetensors_head({"w": ("BF16", (1000, 1000))})
    header = head[LENGTH_BYTES:]
    for known in (None, size):
        assert checkpoint_of("m", header, known, "m").tensors[0].shape == (1000, 1000)
    assert fault_of(header_length, head[:LENGTH_BYTES], len(head) - 1, "m").code == "header_truncated"
    for known in (size - 1, len(head) + 9):
        assert fault_of(checkpoint_of, "m", header, known, "m").code == "tensor_outside_file"


HOSTILE = {
    "cut in the length": (lambda p: p.write_bytes(b"\x10\0\0"), "header_truncated"),
    "empty": (lambda p: p.write_bytes(b""), "header_truncated"),
    "cut in the header": (lambda p: write_raw(p, {"w": ENTRY}, length=500), "header_truncated"),
    "length 10**18": (lambda p: write_raw(p, b"{}", length=10**18), "header_too_large"),
    "length 30 MB": (lambda p: write_sparse(p, struct.pack("<Q", 30_000_000), 30_000_100), "header_too_large"),
    "zeros for JSON": (lambda p: write_raw(p, bytes(50)), "header_not_json"),
    "not UTF-8": (lambda p: write_raw(p, b'{"\xff": 1}'), "header_not_json"),
    "a list": (lambda p: write_raw(p, [1]), "header_not_json"),
    "deep": (lambda p: write_raw(p, b"[" * 100_000), "header_not_json"),
    "a number of 5000 digits": (lambda p: write_raw(p, b'{"w": ' + b"9" * 5000 + b"}"), "header_not_json"),
    "twice": (lambda p: write_raw(p, b'{"w": {}, "w": {}}'), "header_repeated_tensor"),
    "no object": (lambda p: write_raw(p, {"w": 3}), "tensor_malformed"),
    "no dtype": (lambda p: write_raw(p, {"w": {"shape": [1], "data_offsets": [0, 1]}}), "tensor_malformed"),
    "a length in quotes": (lambda p: write_raw(p, {"w": ENTRY | {"shape": ["2", 3]}}, bytes(12)), "tensor_malformed"),
    "a negative length": (lambda p: write_raw(p, {"w": ENTRY | {"shape": [-2, -3]}}, bytes(12)), "tensor_malformed"),
    "true for a length": (lambda p: write_raw(p, {"w": ENTRY | {"shape": [True, 6]}}, bytes(12)), "tensor_malformed"),
    "a length of 10**30": (lambda p: write_raw(p, {"w": ENTRY | {"shape": [10**30]}}, bytes(12)), "tensor_malformed"),
    "10**5 lengths": (lambda p: write_raw(p, {"w": ENTRY | {"shape": [10**18] * 100_000}}, bytes(12)), "tensor_malformed"),
    "three offsets": (lambda p: write_raw(p, {"w": ENTRY | {"data_offsets": [0, 6, 12]}}, bytes(12)), "tensor_malformed"),
    "metadata no texts": (lambda p: write_raw(p, {"__metadata__": {"a": 1}}), "tensor_malformed"),
    "a dtype of nobody": (lambda p: write_raw(p, {"w": ENTRY | {"dtype": "F7"}}, bytes(12)), "tensor_unknown_dtype"),
    "sizes of 10**18": (lambda p: write_raw(p, {"w": ENTRY | {"shape": [10**18, 10**18]}}, bytes(12)), "tensor_size_differs"),
    "a byte too few": (lambda p: write_raw(p, {"w": ENTRY | {"data_offsets": [0, 11]}}, bytes(12)), "tensor_size_differs"),
    "past the end": (lambda p: write_raw(p, {"w": ENTRY}, bytes(11)), "tensor_outside_file"),
    "offsets of 10**18": (lambda p: write_raw(p, {"w": ENTRY | {"data_offsets": [0, 10**18]}}, bytes(12)), "tensor_outside_file"),
    "turned round": (lambda p: write_raw(p, {"w": ENTRY | {"data_offsets": [12, 0]}}, bytes(12)), "tensor_outside_file"),
    "overlap": (lambda p: write_raw(p, {"v": ENTRY, "w": ENTRY | {"data_offsets": [6, 18]}}, bytes(18)), "tensors_overlap"),
    "one place for two": (lambda p: write_raw(p, {"v": ENTRY, "w": ENTRY}, bytes(12)), "tensors_overlap"),
    "a gap": (lambda p: write_raw(p, {"w": ENTRY | {"data_offsets": [1, 13]}}, bytes(13)), "tensors_leave_a_gap"),
    "a tail": (lambda p: write_raw(p, {"w": ENTRY}, bytes(13)), "tensors_leave_a_gap"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_damaged_or_lying_file_is_refused_by_name(case, tmp_path):
    write, code = HOSTILE[case]
    path = tmp_path / "bad.safetensors"
    write(path)
    error = fault_of(read_safetensors, path)
    assert error.code == code
    assert "bad.safetensors" in str(error) and len(str(error)) < 400


def test_a_million_tensors_and_one_are_refused(tmp_path):
    text = "{" + ",".join(f'"{i:x}":1' for i in range(1_000_001)) + "}"
    assert fault_of(read_safetensors, write_raw(tmp_path / "m.safetensors", text.encode())).code == "too_many_tensors"


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content):
    try:
        read_uploads([("upload", content)])
    except ConfigError as error:
        assert len(str(error).splitlines()) == 1


def test_a_file_that_is_not_there(tmp_path):
    assert fault_of(read_safetensors, tmp_path / "none.safetensors").code == "unreadable_file"
    assert fault_of(read_safetensors, tmp_path).code == "unreadable_file"


TENSORS = {f"model.layers.{i}.mlp.down_proj.weight": ("BF16", (4, 6)) for i in range(6)}


def test_shards_are_joined_in_order(tmp_path):
    seen = []
    checkpoint = read_index(write_sharded(tmp_path, TENSORS, 3), lambda *told: seen.append(told))
    assert [tensor.name for tensor in checkpoint.tensors] == list(TENSORS)
    assert checkpoint.stored_elements == 6 * 24 and checkpoint.files == 3
    assert [told[:2] for told in seen] == [(1, 3), (2, 3), (3, 3)] and seen[-1][2] == checkpoint.bytes_read


def index_with(tmp_path, **changes):
    """An index over two shards, some of its places changed."""
    index = write_sharded(tmp_path, TENSORS)
    document = json.loads(index.read_text())
    document["weight_map"] |= changes
    index.write_text(json.dumps(document))
    return index


def test_a_tensor_that_its_shard_lacks_is_named(tmp_path):
    error = fault_of(read_index, index_with(tmp_path, lm_head="model-00002-of-00002.safetensors"))
    assert error.code == "index_missing_tensor" and "lm_head" in str(error) and "model-00002" in str(error)


def test_a_shard_that_is_not_there_is_named(tmp_path):
    error = fault_of(read_index, index_with(tmp_path, lm_head="model-00003-of-00002.safetensors"))
    assert error.code == "index_missing_shard" and "model-00003" in str(error)


@pytest.mark.parametrize(
    "shard",
    [
        "../model.safetensors",
        "a/../../b.safetensors",
        "/etc/passwd.safetensors",
        "..\\m.safetensors",
        "C:m.safetensors",
        "./m.safetensors",
        "a//m.safetensors",
        "",
        "m\0.safetensors",
        "m.safetensors?x=.safetensors",
        "%2e%2e/m.safetensors",
        "config.json",
    ],
)
def test_a_shard_outside_the_folder_is_never_opened(shard, tmp_path):
    assert fault_of(read_index, index_with(tmp_path, lm_head=shard)).code == "index_outside_folder"


def test_a_folder_that_leads_out_is_not_followed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    write_safetensors(tmp_path / "out" / "m.safetensors", {"lm_head": ("BF16", (2,))})
    (tmp_path / "in" / "sub").symlink_to(tmp_path / "out")
    assert fault_of(read_index, index_with(tmp_path / "in", lm_head="sub/m.safetensors")).code == "index_outside_folder"


def test_a_tensor_in_two_shards_is_named(tmp_path):
    index = write_sharded(tmp_path, TENSORS)
    again = {**dict(list(TENSORS.items())[3:]), "model.layers.0.mlp.down_proj.weight": ("BF16", (4, 6))}
    write_safetensors(tmp_path / "model-00002-of-00002.safetensors", again)
    assert fault_of(read_index, index).code == "tensor_in_two_files"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"weight_map"',
        b"{}",
        b'{"weight_map": []}',
        b'{"weight_map": {}}',
        b'{"weight_map": {"a": 1}}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_an_index_without_a_weight_map(content):
    assert fault_of(weight_map_of, content).code == "index_malformed"
