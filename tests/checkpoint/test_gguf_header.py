"""Headers of .gguf files: written by the `gguf` package or by hand, read here."""

import io
import struct

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.checkpoint.gguf_header import SteppedOver, block_of, read_gguf, read_gguf_stream
from calc.errors import ConfigError

from .writing import gguf_head, gguf_text, write_gguf, write_sparse


def fault_of(function, *arguments):
    """The fault that a call raises."""
    with pytest.raises(ConfigError) as caught:
        function(*arguments)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


def test_a_file_that_the_formats_own_writer_saved(tmp_path):
    from gguf import GGMLQuantizationType, GGUFWriter

    writer = GGUFWriter(tmp_path / "m.gguf", "llama")
    writer.add_block_count(2)
    writer.add_token_list([f"piece {i}" for i in range(1000)])
    writer.add_token_scores([0.5] * 3)
    writer.add_chat_template("x" * 5000)
    writer.add_tensor("token_embd.weight", numpy.zeros((1000, 64), numpy.float16))
    writer.add_tensor("blk.0.attn_q.weight", numpy.zeros((8, 144), numpy.uint8), raw_dtype=GGMLQuantizationType.Q4_K)
    writer.add_tensor("blk.0.attn_norm.weight", numpy.zeros(3, numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    checkpoint = read_gguf(tmp_path / "m.gguf")
    assert [(t.name, t.dtype, t.shape, t.size_bytes) for t in checkpoint.tensors] == [
        ("token_embd.weight", "F16", (1000, 64), 128_000),
        ("blk.0.attn_q.weight", "Q4_K", (8, 256), 1152),
        ("blk.0.attn_norm.weight", "F32", (3,), 12),
    ]
    assert checkpoint.metadata["general.architecture"] == "llama" and checkpoint.metadata["llama.block_count"] == 2
    assert checkpoint.metadata["tokenizer.ggml.tokens"] == SteppedOver(1000)
    assert checkpoint.metadata["tokenizer.ggml.scores"] == [0.5] * 3
    assert checkpoint.metadata["tokenizer.chat_template"] == SteppedOver(5000)
    data_bytes = 128_000 + 1152 + 32
    assert 0 <= (tmp_path / "m.gguf").stat().st_size - data_bytes - checkpoint.bytes_read < 32, "the header and no more"


@pytest.mark.parametrize("kind, bits", [("Q8_K", 9.125), ("IQ2_S", 2.5625), ("Q4_K", 4.5), ("Q2_K", 2.625), ("IQ4_NL", 4.5)])
def test_bits_a_weight(kind, bits, tmp_path):
    in_block, block_bytes = block_of(kind)
    assert 8 * block_bytes / in_block == bits
    [tensor] = read_gguf(write_gguf(tmp_path / "m.gguf", {"w": (kind, (3, 512))})).tensors
    assert tensor.elements == 3 * 512 and 8 * tensor.size_bytes / tensor.elements == bits


def test_parts_are_read_together(tmp_path):
    write_gguf(tmp_path / "m-00001-of-00002.gguf", {"a": ("F32", (4,))})
    write_gguf(tmp_path / "m-00002-of-00002.gguf", {"b": ("F32", (5,))})
    for part in (1, 2):
        checkpoint = read_gguf(tmp_path / f"m-{part:05}-of-00002.gguf")
        assert [tensor.name for tensor in checkpoint.tensors] == ["a", "b"] and checkpoint.files == 2
    (tmp_path / "m-00001-of-00002.gguf").unlink()
    assert fault_of(read_gguf, tmp_path / "m-00002-of-00002.gguf").code == "gguf_part_missing"


def read_bytes(content, size=None):
    """The checkpoint that begins with these bytes, of a file of `size` where that is known."""
    return read_gguf_stream(io.BytesIO(content), size, "m.gguf")


def test_both_versions_and_an_upload_of_the_header_alone():
    for version in (2, 3):
        head, size = gguf_head({"w": ("Q8_0", (2, 32))}, version=version)
        assert read_bytes(head).tensors == read_bytes(head, size).tensors
        assert fault_of(read_bytes, head, size - 32).code == "tensor_outside_file"


def test_a_file_of_a_big_endian_machine():
    name = struct.pack(">Q", 1) + b"w"
    head = b"GGUF" + struct.pack(">IQQ", 3, 1, 0) + name + struct.pack(">IQIQ", 1, 7, 0, 0)
    assert read_bytes(head).tensors[0].shape == (7,)


def counts(tensors, keys, version=3):
    """The beginning of a file that claims so many."""
    return b"GGUF" + struct.pack("<IQQ", version, tensors, keys)


def entry(name="w", lengths=(4,), kind=0, offset=0):
    """One tensor's line."""
    return gguf_text(name) + struct.pack(f"<I{len(lengths)}Q", len(lengths), *lengths) + struct.pack("<IQ", kind, offset)


def key(kind, value, name="k"):
    """One key-value pair."""
    return gguf_text(name) + struct.pack("<I", kind) + value


HOSTILE = {
    "empty": (b"", "header_truncated"),
    "a safetensors file": (struct.pack("<Q", 2) + b"{}", "not_gguf"),
    "version 1": (counts(0, 0, 1), "gguf_version"),
    "version 0": (counts(0, 0, 0), "gguf_version"),
    "version 99": (counts(0, 0, 99), "gguf_version"),
    "10**18 tensors": (counts(10**18, 0), "too_many_tensors"),
    "10**6 tensors that are not there": (counts(10**6, 0), "header_truncated"),
    "10**18 keys": (counts(0, 10**18), "gguf_malformed"),
    "a key of 10**18 bytes": (counts(0, 1) + struct.pack("<Q", 10**18), "header_too_large"),
    "a list of 10**18 numbers": (counts(0, 1) + key(9, struct.pack("<IQ", 4, 10**18)), "header_too_large"),
    "a list of 10**18 texts": (counts(0, 1) + key(9, struct.pack("<IQ", 8, 10**18)), "gguf_malformed"),
    "lists in lists in lists": (counts(0, 1) + key(9, struct.pack("<IQ", 9, 1) * 10), "gguf_malformed"),
    "a value of nobody's kind": (counts(0, 1) + key(77, b""), "gguf_malformed"),
    "an alignment of zero": (counts(0, 1) + key(4, bytes(4), "general.alignment"), "gguf_malformed"),
    "an alignment in words": (counts(0, 1) + key(8, gguf_text("32"), "general.alignment"), "gguf_malformed"),
    "cut in a tensor": (counts(1, 0) + entry()[:-1], "header_truncated"),
    "twice": (counts(2, 0) + entry() + entry(offset=32), "header_repeated_tensor"),
    "ten lengths": (counts(1, 0) + entry(lengths=(1,) * 10), "tensor_malformed"),
    "a length of 2**63": (counts(1, 0) + entry(lengths=(2**63,)), "tensor_malformed"),
    "no whole block": (counts(1, 0) + entry(lengths=(100,), kind=12), "tensor_malformed"),
    "a type of nobody": (counts(1, 0) + entry(kind=4), "gguf_unknown_type"),
    "offsets of 10**18": (counts(1, 0) + entry(offset=10**18), "tensor_outside_file"),
    "sizes of 10**18": (counts(1, 0) + entry(lengths=(10**18, 10**18)), "tensor_outside_file"),
    "overlap": (counts(2, 0) + entry("v", (100,)) + entry("w", (4,), offset=32), "tensors_overlap"),
    "a gap": (counts(1, 0) + entry(offset=64), "tensors_leave_a_gap"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_damaged_or_lying_file_is_refused_by_name(case, tmp_path):
    head, code = HOSTILE[case]
    path = tmp_path / "bad.gguf"
    write_sparse(path, head, len(head) + 1000 if code.startswith("tensor") else len(head))
    error = fault_of(read_gguf, path)
    assert error.code == code
    assert "bad.gguf" in str(error) and len(str(error)) < 400


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content):
    for whole in (content, counts(2, 2) + content):
        try:
            read_bytes(whole)
        except ConfigError as error:
            assert len(str(error).splitlines()) == 1
