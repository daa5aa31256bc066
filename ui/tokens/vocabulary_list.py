"""A vocabulary on the page: found entries a sheet at a time, and how many each script has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from calc.tokens.scripts import COMMON, SEVERAL
from calc.tokens.vocabulary import VocabularyEntry, ScriptCount, Vocabulary, script_counts, search, vocabulary
from ui.numbers import grouped, percent
from ui.texts import TEXTS, text_in
from ui.tokens.visible import visible

SHEET = 100
"""Entries shown at once."""
MOST_BYTES = 48
"""Of an entry written in hexadecimal."""
MOST_SCRIPTS = 24


@dataclass(frozen=True)
class EntryQuery:
    """What a reader looks for: see `calc.tokens.vocabulary.search`."""

    text: str = ""
    script: str | None = None
    kind: str | None = None
    shortest: int | None = None
    longest: int | None = None
    longest_first: bool = False


def found_ids(entries: Vocabulary, asked: EntryQuery) -> tuple[int, ...]:
    """Ids of the entries asked for."""
    found = search(entries, asked.text, asked.script, asked.kind, asked.shortest or 0, asked.longest)
    if asked.longest_first:
        found.sort(key=lambda token: -len(entries.texts[token] or entries.bytes[token]))
    return tuple(found)


@cache
def scripts_of(name: str) -> tuple[ScriptCount, ...]:
    """Entries by script of a tokenizer of the catalogue."""
    return script_counts(vocabulary(name))


def script_name(language: str, script: str) -> str:
    """What a script is called; a rare one by Unicode's name.

    >>> script_name("zh", "Han"), script_name("zh", "Tai_Le")
    ('汉字', 'Tai Le')
    """
    key = f"vocabulary.script.{script}"
    return text_in(language, key) if key in TEXTS else script.replace("_", " ")


def entry_table(language: str, entries: Sequence[VocabularyEntry]) -> str:
    """Entries as HTML."""
    names = ("id", "entry", "bytes", "characters", "script")
    head = "".join(
        f'<th scope="col"{" class=number" if name in ("id", "characters") else ""}>'
        f"{escape(text_in(language, f'vocabulary.column_{name}'))}</th>"
        for name in names
    )
    rows = []
    for entry in entries:
        written = (
            visible(entry.text) if entry.text is not None else "".join(f'<i class="byte">{byte:02X}</i>' for byte in entry.bytes)
        )
        hexadecimal = entry.bytes[:MOST_BYTES].hex(" ").upper() + (" …" if len(entry.bytes) > MOST_BYTES else "")
        what = script_name(language, entry.script) if entry.script else text_in(language, f"vocabulary.kind.{entry.kind}")
        length = "" if entry.characters is None else grouped(entry.characters)
        rows.append(
            f'<tr><td class="number">{entry.id}</td><td class="entry">{written}</td><td class="hex">{hexadecimal}</td>'
            f'<td class="number">{length}</td><td>{escape(what)}</td></tr>'
        )
    return (
        f'<div class="plain-table entries" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def script_bars(language: str, counts: Sequence[ScriptCount], size: int) -> str:
    """Entries by script as bars: dark those of nothing but the script, light those with signs beside it, as HTML."""
    shown = counts[:MOST_SCRIPTS] if len(counts) <= MOST_SCRIPTS else [*counts[: MOST_SCRIPTS - 2], *counts[-2:]]
    most = max((count.in_all for count in shown), default=1)
    lines = "".join(
        f'<li data-script="{count.script}"><span>{escape(script_name(language, count.script))}</span>'
        f'<span class="track"><i style="width:{100 * count.in_all / most:.2f}%">'
        f'<b style="width:{100 * count.only / count.in_all:.1f}%"></b></i></span>'
        f'<span class="count">{grouped(count.only)} '
        f"<small>/ {grouped(count.in_all)} · {percent(count.in_all / size, 1)}</small></span></li>"
        for count in shown
    )
    note = escape(text_in(language, "vocabulary.scripts_note"))
    title = escape(text_in(language, "vocabulary.scripts"))
    return f'<section class="scripts"><h2>{title}</h2><ol>{lines}</ol><p class="note">{note}</p></section>'


def letters_last(counts: Sequence[ScriptCount]) -> list[str]:
    """The scripts in the order of the list to choose from: by entries, signs and mixtures last."""
    return [count.script for count in counts if count.script not in (COMMON, SEVERAL)] + [COMMON, SEVERAL]
