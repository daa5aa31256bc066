"""The parts page without a browser: every model and language, what if, and addresses of any kind."""

from __future__ import annotations

import pytest
from catalogue_sample import SAMPLE

from calc.catalogue import catalogue
from calc.model import Model

from .screen import (
    LANGUAGES,
    PUBLISHED,
    counts,
    differences,
    figures,
    is_chinese,
    messages,
    of_class,
    opened,
    published_parts,
    total,
    whole_number,
    whole_numbers,
    words,
)

LLAMA_2_7B = 6_738_415_616
LLAMA_3_8B = 8_030_261_248


def tensor_for(name: str) -> str:
    """A tensor to choose in a model, another one for the next model of the sample."""
    tensors = Model.of(name).tensors
    return tensors[SAMPLE.index(name) % len(tensors)].name


@pytest.mark.parametrize("name", SAMPLE)
def test_every_model_adds_up_to_what_was_published(name):
    """In the language of the address, and in the other after a click on the switch."""
    first, second = LANGUAGES if len(name) % 2 else LANGUAGES[::-1]
    app = opened(lang=first, model=name, tensor=tensor_for(name))
    check_figures(app, name, first)
    app.segmented_control(key="language").set_value(second).run()
    check_figures(app, name, second)


def check_figures(app, name, language):
    """Hold all figures on the page against the model's published numbers."""
    model, tensor = catalogue()[name], Model.of(name).parts_list.named(tensor_for(name))
    assert not app.exception and not messages(app)
    page = figures(app)
    exact = PUBLISHED[model.hub_id]["params_exact"]
    assert total(app) == exact

    [addition] = of_class(page, "addition")
    published = published_parts(model.hub_id)
    assert published in (None, sorted(filter(None, counts(addition))))
    [last] = of_class(addition, "sum")
    assert whole_number(of_class(last, "count")[0].text) == sum(counts(addition)) == exact
    assert is_chinese(words(addition)) == (language == "zh")

    [card] = of_class(page, "tensor-card")
    lengths = [tensor.output.value] if tensor.is_vector else [tensor.input.value, tensor.output.value]
    assert [whole_number(words(number)) for number in of_class(card, "arrow")[0].iter("b")] == lengths
    assert tensor.short_name in words(card)
    assert whole_numbers(words(of_class(card, "equation")[0]))[-1] == tensor.count
    if tensor.copies > 1 and tensor.kind != "buffer" and not tensor.tied_to:
        assert tensor.parameters in [whole_number(t) for t in map(words, card.iter("dd")) if t.replace(",", "").isdecimal()]

    address = app.query_params
    assert (address["lang"], address["model"], address["tensor"]) == (language, name, tensor.name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bare_address_shows_llama_2_7b_and_says_so(language):
    app = opened(lang=language)
    assert total(app) == LLAMA_2_7B
    assert app.query_params["model"] == "llama-2-7b"


@pytest.mark.parametrize(
    ("name", "telling"),
    [
        ("llama-3-8b", "model.layers.*.self_attn.k_proj.weight"),
        ("llama-2-7b", "model.layers.*.mlp.gate_proj.weight"),
        ("gpt2", "transformer.h.*.mlp.c_fc.weight"),
    ],
)
def test_without_a_chosen_tensor_a_telling_one_is_shown(name, telling):
    assert opened(model=name).query_params["tensor"] == telling


def test_the_model_changes_and_the_tensor_stays_where_the_new_model_has_it():
    app = opened(lang="en", model="llama-2-7b", tensor="model.layers.*.self_attn.o_proj.weight")
    app.pills(key="reference_model").set_value("llama-3-8b").run()
    assert total(app) == LLAMA_3_8B
    assert app.query_params["tensor"] == "model.layers.*.self_attn.o_proj.weight"
    app.pills(key="reference_model").set_value("gpt2").run()
    assert total(app) == 124_439_808
    assert app.query_params["tensor"].startswith("transformer.")
    app.selectbox(key="other_model").set_value("qwen3-0.6b").run()
    assert (total(app), app.query_params["model"]) == (596_049_920, "qwen3-0.6b")
    assert not app.exception


def test_taking_the_chosen_model_away_leaves_it():
    app = opened(lang="en", model="llama-3-8b")
    app.pills(key="reference_model").set_value(None).run()
    assert (total(app), app.query_params["model"]) == (LLAMA_3_8B, "llama-3-8b")
    assert app.pills(key="reference_model").value == "llama-3-8b"


def test_another_model_is_shown_without_the_changes_made_to_the_last():
    app = opened(lang="en", model="llama-2-7b", num_hidden_layers="40")
    app.pills(key="reference_model").set_value("llama-3-8b").run()
    assert total(app) == LLAMA_3_8B
    assert "num_hidden_layers" not in app.query_params


def told(widget):
    """What a browser that draws a widget only now is told of its value: it does not know what runs before this one said."""
    proto = widget.proto
    if not proto.set_value:
        return proto.options[proto.default] if widget.type == "selectbox" else proto.default
    return proto.raw_value if widget.type == "selectbox" else proto.value


def test_every_run_tells_a_slow_browser_what_is_chosen():
    """On a slow phone the second run may begin before the widgets of the first are drawn; a widget drawn then, and told
    nothing, would send its default back as the reader's choice."""
    tensor = "model.layers.*.self_attn.o_proj.weight"
    app = opened(lang="en", model="llama-2-7b", tensor=tensor, num_hidden_layers="40", tie_word_embeddings="true")
    for _ in range(2):
        assert told(app.selectbox(key="tensor")) == tensor
        assert told(app.number_input(key="what_if_num_hidden_layers")) == 40
        assert told(app.number_input(key="what_if_hidden_size")) == 4096
        assert told(app.toggle(key="what_if_tie_word_embeddings")) is True
        app.run()
    app = opened(lang="en", model="config")
    for _ in range(2):
        assert '"model_type": "llama"' in told(app.text_area(key="config_text"))
        app.run()


class TestWhatIf:
    """Changed numbers, as the address asks for them."""

    # Differences from Llama-3-8B, 4096 wide, by hand.
    CHANGES = {
        # 8 × (41,943,040 attention + 176,160,768 FFN + 8,192 norms)
        "more layers": ({"num_hidden_layers": "40"}, 8 * 218_112_000),
        # 128 heads of 32: q and o unchanged in size, k and v 8 × 32 = 256 wide instead of 1,024; by a named head_dim
        "narrow heads": ({"num_attention_heads": "128", "head_dim": "32"}, -32 * 2 * 4096 * 768),
        # 16 heads of 256 follow: k and v 8 × 256 wide
        "half the heads": ({"num_attention_heads": "16"}, 32 * 2 * 4096 * 1024),
        # Llama-2's: a kv head for each query head
        "as many kv heads": ({"num_key_value_heads": "32"}, 805_306_368),
        # heads of 64: q and o half, k and v half
        "head_dim": ({"head_dim": "64"}, -32 * 20_971_520),
        "FFN as wide as Llama-2-7B's": ({"intermediate_size": "11008"}, -1_308_622_848),
        "vocabulary of Llama-2-7B": ({"vocab_size": "32000"}, -788_529_152),
        "tied": ({"tie_word_embeddings": "true"}, -525_336_576),
        # Llama-3-8B but twice as wide, its heads 256: attention × 4 (167,772,160), the rest × 2
        "wider": ({"hidden_size": "8192"}, 32 * (3 * 41_943_040 + 176_160_768 + 8_192) + 4_096 + 2 * 525_336_576),
        "several": ({"vocab_size": "32000", "num_key_value_heads": "32"}, 805_306_368 - 788_529_152),
    }

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("change", CHANGES)
    def test_every_figure_shows_its_difference(self, change, language):
        asked, difference = self.CHANGES[change]
        app = opened(lang=language, model="llama-3-8b", **asked)
        assert not app.exception and not messages(app)
        assert total(app) == LLAMA_3_8B + difference
        page = figures(app)
        [headline] = of_class(page, "headline")
        said = f"{'+' if difference > 0 else '−'}{abs(difference):,}"
        assert said in words(headline) and "Llama-3-8B" in words(headline)
        assert "8.03B" not in words(page), "a changed model has no published figure"

        [addition] = of_class(page, "addition")
        assert sum(counts(addition)) == LLAMA_3_8B + difference
        *rows, last = differences(addition)
        assert sum(rows) == last == difference
        [composition] = of_class(page, "composition")
        assert sum(differences(composition)) == difference
        for field, value in asked.items():
            assert app.query_params[field] == value

    def test_every_changeable_field_is_tried(self):
        from calc.what_if import CHANGEABLE

        assert {field for asked, _ in self.CHANGES.values() for field in asked} == set(CHANGEABLE)

    @pytest.mark.parametrize(
        ("asked", "followed"),
        [
            ({"num_attention_heads": "16"}, {"en": "head_dim = 256", "zh": "head_dim = 256"}),
            ({"hidden_size": "8192"}, {"en": "head_dim = 256", "zh": "head_dim = 256"}),
        ],
    )
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_what_follows_a_change_is_said(self, asked, followed, language):
        app = opened(lang=language, model="llama-3-8b", **asked)
        [caption] = [box.value.replace("\\", "") for box in app.caption]
        assert followed[language] in caption and is_chinese(caption) == (language == "zh")

    def test_a_field_changes_the_page_and_reset_brings_it_back(self):
        app = opened(lang="en", model="llama-3-8b", num_hidden_layers="33")
        app.number_input(key="what_if_num_hidden_layers").set_value(40).run()
        assert (total(app), app.query_params["num_hidden_layers"]) == (LLAMA_3_8B + 8 * 218_112_000, "40")
        app.toggle(key="what_if_tie_word_embeddings").set_value(True).run()
        assert total(app) == LLAMA_3_8B + 8 * 218_112_000 - 525_336_576
        [reset] = [button for button in app.button if button.label == "Reset"]
        reset.click().run()
        assert total(app) == LLAMA_3_8B
        assert app.number_input(key="what_if_num_hidden_layers").value == 32
        assert app.toggle(key="what_if_tie_word_embeddings").value is False
        assert set(app.query_params) == {"lang", "model", "tensor"}

    def test_a_change_to_the_models_own_number_is_no_change(self):
        app = opened(lang="en", model="llama-3-8b", num_hidden_layers="32")
        assert differences(figures(app)) == []

    def test_the_changes_of_an_own_config_are_against_that_config(self):
        app = opened(lang="en", model="config", num_hidden_layers="33")
        assert total(app) == LLAMA_2_7B + 202_383_360


class TestNonsenseInTheAddress:
    """What nobody can count leaves the base model on the page, and says why where it is about a number."""

    UNREADABLE = [
        "abc",
        "",
        "4096.0",
        "1e20",
        "+40",
        " 40",
        "1_000",
        "٤٠",
        "²",
        "0x28",
        "true",
        "null",
        "NaN",
        "9" * 30,
        "\x00",
        "-",
        "--5",
    ]

    @pytest.mark.parametrize("value", UNREADABLE)
    def test_what_is_no_number_changes_nothing(self, value):
        app = opened(lang="zh", num_hidden_layers=value, hidden_size=value, tie_word_embeddings=f"{value}!")
        assert not app.exception and not messages(app)
        assert total(app) == LLAMA_2_7B and differences(figures(app)) == []

    REFUSED = {
        "num_hidden_layers": ["0", "-5", "10001", "999999999999", "-9999999999999999999", "9999999999999999999"],
        "hidden_size": ["0", "-4096", "4097", "1000001"],
        "intermediate_size": ["0", "-1", "99999999999"],
        "num_attention_heads": ["0", "-32", "7", "100001"],
        "num_key_value_heads": ["0", "-1", "3", "64", "100001"],
        "head_dim": ["0", "-128", "100001"],
        "vocab_size": ["0", "-1", "100000001"],
    }

    @pytest.mark.parametrize(
        ("field", "value", "language"),
        [(field, value, LANGUAGES[i % 2]) for field, values in REFUSED.items() for i, value in enumerate(values)],
    )
    def test_a_number_no_model_can_have_is_refused_by_name(self, field, value, language):
        app = opened(lang=language, **{field: value})
        assert not app.exception
        assert total(app) == LLAMA_2_7B, "the base model stays on the page"
        [message] = messages(app)
        assert field in message and value in message
        assert is_chinese(message) == (language == "zh")
        assert app.number_input(key=f"what_if_{field}").value == int(value), "what was asked for stays in its field"

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        "tensor",
        ["", "x" * 7000, "model.layers.0.mlp.gate_proj.weight", "<script>alert(1)</script>", "transformer.wte.weight", "\x00"],
    )
    def test_an_unknown_tensor_gives_way_to_one_of_this_model(self, tensor, language):
        app = opened(lang=language, model="llama-3-8b", tensor=tensor)
        assert not app.exception and not messages(app)
        assert app.query_params["tensor"] == "model.layers.*.self_attn.k_proj.weight"
        assert "script" not in "".join(words(card) for card in of_class(figures(app), "tensor-card"))

    @pytest.mark.parametrize("model", ["", "Llama-2-7B", "bert", "llama-2-7b/../gpt2", "x" * 7000, "<script>", "__class__"])
    def test_an_unknown_model_gives_way_to_the_first(self, model):
        app = opened(lang="en", model=model)
        assert not app.exception
        assert (total(app), app.query_params["model"]) == (LLAMA_2_7B, "llama-2-7b")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_smallest_and_the_largest_numbers_are_counted(self, language):
        """One element wide, 10,000 layers of q, k, v, o, gate, up, down and two norms, and a hundred million tokens."""
        smallest = dict.fromkeys(("hidden_size", "intermediate_size", "num_attention_heads", "head_dim"), "1")
        app = opened(lang=language, num_hidden_layers="10000", vocab_size="100000000", **smallest)
        assert not app.exception and not messages(app)
        assert total(app) == 200_000_000 + 10_000 * 9 + 1
