"""Bits a weight, held against llama.cpp's own table of blocks and published figures."""

from fractions import Fraction

import pytest
from gguf.constants import GGML_QUANT_SIZES
from hypothesis import given
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.gpus import gpus
from calc.model import Model
from calc.weights.formats import NOUNS, arithmetic_on, decimal, flat_bytes, formats, grouped_bits, number_format
from calc.weights.unquantized import REASONS, reason_kept

PUBLISHED = {
    "nf4": "4.5",
    "nf4-dq": "4.126953125",
    "gptq-g128": "4.15625",
    "awq-g128": "4.15625",
    "awq-g64": "4.3125",
    "gptq-g32": "4.625",
    "fp8": "8",
    "fp8-block": "8.001953125",
    "fp8-block-bf16": "8.0009765625",
    "mxfp4": "4.25",
    "nvfp4": "4.5",
    "int8-channel": "8",
    "gguf-q8_k": "9.125",
    "gguf-iq2_s": "2.5625",
    "gguf-q4_k": "4.5",
    "gguf-q2_k": "2.625",
    "gguf-iq4_nl": "4.5",
    "gguf-q2_0": "2.25",
    "gguf-q6_k": "6.5625",
    "gguf-iq1_m": "1.75",
    "gguf-tq1_0": "1.6875",
    "fp32": "32",
    "tf32": "32",
    "bf16": "16",
}
"""As papers and the formats' own descriptions give them."""


@pytest.mark.parametrize("kind", GGML_QUANT_SIZES, ids=lambda kind: kind.name)
def test_every_type_of_gguf_has_its_block(kind):
    weights, size = GGML_QUANT_SIZES[kind]
    found = number_format(f"gguf-{kind.name}")
    assert (found.block_weights, found.block_bits, found.title) == (weights, 8 * size, kind.name)


def test_gguf_has_no_type_more_but_one_that_is_newer_than_its_package():
    mine = {each.title for each in formats().values() if each.family == "gguf"}
    assert mine - {kind.name for kind in GGML_QUANT_SIZES} == {"Q2_0"}


@pytest.mark.parametrize("name", PUBLISHED)
def test_bits_a_weight_are_as_published(name):
    assert number_format(name).bits_per_weight == Fraction(PUBLISHED[name])


@pytest.mark.parametrize("name", formats())
def test_a_derivation_is_a_sum_that_is_true(name):
    number = number_format(name)
    derivation = number.derivation.partition(";")[0]
    if "=" not in derivation:
        assert derivation == f"{number.bits_per_weight} bit"
        return
    summed, _, rest = derivation.partition(" = ")
    total, _, bits = rest.partition(" = ")
    parts = 0
    for part in summed.split(" + "):
        count, times, each = part.partition(" × ")
        parts += int(count) * int(each.split()[0]) if times else int(part.split()[0])
    assert total == f"{parts} bit ÷ {number.block_weights}"
    assert Fraction(bits) == Fraction(parts, number.block_weights) == number.bits_per_weight


@pytest.mark.parametrize("name", formats())
def test_a_format_names_its_source_and_its_fields(name):
    number = number_format(name)
    assert number.source.strip()
    assert all(field.what in NOUNS and field.count > 0 and field.bits > 0 for field in number.fields)
    assert number.family != "gguf" or not (number.per_row or number.per_matrix)


def test_the_table_of_the_reference_models():
    """fp32, 16 bit, int8 and int4 of Llama-2-7B and TinyLlama, GB of 10⁹."""
    table = {
        name: [round(flat_bytes(catalogue()[name].parameters, bits) / 1e9, 2) for bits in (32, 16, 8, 4)]
        for name in ("llama-2-7b", "tinyllama-1.1b")
    }
    assert table == {"llama-2-7b": [26.95, 13.48, 6.74, 3.37], "tinyllama-1.1b": [4.40, 2.20, 1.10, 0.55]}


@given(st.integers(1, 16), st.integers(1, 512), st.integers(0, 32), st.integers(0, 16))
def test_larger_groups_take_fewer_bits(bits, group, scale, zero):
    found = grouped_bits(bits, group, scale, zero)
    assert bits <= found <= bits + scale + zero
    assert grouped_bits(bits, 2 * group, scale, zero) <= found


@pytest.mark.parametrize(("bits", "group", "field"), [(0, 32, "bits"), (4, 0, "group")])
def test_a_group_without_weights_is_refused(bits, group, field):
    with pytest.raises(ConfigError) as fault:
        grouped_bits(bits, group)
    assert (fault.value.code, fault.value.field) == ("not_positive", field)


def test_a_fraction_that_is_no_decimal_is_shown_as_cut_off():
    assert decimal(Fraction(1, 3)) == "0.333333…"
    assert decimal(Fraction(9, 2)) == "4.5"


@pytest.mark.parametrize(
    ("gpu", "expected"),
    [
        ("T4", {"fp16": "native", "bf16": "emulated", "fp8": "unpacked", "gguf-q4_k": "unpacked", "tf32": "emulated"}),
        ("A100 80GB SXM", {"bf16": "native", "tf32": "native", "fp8": "unpacked", "int8-channel": "native", "nvfp4": "unpacked"}),
        ("H100 SXM", {"fp8": "native", "fp8-block": "native", "mxfp4": "unpacked"}),
        ("B200 SXM", {"nvfp4": "native", "mxfp4": "native"}),
    ],
)
def test_which_gpus_multiply_a_format(gpu, expected):
    """T4 has no bf16, A100 no fp8, H100 no fp4."""
    native = gpus()[gpu].native
    assert {name: arithmetic_on(number_format(name), native) for name in expected} == expected


def test_every_tensor_of_every_model_is_quantized_or_kept_for_a_reason():
    for name in catalogue():
        for tensor in Model.of(name).tensors:
            reason = reason_kept(tensor, "layers")
            assert reason is None or reason in REASONS
            if reason is None:
                assert tensor.kind == "matrix" and tensor.part in ("attention", "ffn") and tensor.layers is not None
            if tensor.part in ("norm", "embedding", "lm_head") or tensor.kind == "bias":
                assert reason is not None
            assert reason_kept(tensor, "all") is None
