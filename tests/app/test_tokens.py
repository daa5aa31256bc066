"""The live page without a browser: counts, chips, bytes, options, what it remembers; and what all pages on tokens stand on."""

from __future__ import annotations

import builtins
import unicodedata

import pytest
from huggingface_hub import constants
from hypothesis import given
from hypothesis import strategies as st

from calc.errors import ConfigError
from calc.tokens.encoding import encode
from calc.tokens.vocabularies import tokenizers
from ui.tokens.chips import MOST_CHIPS, chips
from ui.tokens.choice import Chosen, chosen_of, licences
from ui.tokens.panels import cut, panels
from ui.tokens.visible import character_name, visible

from .screen import LANGUAGES, elements, figures, is_chinese, messages, of_class, words
from .token_pages import PAGES, bytes_of, counts, kept, page, sections

PUBLISHED = {  # MISSION of the project: published counts of the two Llamas, the leading ▁ included
    ("llama-2", "strawberry"): 3,
    ("llama-2", "12345"): 6,
    ("llama-2", "我吃了一个苹果"): 12,
    ("llama-2", "I ate an apple"): 5,
    ("llama-3", "strawberry"): 3,
    ("llama-3", "12345"): 2,
    ("llama-3", "我吃了一个苹果"): 5,
    ("llama-3", "I ate an apple"): 4,
}
HARD = (
    " a",
    "  two",
    "\t\n\r\n",
    "a\x00b\x7f",
    "e\u0301",
    "\u0301",
    "👩\u200d👩\u200d👧",
    "🏳️\u200d🌈",
    "吃",
    "\ufeffx",
    "a\ufffdb",
    "\u202eabc",
    "<script>alert(1)</script>",
    "&amp;",
    "▁x",
    "</s>",
    "مرحبا",
    "हिन्दी",
    "한국어",
    "각",
    "𝒳",
    "\U0010ffff",
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_speaks_its_language(name, language):
    app = page(name, lang=language)
    said = " ".join(box.value for kind in (app.markdown, app.caption) for box in kind) + words(figures(app))
    assert is_chinese(said) or language == "en"
    licences_said = {"zh": "词表的来源与许可", "en": "Where the vocabularies come from, and their licences"}[language]
    assert licences_said in [expander.label for expander in app.expander]


@pytest.mark.parametrize("text", sorted({text for _, text in PUBLISHED}))
def test_the_live_page_counts_as_published(text):
    app = page("tokens", lang="en", text=text, tokenizers="llama-2,llama-3")
    assert counts(app) == {name: PUBLISHED[name, text] for name in ("llama-2", "llama-3")}
    large = {
        name: int(element.get(f"data-{name}"))
        for name in ("characters", "bytes")
        for element in figures(app).iter()
        if element.get(f"data-{name}")
    }
    assert large == {"characters": len(text), "bytes": len(text.encode())}


def test_all_tokenizers_side_by_side_and_the_address_remembers_them():
    app = page("tokens", lang="zh", text="吃", tokenizers=",".join([*tokenizers(), "no-such", "llama-2"]))
    assert list(sections(app)) == list(tokenizers())
    assert kept(app, "text") == "吃" and kept(app, "tokenizers") == ",".join(tokenizers())
    app.button_group(key="tokenizers").set_value(["gpt-2"]).run()
    assert list(sections(app)) == ["gpt-2"] and kept(app, "tokenizers") == "gpt-2"
    app.button_group(key="tokenizers").set_value([]).run()
    assert app.info and not sections(app)


def test_an_empty_text_has_no_tokens():
    assert counts(page("tokens", text="", lang="en")) == {"llama-2": 0, "llama-3": 0}


def test_what_is_chosen_survives_the_other_pages():
    app = page("tokens", lang="en", text="12345", tokenizers="gpt-2,o200k", options="ids")
    for name in (*PAGES[1:], "method", "tokens"):
        app.switch_page(f"pages/{name}.py").run()
        assert not app.exception
    assert list(sections(app)) == ["o200k", "gpt-2"] and kept(app, "text") == "12345" and kept(app, "options") == "ids"
    assert [small.text for small in sections(app)["gpt-2"].iter("small")][1:] == [
        str(token) for token in encode("gpt-2", "12345").ids
    ]


@pytest.mark.parametrize("text", HARD)
def test_the_bytes_of_the_chips_are_the_texts_and_no_replacement_character_is_shown(text):
    cuts = cut([chosen_of(name) for name in tokenizers()], text, False, str)
    html, _ = panels("en", cuts)
    assert "\ufffd" not in html
    for section, one in zip(elements(html).iter("section"), cuts, strict=True):
        form = tokenizers()[one.by.name].normal_form
        assert bytes_of(section) == (unicodedata.normalize(form, text) if form else text).encode(), one.by.name
        assert [int(chip.get("data-i")) for chip in section.iter("b")] == list(one.encoding.ids)


@given(st.text(max_size=60), st.sampled_from(sorted(tokenizers())), st.booleans())
def test_any_text_can_be_drawn(text, name, ids):
    made = chips(encode(name, text), ids=ids)
    drawn = list(elements(made.html).iter("b"))
    assert made.drawn == len(drawn) == encode(name, text).count and "\ufffd" not in made.html


def test_a_character_over_several_tokens_is_one_group():
    [group] = of_class(elements(chips(encode("llama-2", "我吃")).html), "group")
    assert words(next(group.iter("em"))) == "吃"
    assert [(chip.get("data-h"), chip.get("data-p")) for chip in group.iter("b")] == [
        ("e5", "5403:1-1/3"),
        ("90", "5403:2-2/3"),
        ("83", "5403:3-3/3"),
    ]
    assert chips(encode("llama-2", "我吃")).names["5403"] == "CJK UNIFIED IDEOGRAPH-5403"


def test_many_tokens_are_counted_and_some_drawn_without_tearing_a_group():
    for text in ("吃" * 4_000, "a吃" * 3_000, "word " * 9_000):
        encoding = encode("llama-2", text)
        made = chips(encoding)
        groups = of_class(elements(made.html), "group")
        assert MOST_CHIPS - 3 <= made.drawn <= MOST_CHIPS < encoding.count
        assert all(len(list(group.iter("b"))) == 3 for group in groups)
        html, _ = panels("en", cut([chosen_of("llama-2")], text, False, str))
        assert f'data-count="{encoding.count}"' in html and f"{encoding.count:,} are counted" in html


def test_a_tokenizer_that_gives_up_leaves_the_others():
    class Slow:
        def encode(self, written, special):
            raise ConfigError("tokenizer_too_slow", file="x", seconds=5)

    cuts = cut([Chosen("own:x", "x", "BPE", 3, Slow()), chosen_of("gpt-2")], "<b>", False, lambda error: f"<{error.code}>")
    html, _ = panels("en", cuts)
    slow, other = elements(html).iter("section")
    assert words(of_class(slow, "fault")[0]) == "<tokenizer_too_slow>" and bytes_of(other) == b"<b>"


def test_special_tokens_are_text_unless_asked_for():
    plain = page("tokens", text="</s>", tokenizers="llama-2", lang="en")
    special = page("tokens", text="</s>", tokenizers="llama-2", lang="en", options="special")
    assert not of_class(sections(plain)["llama-2"], "special") and counts(plain)["llama-2"] > 1
    assert [(words(chip), chip.get("data-i")) for chip in of_class(sections(special)["llama-2"], "special")] == [
        ("<s>", "1"),
        ("</s>", "2"),
    ]


def test_half_a_character_is_told():
    app = page("tokens", lang="en")
    app.session_state["text"] = "a\ud83db"
    app.run()
    assert not app.exception and any("1 lone surrogates" in caption.value for caption in app.caption)
    assert counts(app)["llama-3"] == encode("llama-3", "a\ufffdb").count
    assert kept(app, "text") == "ab"


def test_a_text_too_long_to_type_is_sent_to_the_files():
    app = page("tokens", lang="en")
    app.session_state["text"] = "x" * 200_001
    app.run()
    assert "Count a file" in app.info[0].value


def test_visible_characters():
    assert visible("a\u200db") == 'a<i class="code">U+200D</i>b'
    assert visible("\u0301").startswith("◌") and visible("<b>") == "&lt;b&gt;"
    assert character_name("\n") == "LINE FEED" and character_name("\x01") == "control"


def test_every_licence_is_named_with_its_source():
    shown = words(elements(licences("en", set(tokenizers()))))
    for facts in tokenizers().values():
        assert facts.notice in shown and facts.source in shown
    assert "Built with Meta Llama 3" in shown and "NOTICE" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_package_every_page_says_what_to_install(monkeypatch, language):
    imported = builtins.__import__

    def without_splintr(name, *rest, **more):
        if name.partition(".")[0] == "splintr":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_splintr)
    for name in PAGES:
        [said] = messages(page(name, lang=language))
        assert "pip install splintr-rs==0.22.0" in said and is_chinese(said) == (language == "zh")
    for name in ("parts", "compare", "method"):
        assert not messages(page(name, lang=language))


def test_a_hub_that_is_off_is_one_line(monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)  # read from the environment once, when the library is imported
    app = page("tokens", lang="en")
    app.text_input(key="unsent_tokenizer_model").set_value("org/no-such-model")
    [ask] = [button for button in app.button if button.label == "Read its tokenizer.json"]
    ask.click().run()
    assert not app.exception and len(messages(app)) == 1 and "org/no-such-model" in messages(app)[0]


def test_an_uploaded_tokenizer_is_added_and_a_wrong_file_refused():
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "ab": 2, "Ġ": 3}, merges=[("a", "b")]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    app = page("tokens", lang="en", text="ab ab", tokenizers="gpt-2")
    app.file_uploader(key="upload_tokenizer").set_value(("tokenizer.json", b"{}", "application/json")).run()
    assert len(messages(app)) == 1 and "tokenizer.json" in messages(app)[0]
    app.file_uploader(key="upload_tokenizer").set_value(("tokenizer.json", made.to_str().encode(), "application/json")).run()
    assert not app.exception and not messages(app)
    assert counts(app) == {"gpt-2": encode("gpt-2", "ab ab").count, "own:tokenizer.json": 3}
    for name in PAGES[1:]:
        app.switch_page(f"pages/{name}.py").run()
        assert not app.exception, name
    [remove] = [button for button in app.button if button.label.startswith("Remove")]
    remove.click().run()
    assert not app.exception
