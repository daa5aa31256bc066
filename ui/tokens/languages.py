"""The same meaning in many languages: tokens relative to English, and the texts behind each figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from calc.tokens.parallel_texts import ENGLISH, LANGUAGES, ParallelText, tokens_by_language
from ui.html import Markup, table, tag
from ui.numbers import grouped
from ui.texts import text_in
from ui.tokens.choice import Chosen

if TYPE_CHECKING:
    import altair

TINTS = ("#7E8CA5", "#A8916B", "#8B83A3", "#6F9A98", "#A08488", "#8E9668")
"""Of the bars of one language: none is a part's colour, and each bar is named besides."""
LINE_HEIGHT = 21
"""px of a bar or a heading in the chart."""
GAP = 0.4
"""Between two languages, in lines."""


def counts_by_tokenizer(texts: Sequence[ParallelText], chosen: Sequence[Chosen]) -> dict[str, dict[str, int]]:
    """Tokens by tokenizer's name and by language. Raises ConfigError: all that `Chosen.encode` raises."""
    return {
        each.name: tokens_by_language(texts, (lambda text, own=each.own: len(own.ids(text))) if each.own else each.name)
        for each in chosen
    }


def ratio_rows(language: str, counts: Mapping[str, Mapping[str, int]], chosen: Sequence[Chosen]) -> list[dict[str, object]]:
    """For each language but English a heading, and beneath it a bar for each tokenizer; `top` and `bottom` say where."""
    rows: list[dict[str, object]] = []
    line = 0.0
    for spoken in LANGUAGES[1:]:
        rows.append({"heading": name_of(language, spoken), "top": line, "bottom": line + 1})
        for order, each in enumerate(chosen):
            line += 1
            tokens, english = counts[each.name][spoken], counts[each.name][ENGLISH]
            rows.append(
                {
                    "language": name_of(language, spoken),
                    "colour": TINTS[order % len(TINTS)],
                    "ratio": tokens / english,
                    "label": f"{tokens / english:.2f} × {each.title}",
                    "written": text_in(language, "languages.against", tokens=grouped(tokens), english=grouped(english)),
                    "top": line + 0.04,
                    "bottom": line + 0.96,
                }
            )
        line += 1 + GAP
    return rows


def ratio_chart(language: str) -> altair.TopLevelMixin:
    """Tokens relative to English: one bar a language and tokenizer, each labelled; a line where English is."""
    import altair

    down = {"axis": None, "scale": altair.Scale(reverse=True, zero=False, nice=False)}
    base = altair.Chart().encode(y=altair.Y("top:Q", **down))
    middle = altair.Chart().transform_calculate(middle="(datum.top + datum.bottom) / 2").encode(y=altair.Y("middle:Q", **down))
    axis = altair.Axis(
        title=text_in(language, "languages.axis"), labelExpr="datum.value + ' ×'", labelAngle=0, tickCount=5, grid=True
    )
    bars = (
        base.mark_rect(opacity=0.5)
        .encode(
            x=altair.X("ratio:Q", axis=axis, scale=altair.Scale(domainMin=0, nice=False)),
            x2=altair.datum(0),
            y2="bottom:Q",
            color=altair.Color("colour:N", scale=None),
            tooltip=[altair.Tooltip(f"{column}:N", title=" ") for column in ("language", "label", "written")],
        )
        .transform_filter("isValid(datum.ratio)")
    )
    text = middle.mark_text(align="left", baseline="middle", dx=6, fontSize=13).encode(x=altair.datum(0), text="label:N")
    headings = middle.mark_text(align="left", baseline="middle", fontSize=15, fontWeight=600).encode(
        x=altair.datum(0), text="heading:N"
    )
    english = altair.Chart().mark_rule(aria=False, strokeWidth=1.5, strokeDash=[5, 3], color="#8A8F98").encode(x=altair.datum(1))
    layers = (bars, text.transform_filter("isValid(datum.ratio)"), headings.transform_filter("isValid(datum.heading)"), english)
    return altair.layer(*layers, data=altair.Data(name="rows"))


def chart_height(chosen: Sequence[Chosen]) -> int:
    """px for all bars and headings."""
    return round(60 + LINE_HEIGHT * (len(LANGUAGES) - 1) * (len(chosen) + 1 + GAP))


def sentences(language: str, texts: Sequence[ParallelText], chosen: Sequence[Chosen]) -> Markup:
    """The texts, each opened by a click: in every language, with its tokens in every tokenizer.

    Raises ConfigError: all that `Chosen.encode` raises.
    """
    titles = [text_in(language, "languages.language"), text_in(language, "languages.text"), *(each.title for each in chosen)]
    folds = []
    for one in texts:
        counts = counts_by_tokenizer([one], chosen)
        rows = (
            [
                name_of(language, spoken),
                tag("div", one.texts[spoken].rstrip(), class_="sentence", lang=spoken, dir="auto"),
                *(grouped(counts[each.name][spoken]) for each in chosen),
            ]
            for spoken in LANGUAGES
        )
        first = one.texts["zh-Hans" if language == "zh" else ENGLISH].split("\n")[1 if one.name == "python" else 0].strip()
        summary = tag("summary", text_in(language, f"languages.topic.{one.topic}"), tag("span", first))
        folds.append(tag("details", summary, table(titles, rows, numbers=range(2, len(titles)))))
    return tag("section", *folds, class_="lists parallel")


def pair_table(language: str, pair: tuple[str, str], chosen: Sequence[Chosen]) -> Markup:
    """A reader's own two texts in every tokenizer: tokens of each, and the second relative to the first.

    Raises ConfigError: all that `Chosen.encode` raises.
    """
    rows = []
    for each in chosen:
        first, second = (each.encode(text).count for text in pair)
        ratio = f"{second / first:.2f} ×" if first else "—"
        rows.append([each.title, grouped(first), grouped(second), ratio])
    names = ("tokens.tokenizer", "languages.first", "languages.second", "languages.ratio")
    return table([text_in(language, name) for name in names], rows, numbers=(1, 2, 3))


def name_of(language: str, spoken: str) -> str:
    """What a language is called, by its tag."""
    return text_in(language, f"languages.name.{spoken}")
