"""The KV cache in bytes: published figures, and what must hold of any model."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.mixing import checked_context
from calc.mixing.kv_cache import (
    DTYPES,
    bits_of,
    cache_by_kind,
    checked_batch,
    kv_bytes,
    kv_bytes_per_token,
    reserved_bytes,
    state_bytes,
)
from calc.model import Model

FIXTURES = Path(__file__).parents[1] / "fixtures"
PUBLISHED = {
    model["id"].partition(" (")[0]: model for model in json.loads((FIXTURES / "models.json").read_text(encoding="utf-8"))
}
RECORDED = json.loads((FIXTURES / "kv_cache.json").read_text(encoding="utf-8"))


def described(case):
    """How the tokens of a recorded model meet."""
    return Model.of(case.get("config") or catalogue()[case["model"]].config).mixing


def named(case):
    return case["model"]


@pytest.mark.parametrize("model", catalogue().values(), ids=lambda model: model.name)
def test_a_token_takes_what_was_published(model):
    fact = PUBLISHED[model.hub_id]
    published = fact.get("kv_bytes_per_token_bf16") or fact["kv_bytes_per_token_bf16_all_layers_full"]
    assert kv_bytes_per_token(Model.of(model.config).mixing) == published


@pytest.mark.parametrize("case", RECORDED["per_token"], ids=named)
def test_a_token_takes_what_was_recorded(case):
    assert kv_bytes_per_token(described(case)) == case["bytes"]


@pytest.mark.parametrize("case", RECORDED["at_context"], ids=named)
def test_a_context_takes_what_was_recorded(case):
    meeting = described(case)
    assert kv_bytes(meeting, checked_context(meeting, case["context"])) == case["bytes"]


def test_the_windows_of_gemma_3_27b_and_what_full_pages_take():
    """Ten full layers, 52 with a window of 1024; 2 · 16 · 128 numbers a position and layer in two bytes."""
    meeting = Model.of("gemma-3-27b").mixing
    full, position = 131072, 2 * 16 * 128 * 2
    kinds = {kind.kind: kind for kind in cache_by_kind(meeting, full)}
    assert (len(kinds["full"].layers), len(kinds["sliding"].layers), kinds["sliding"].window) == (10, 52, 1024)
    assert kinds["full"].layers[:2] == (5, 11)
    assert (kinds["full"].bytes, kinds["sliding"].bytes) == (10 * full * position, 52 * 1024 * position)
    assert reserved_bytes(meeting, full) == 62 * full * position
    assert reserved_bytes(meeting, 1025) == 62 * 1040 * position, "65 pages of 16"


def test_less_bits_take_less_and_scales_a_little_more():
    meeting = Model.of("llama-3-8b").mixing
    whole = kv_bytes(meeting, 8192)
    sizes = {dtype: kv_bytes(meeting, 8192, bits=bits_of(dtype)) for dtype in DTYPES}
    assert (sizes["fp32"], sizes["bf16"], sizes["fp8"], sizes["int4"]) == (2 * whole, whole, whole // 2, whole // 4)
    blocks = 8192 * 65536 // 32  # 65,536 numbers a token in blocks of 32
    assert (sizes["q8_0"], sizes["q5_1"], sizes["q5_0"], sizes["q4_1"], sizes["q4_0"]) == tuple(
        blocks * size for size in (34, 24, 22, 20, 18)
    )


def test_the_state_of_a_mamba_does_not_grow():
    """Mamba-130m: 24 layers, 1536 channels with 4 inputs in 16 bit and 16 numbers in 32 bit."""
    meeting = Model.of(
        {"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24, "state_size": 16, "conv_kernel": 4}
    ).mixing
    assert state_bytes(meeting) == 24 * 1536 * (4 * 2 + 16 * 4)
    assert state_bytes(meeting, batch=3, float32_bits=16) == 3 * 24 * 1536 * (4 + 16) * 2
    assert kv_bytes(meeting, 100_000) == kv_bytes_per_token(meeting) == reserved_bytes(meeting, 100_000) == 0


def test_layers_that_read_another_layers_cache_keep_none():
    """Gemma 3n E4B: 35 layers, the last 15 share; of the 20 others 4 are full (every fifth) and 16 have a window of 512."""
    meeting = Model.of({"model_type": "gemma3n_text", "num_hidden_layers": 35, "num_key_value_heads": 2, "head_dim": 256}).mixing
    position = 2 * 2 * 256 * 2
    assert kv_bytes_per_token(meeting) == 20 * position
    assert kv_bytes(meeting, 32768) == (4 * 32768 + 16 * 512) * position
    assert sum(len(attention.layers) for attention in meeting.attention if not attention.keeps_own_cache) == 15


TYPES = (
    "llama",
    "gemma3_text",
    "gpt_oss",
    "deepseek_v3",
    "deepseek_v32",
    "llama4_text",
    "jamba",
    "qwen3_next",
    "falcon_h1",
    "gemma3n_text",
    "longcat_flash",
    "deepseek_v4",
    "bart",
    "mamba2",
    "gpt_neo",
    "lfm2",
)
contexts, batches = st.integers(1, 300_000), st.integers(1, 300)


@given(st.sampled_from(TYPES), contexts, contexts, batches)
def test_what_holds_of_any_model(model_type, one, other, batch):
    meeting = Model.of({"model_type": model_type}).mixing
    shorter, longer = sorted((one, other))
    assert 0 <= kv_bytes(meeting, shorter) <= kv_bytes(meeting, longer) <= reserved_bytes(meeting, longer)
    assert kv_bytes(meeting, longer, batch) == batch * kv_bytes(meeting, longer)
    assert kv_bytes(meeting, longer) <= longer * kv_bytes_per_token(meeting)
    by_kind = cache_by_kind(meeting, longer, batch)
    assert sum(kind.bytes for kind in by_kind) == kv_bytes(meeting, longer, batch) + state_bytes(meeting, batch)


@given(st.sampled_from(TYPES), contexts, batches, st.sampled_from(tuple(DTYPES)))
def test_the_numbers_of_a_formula_give_its_bytes(model_type, context, batch, dtype):
    for kind in cache_by_kind(Model.of({"model_type": model_type}).mixing, context, batch, bits_of(dtype)):
        assert value_of(kind.worked) == pytest.approx(kind.bytes, abs=1), kind


def value_of(worked):
    """The value of a line such as `22·2·4·256·min(4096, 512)·1·16 ÷ 8`."""
    python = (
        worked.replace("·", "*").replace("−", "-").replace("⌊", "int(").replace("⌋", ")").replace("÷", "/").replace("²", "**2")
    )
    return eval(python, {"__builtins__": {}, "min": min, "int": int})


@given(st.integers(1, 40), st.integers(1, 12), st.sampled_from(("window", "chunk", None)))
def test_what_a_token_attends_to_is_a_row_of_the_mask(length, limit, kind):
    """Against the mask written out, position by position."""
    fields = {"window": ("mistral", "sliding_window"), "chunk": ("llama4_text", "attention_chunk_size"), None: ("llama", "n")}
    model_type, field = fields[kind]
    [attention, *_] = Model.of({"model_type": model_type, field: limit}).mixing.attention
    row = [
        position
        for position in range(length)
        if kind is None or (length - 1 - position < limit if kind == "window" else position // limit == (length - 1) // limit)
    ]
    assert attention.attended(length) == len(row)
    assert len(row) <= attention.kept(length) <= length


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (0, "not_positive"),
        (-1, "not_positive"),
        (8193, "context_over_limit"),
        (True, "not_an_integer"),
        (1.5, "not_an_integer"),
        (10**12, "too_big"),
    ],
)
def test_a_context_that_cannot_be_is_refused(asked, code):
    with pytest.raises(ConfigError) as refusal:
        checked_context(Model.of("llama-3-8b").mixing, asked)
    assert refusal.value.code == code and refusal.value.field == "context"


def test_without_a_known_limit_any_context_goes():
    for name in ("bloom", "falcon-7b"):
        meeting = Model.of(name).mixing
        assert meeting.max_context is None and checked_context(meeting, 500_000) == 500_000


@pytest.mark.parametrize(("batch", "code"), [(0, "not_positive"), (2**40, "too_big"), ("4", "not_an_integer")])
def test_a_batch_that_cannot_be_is_refused(batch, code):
    with pytest.raises(ConfigError) as refusal:
        checked_batch(batch)
    assert (refusal.value.code, refusal.value.field) == (code, "batch")


def test_an_unknown_dtype_is_refused_with_those_known():
    with pytest.raises(ConfigError) as refusal:
        bits_of("bf17")
    assert (refusal.value.code, refusal.value.field) == ("not_among", "dtype")
    assert "q8_0" in str(refusal.value)
