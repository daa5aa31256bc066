"""A text in one or several tokenizers side by side: the count, how it relates to the text, the chips, the ids."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calc.errors import ConfigError
from calc.tokens.encoding import Encoding
from calc.tokens.vocabularies import tokenizers
from ui.html import Markup, joined, tag
from ui.numbers import grouped
from ui.texts import text_in
from ui.tokens.chips import MOST_CHIPS, MOST_CHIPS_IN_ALL, Chips, chips
from ui.tokens.choice import Chosen
from ui.tokens.file_figure import text_figures

MOST_IDS = 2_000


@dataclass(frozen=True)
class Cut:
    """A text cut by a tokenizer, or why it could not be."""

    by: Chosen
    encoding: Encoding | None
    fault: str = ""


def cut(chosen: Sequence[Chosen], written: str, special: bool, words: Callable[[ConfigError], str]) -> list[Cut]:
    """A text cut by every tokenizer; `words` puts a fault in words."""
    cuts = []
    for each in chosen:
        try:
            cuts.append(Cut(each, each.encode(written, special)))
        except ConfigError as error:
            cuts.append(Cut(each, None, words(error)))
    return cuts


def panels(language: str, cuts: Sequence[Cut], ids: bool = False) -> tuple[Markup, dict[str, str]]:
    """The HTML for `show_chips`, and the names of the characters in it."""
    most = min(MOST_CHIPS, MOST_CHIPS_IN_ALL // max(len(cuts), 1))
    longest = max((each.encoding.count for each in cuts if each.encoding), default=0)
    names: dict[str, str] = {}
    sections = []
    for each in cuts:
        entries = text_in(language, "tokens.entries", count=grouped(each.by.size))
        head = tag("h3", each.by.title, tag("small", f"{each.by.kind} · {entries}"))
        if each.encoding is None:
            body = [tag("p", each.fault, class_="fault")]
        else:
            drawn = chips(each.encoding, most, ids)
            names |= drawn.names
            body = [_body(language, each.by, each.encoding, drawn, longest), _ids(language, each.encoding) if ids else None]
        sections.append(tag("section", head, *body, data_tokenizer=each.by.name))
    return tag("div", *sections, class_="beside"), names


def text_counts(language: str, written: str) -> Markup:
    """The characters and bytes of a text, large."""
    counts = {"characters": len(written), "bytes": len(written.encode())}
    return text_figures({name: (count, text_in(language, f"tokens.{name}")) for name, count in counts.items()})


def _body(language: str, by: Chosen, encoding: Encoding, drawn: Chips, longest: int) -> Markup:
    body: list[Markup] = [_counts(language, encoding, longest)]
    if drawn.drawn:
        label = text_in(language, "tokens.chips_label", title=by.title)
        body.append(tag("div", drawn.html, class_="chips", dir="auto", aria_label=label))
    if drawn.drawn < encoding.count:
        note = text_in(language, "tokens.drawn", drawn=grouped(drawn.drawn), count=grouped(encoding.count))
        body.append(tag("p", note, class_="note"))
    form = None if by.own else tokenizers()[by.name].normal_form
    if form and not unicodedata.is_normalized(form, encoding.text):
        body.append(tag("p", text_in(language, "tokens.normal_form", form=form), class_="note"))
    return joined(body)


def _counts(language: str, encoding: Encoding, longest: int) -> Markup:
    count, characters, content = encoding.count, len(encoding.text), len(encoding.text.encode())
    unit = tag("span", text_in(language, "tokens.unit_one" if count == 1 else "tokens.unit"), class_="unit")
    ratios = None
    if count:
        per_token = {"characters": f"{characters / count:.2f}", "bytes": f"{content / count:.2f}"}
        ratios = tag("span", text_in(language, "tokens.per_token", **per_token))
    bar = tag("i", style=f"width:{f'{100 * count / longest:.1f}' if longest else 0}%")
    counts = tag("p", tag("strong", grouped(count), data_count=count), unit, ratios, class_="counts")
    return joined([counts, tag("div", bar, class_="track")])


def _ids(language: str, encoding: Encoding) -> Markup:
    more = " …" if encoding.count > MOST_IDS else ""
    ids = tag("code", f"[{', '.join(map(str, encoding.ids[:MOST_IDS]))}{more}]")
    return tag("details", tag("summary", text_in(language, "tokens.ids_list")), ids)
