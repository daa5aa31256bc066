"""A text in one or several tokenizers side by side: the count, how it relates to the text, the chips, the ids."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from calc.errors import ConfigError
from calc.tokens.encoding import Encoding
from calc.tokens.vocabularies import tokenizers
from ui.numbers import grouped
from ui.texts import text_in
from ui.tokens.chips import MOST_CHIPS, MOST_CHIPS_IN_ALL, Chips, chips
from ui.tokens.choice import Chosen

MOST_IDS = 2_000


@dataclass(frozen=True)
class Cut:
    """A text cut by a tokenizer, or why it could not be."""

    by: Chosen
    encoding: Encoding | None
    fault: str = ""


def cut(chosen: Sequence[Chosen], written: str, special: bool, said: Callable[[ConfigError], str]) -> list[Cut]:
    """A text cut by every tokenizer; `said` puts a fault in words."""
    cuts = []
    for each in chosen:
        try:
            cuts.append(Cut(each, each.encode(written, special)))
        except ConfigError as error:
            cuts.append(Cut(each, None, said(error)))
    return cuts


def panels(language: str, cuts: Sequence[Cut], ids: bool = False) -> tuple[str, dict[str, str]]:
    """The HTML for `show_chips`, and the names of the characters in it."""
    most = min(MOST_CHIPS, MOST_CHIPS_IN_ALL // max(len(cuts), 1))
    longest = max((each.encoding.count for each in cuts if each.encoding), default=0)
    names: dict[str, str] = {}
    sections = []
    for each in cuts:
        entries = _said(language, "entries", count=grouped(each.by.size))
        head = f"<h3>{escape(each.by.title)}<small>{escape(each.by.kind)} · {entries}</small></h3>"
        if each.encoding is None:
            body = f'<p class="fault">{escape(each.fault)}</p>'
        else:
            made = chips(each.encoding, most, ids)
            names |= made.names
            body = _body(language, each, each.encoding, made, longest) + (_ids(language, each.encoding) if ids else "")
        sections.append(f'<section data-tokenizer="{escape(each.by.name)}">{head}{body}</section>')
    return f'<div class="beside">{"".join(sections)}</div>', names


def _body(language: str, cut: Cut, encoding: Encoding, made: Chips, longest: int) -> str:
    body = _counts(language, encoding, longest)
    if made.drawn:
        label = escape(text_in(language, "tokens.chips_label", title=cut.by.title))
        body += f'<div class="chips" dir="auto" aria-label="{label}">{made.html}</div>'
    if made.drawn < encoding.count:
        said = _said(language, "drawn", drawn=grouped(made.drawn), count=grouped(encoding.count))
        body += f'<p class="note">{said}</p>'
    return body + _notes(language, cut, encoding)


def text_counts(language: str, written: str) -> str:
    """The characters and bytes of a text, large."""
    figures = (("characters", len(written)), ("bytes", len(written.encode())))
    return (
        '<section class="headline token-text">'
        + "".join(
            f'<span class="figure"><span class="part" data-{name}="{count}">{grouped(count)}</span>'
            f"<small>{_said(language, name)}</small></span>"
            for name, count in figures
        )
        + "</section>"
    )


def _counts(language: str, encoding: Encoding, longest: int) -> str:
    count, bytes_ = encoding.count, len(encoding.text.encode())
    ratios = ""
    if count:
        per_token = _said(language, "per_token", characters=f"{len(encoding.text) / count:.2f}", bytes=f"{bytes_ / count:.2f}")
        ratios = f"<span>{per_token}</span>"
    width = f"{100 * count / longest:.1f}" if longest else "0"
    return (
        f'<p class="counts"><strong data-count="{count}">{grouped(count)}</strong>'
        f'<span class="unit">{_said(language, "unit_one" if count == 1 else "unit")}</span>{ratios}</p>'
        f'<div class="track"><i style="width:{width}%"></i></div>'
    )


def _notes(language: str, cut: Cut, encoding: Encoding) -> str:
    """What happened to the text before it was cut."""
    form = None if cut.by.own else tokenizers()[cut.by.name].normal_form
    if form is None or unicodedata.is_normalized(form, encoding.text):
        return ""
    return f'<p class="note">{_said(language, "normal_form", form=form)}</p>'


def _ids(language: str, encoding: Encoding) -> str:
    more = " …" if encoding.count > MOST_IDS else ""
    written = ", ".join(map(str, encoding.ids[:MOST_IDS]))
    return f"<details><summary>{_said(language, 'ids_list')}</summary><code>[{written}{more}]</code></details>"


def _said(language: str, key: str, **values: str) -> str:
    return escape(text_in(language, f"tokens.{key}", **values))
