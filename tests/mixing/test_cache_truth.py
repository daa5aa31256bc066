"""What transformers' own models keep of a sequence and attend to, type by type and length by length.

`tests/fixtures/make_cache_truth.py` ran the models; its conventions differ from this package's in what is named here.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from calc.config import Config
from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.families.wrappers import WRAPPERS
from calc.model import Model

RECORDS = json.loads((Path(__file__).parents[1] / "fixtures" / "cache_truth.json").read_text(encoding="utf-8"))["records"]
BY_TYPE: dict[str, list[dict]] = {}
for _record in RECORDS:
    BY_TYPE.setdefault(_record["config"]["model_type"], []).append(_record)

NOT_DESCRIBED = {"blt", "cpmant", "prophetnet", "reformer", "xlnet"}
DESCRIBED = [model_type for model_type in BY_TYPE if model_type not in NOT_DESCRIBED]

DOES_NOT_RUN = {
    "mvp": "its class stumbles over its own cache; it is BART's decoder",
    "musicgen_decoder": "it reads several codebooks at once; it is BART's decoder",
    "musicgen_melody_decoder": "as musicgen_decoder, without cross-attention",
    "apertus1p5_text": "it has no model of its own outside its wrapper; it is apertus",
    "hy_v4_vl_text": "it has no model of its own outside its wrapper; it is hy_v4",
}
"""Types without a record."""

PROMPT_UNMASKED = {"moshi"}
"""transformers masks the window in what it keeps, not inside one prompt."""

KEEPS_WHOLE_SEQUENCE = {"gpt_neo", "minimax"}
"""transformers masks their windows but drops nothing from their caches."""

KEEPS_KEYS_AS_VALUES_TOO = {"deepseek_v4"}
"""Its sliding layers store one vector twice in transformers; its tokens waiting to be compressed come and go."""


def keeps_every_query_head(config):
    """Falcon's newer architecture: transformers copies the shared heads to all query heads before it keeps them."""
    return config["model_type"] == "falcon" and config.get("new_decoder_architecture") is True


def kept_by_transformers(slots):
    """Numbers by what they are, of all slots together."""
    kept = Counter()
    for number, slot in slots:
        for kind in ("kv", "index", "compressed"):
            kept[kind] += number * slot.get(kind, 0)
    return +kept


def kept_by_us(meeting, length, config):
    """The same from the description. Of a window, and of a chunk, transformers holds one position less."""
    kept = Counter()
    for attention in meeting.attention:
        entries, limit = attention.kept(length), attention.window or attention.chunk
        if limit:
            entries = min(entries, limit - 1)
        if config["model_type"] in KEEPS_WHOLE_SEQUENCE:
            entries = length if entries else 0
        numbers = attention.cached.value
        if keeps_every_query_head(config):
            numbers = 2 * attention.heads.value * attention.key_width.value
        kind = "compressed" if attention.every > 1 else "index" if attention.kind == "index" else "kv"
        kept[kind] += entries * numbers * attention.copies
    return +kept


@pytest.mark.parametrize("model_type", DESCRIBED)
def test_what_is_kept_of_a_sequence(model_type):
    for record in BY_TYPE[model_type]:
        meeting = Model.of(record["config"]).mixing
        for length, slots in record["kept"].items():
            if slots is None:
                continue
            theirs, ours = kept_by_transformers(slots), kept_by_us(meeting, int(length), record["config"])
            if model_type in KEEPS_KEYS_AS_VALUES_TOO:
                twice = sum(number * slot["kv"] // 2 for number, slot in slots if "compressed" not in slot)
                theirs["kv"] -= twice
            assert theirs == ours, (record["config"], length)


@pytest.mark.parametrize("model_type", DESCRIBED)
def test_states_of_fixed_size(model_type):
    """As many numbers, and as many of them in 32 bits when the model is in bfloat16."""
    for record in BY_TYPE[model_type]:
        states = [(len(each.layers), state) for each in Model.of(record["config"]).mixing.recurrences for state in each.state]
        ours = Counter()
        for layers, state in states:
            ours[state.in_float32] += layers * state.numbers.value
        for slots in record["kept"].values():
            theirs = Counter()
            for number, slot in slots or ():
                for place, numbers in enumerate(slot.get("states", ())):
                    theirs[place in slot["float32"]] += number * numbers
            if model_type in KEEPS_KEYS_AS_VALUES_TOO:
                assert all(theirs[wide] <= ours[wide] for wide in theirs), record["config"]
            else:
                assert +theirs == +ours, record["config"]


def picks_whole_blocks(config):
    """Indexers that pick blocks of tokens: a little less than their limit is read while the last block is unfinished."""
    return config["model_type"] in ("minimax_m3_vl_text", "qwen4_exp", "qwen4_exp_text")


@pytest.mark.parametrize("model_type", DESCRIBED)
def test_positions_the_last_token_gives_a_weight_to(model_type):
    """A window counts the token itself; a chunk what is there of it."""
    shown = 0
    for record in BY_TYPE[model_type]:
        meeting = Model.of(record["config"]).mixing
        for length, theirs in record["attended"].items():
            if theirs is None:
                continue
            shown += 1
            if model_type in PROMPT_UNMASKED:
                assert set(theirs) == {int(length)}
                continue
            by_layer = Counter()
            times = {}
            for attention in meeting.attention:
                for layer in attention.layers if attention.kind != "index" else ():
                    by_layer[layer] += attention.attended(int(length))
                    times[layer] = attention.repeats
            ours = sorted(positions for layer, positions in by_layer.items() if positions for _ in range(times[layer]))
            if picks_whole_blocks(record["config"]):
                assert all(them <= us for them, us in zip(sorted(theirs), ours, strict=True)), (record["config"], length)
            else:
                assert sorted(theirs) == ours, (record["config"], length)
    without_weights = {"falcon_mamba", "mamba", "mamba2", "rwkv", "xlstm"}
    assert shown or model_type in without_weights


def test_every_declared_type_is_checked_or_refused():
    """A type that nobody ran is not described: add it to the fixture, or refuse it where it declares itself."""
    plain = set(FAMILIES) - set(WRAPPERS)
    assert plain == set(DESCRIBED) | NOT_DESCRIBED | set(DOES_NOT_RUN)


@pytest.mark.parametrize("model_type", sorted(NOT_DESCRIBED))
def test_a_type_that_is_not_described_is_refused_by_name(model_type):
    with pytest.raises(ConfigError) as refusal:
        _ = Model.of({"model_type": model_type}).mixing
    assert refusal.value.code == "mixing_not_described" and model_type in str(refusal.value)


def test_the_fixture_reaches_beyond_the_windows():
    """Each kind of attention and of recurrence is met, and windows, chunks and picks that are full."""
    full = Counter()
    for record in RECORDS:
        if record["config"]["model_type"] in NOT_DESCRIBED:
            continue
        meeting = Model.of(record["config"]).mixing
        full.update(recurrence.kind for recurrence in meeting.recurrences)
        for attention in meeting.attention:
            limit = attention.window or attention.chunk or attention.picks
            full[attention.kind] += limit is None or limit < 17
            full["shared"] += not attention.keeps_own_cache
            full["picked"] += attention.picks is not None and attention.picks < 17
    wanted = {"full", "sliding", "chunked", "latent", "compressed", "index", "cross", "shared", "picked", "mamba", "mamba2"}
    wanted |= {"gated_delta", "kimi_delta", "lightning", "mlstm", "rwkv", "rg_lru", "short_convolution", "compressor"}
    assert {kind for kind, times in full.items() if times >= 1} == wanted


@pytest.mark.parametrize("model_type", sorted(WRAPPERS))
def test_a_wrapper_keeps_what_its_language_model_keeps(model_type):
    field = WRAPPERS[model_type].field
    kind = Config({}, model_type).type_inside(field)
    if kind not in FAMILIES:
        pytest.skip(f"{kind} is not declared")
    own = max((record["config"] for record in BY_TYPE.get(kind, [{"config": {"model_type": kind}}])), key=len)
    outer, inner = Model.of({"model_type": model_type, field: own}).mixing, Model.of(own).mixing
    assert (outer.attention, outer.recurrences) == (inner.attention, inner.recurrences)


def test_the_longest_context_of_a_wrapper_is_its_language_models():
    config = {"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "max_position_embeddings": 131072}}
    assert Model.of(config).mixing.max_context == 131072
    omni = {"model_type": "qwen3_omni_moe", "thinker_config": {"text_config": {"max_position_embeddings": 65536}}}
    assert Model.of(omni).mixing.max_context == 65536


def test_yarn_stretches_the_longest_context():
    """DeepSeek-V3's config gives both, 163,840 = 40 · 4096; Qwen's recipe for long texts adds the second to 32,768."""
    qwen = {"model_type": "qwen3", "max_position_embeddings": 32768}
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    assert Model.of(qwen).mixing.max_context == 32768
    assert Model.of(qwen | {"rope_scaling": yarn}).mixing.max_context == 131072
    assert Model.of(qwen | {"rope_scaling": yarn | {"rope_type": "linear"}}).mixing.max_context == 32768
    assert (
        Model.of(qwen | {"rope_scaling": "x"}).mixing.max_context
        == Model.of(qwen | {"rope_scaling": None}).mixing.max_context
        == 32768
    )


@pytest.mark.parametrize("model_type", DESCRIBED)
def test_the_deciding_values_say_how_tokens_meet(model_type):
    """What is kept of a config for an address gives the same caches, nulls that switch a window off included."""
    for record in BY_TYPE[model_type]:
        config = record["config"]
        kept, whole = Model.of(Model.of(config).deciding_values).mixing, Model.of(config).mixing
        assert (kept.attention, kept.recurrences) == (whole.attention, whole.recurrences), config
        assert kept.max_context == whole.max_context, config
