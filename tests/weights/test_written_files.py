"""Sizes of files that are really written: by transformers, by safetensors, and by gguf."""

import json
from pathlib import Path

import gguf
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from calc.checkpoint.stored import StoredTensor
from calc.model import Model
from calc.parts_list import parameters
from calc.weights.gguf_mix import gguf_tensors, list_bytes
from calc.weights.safetensors_files import header_bytes, index_bytes
from calc.weights.weights import shards, weights
from tests.memory.models import LLAMA_3_ROTATION

SAVED = json.loads((Path(__file__).parent.parent / "fixtures" / "saved_files.json").read_text(encoding="utf-8"))["records"]
OTHER_ORDER = ("gpt_oss", "gpt_neox", "granitemoe", "mamba", "mixtral", "olmoe", "opt", "qwen2_moe", "qwen3_moe")
"""Types that transformers 5 cuts at other places: it sorts by name what it renames or takes apart."""


@pytest.mark.parametrize("record", SAVED, ids=[record["config"]["model_type"] for record in SAVED])
def test_files_transformers_saved(record):
    parts_list = Model.of(record["config"]).parts_list
    for saved in record["saved"]:
        number = {"float32": "fp32", "bfloat16": "bf16"}[saved["dtype"]]
        held = shards(Model.of(record["config"]), number, shard_bytes=saved["shard"] or 50 * 10**9)
        theirs = {name: size for name, size in saved["files"].items() if name.endswith(".safetensors")}
        if saved["shard"] is None or record["config"]["model_type"] not in OTHER_ORDER:
            assert {file.name: file.bytes for file in held} == theirs
            assert index_bytes(held, parameters(parts_list.tensors)) == saved["files"].get("model.safetensors.index.json", 0)


NUMPY = {"F32": "float32", "F16": "float16", "I32": "int32", "U8": "uint8", "I8": "int8"}


@pytest.mark.parametrize("format_name", ["fp32", "fp16", "gptq-g64", "awq-g32", "nf4", "bnb-int8", "mxfp4"])
@pytest.mark.parametrize("model_type", ["llama", "mixtral"])
def test_packed_files_really_written(tmp_path, format_name, model_type):
    config = {
        "model_type": model_type,
        "hidden_size": 128,
        "intermediate_size": 192,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": 500,
        "num_local_experts": 3,
    }
    (file,) = shards(Model.of(config), format_name, unpacked_dtype="F16")
    arrays = {tensor.name: numpy.zeros(tensor.shape, NUMPY[tensor.dtype]) for tensor in file.tensors}
    save_file(arrays, tmp_path / "model.safetensors", metadata={"format": "pt"})
    assert (tmp_path / "model.safetensors").stat().st_size == file.bytes
    size = weights(Model.of(config), format_name, unpacked_dtype="F16")
    assert (size.bytes, size.files, size.index_bytes) == (file.bytes, ("model.safetensors",), 0)


@given(
    st.dictionaries(
        st.text("abc._é", min_size=1, max_size=12),
        st.tuples(st.sampled_from(sorted(NUMPY)), st.lists(st.integers(0, 12), max_size=3)),
        max_size=12,
    ),
    st.sampled_from([None, {"format": "pt"}, {}]),
)
def test_headers_are_as_long_as_the_library_writes_them(tmp_path_factory, tensors, metadata):
    arrays = {name: numpy.zeros(shape, NUMPY[dtype]) for name, (dtype, shape) in tensors.items()}
    path = tmp_path_factory.mktemp("header") / "model.safetensors"
    save_file(arrays, path, metadata=metadata)
    stored = [StoredTensor(name, tensors[name][0], array.shape, array.nbytes) for name, array in arrays.items()]
    written = path.read_bytes()
    assert header_bytes(stored, metadata) == int.from_bytes(written[:8], "little")
    assert len(written) == 8 + header_bytes(stored, metadata) + sum(tensor.size_bytes for tensor in stored)


def written_with_gguf(path, tensors):
    """A .gguf file with these tensors, in bytes that are quantized for real where gguf can, and zeros where it cannot."""
    writer = gguf.GGUFWriter(path, "llama")
    for tensor in tensors:
        kind = gguf.GGMLQuantizationType[tensor.kind]
        try:
            data = gguf.quants.quantize(numpy.ones(tensor.shape, "float32"), kind)
        except NotImplementedError:
            data = numpy.zeros(gguf.quant_shape_to_byte_shape(tensor.shape, kind), "uint8")
        writer.add_tensor(tensor.name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


WRITTEN = (
    "F32",
    "F16",
    "BF16",
    "Q4_0",
    "Q5_1",
    "Q8_0",
    "Q2_K",
    "Q3_K_L",
    "Q4_K_M",
    "Q6_K",
    "IQ2_XXS",
    "IQ3_XS",
    "IQ4_XS",
    "TQ1_0",
    "MXFP4_MOE",
)


@pytest.mark.parametrize("ftype", WRITTEN)
@pytest.mark.parametrize("model_type", ["llama", "mixtral", "gpt2"])
def test_gguf_files_really_written(tmp_path, ftype, model_type):
    config = {
        "llama": {
            "model_type": "llama",
            "hidden_size": 256,
            "intermediate_size": 352,
            "num_hidden_layers": 9,
            "num_attention_heads": 4,
            "num_key_value_heads": 1,
            "vocab_size": 101,
            **LLAMA_3_ROTATION,
        },
        "mixtral": {
            "model_type": "mixtral",
            "hidden_size": 256,
            "intermediate_size": 512,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "vocab_size": 101,
            "num_local_experts": 8,
        },
        "gpt2": {"model_type": "gpt2", "n_embd": 256, "n_layer": 3, "n_head": 4, "n_positions": 33, "vocab_size": 77},
    }[model_type]
    tensors = gguf_tensors(Model.of(config), ftype)
    path = tmp_path / "model.gguf"
    written_with_gguf(path, tensors)

    size = weights(Model.of(config), f"gguf-{ftype}")
    fixed, architecture = 24, 8 + len("general.architecture") + 4 + 8 + len("llama")
    before_data = -(-(fixed + architecture + size.header_bytes) // 32) * 32
    assert path.stat().st_size == before_data + size.data_bytes
    read = gguf.GGUFReader(path)
    assert read.data_offset == before_data
    assert {tensor.name: tensor.n_bytes for tensor in read.tensors} == {tensor.name: tensor.bytes for tensor in tensors}
    assert list_bytes(tensors) == size.header_bytes
