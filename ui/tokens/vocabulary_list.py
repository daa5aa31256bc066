"""A vocabulary on the page: found entries a sheet at a time, and how many each script has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from calc.tokens.scripts import COMMON, SEVERAL
from calc.tokens.vocabulary import ScriptCount, Vocabulary, VocabularyEntry, script_counts, search, vocabulary
from ui.html import Markup, section, tag
from ui.numbers import grouped, percent
from ui.texts import TEXTS, text_in
from ui.tokens.visible import hexadecimal, visible

SHEET = 100
"""Entries shown at once."""
MOST_BYTES = 48
"""Of an entry written in hexadecimal."""
MOST_SCRIPTS = 24


@dataclass(frozen=True)
class EntryQuery:
    """What a reader looks for, as `calc.tokens.vocabulary.search` takes it."""

    text: str = ""
    script: str | None = None
    kind: str | None = None
    shortest: int | None = None
    longest: int | None = None
    longest_first: bool = False


def found_ids(entries: Vocabulary, query: EntryQuery) -> tuple[int, ...]:
    """Ids of the entries looked for."""
    ids = search(entries, query.text, query.script, query.kind, query.shortest or 0, query.longest)
    if query.longest_first:
        ids.sort(key=lambda token: -len(entries.texts[token] or entries.bytes[token]))
    return tuple(ids)


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


def entry_table(language: str, entries: Sequence[VocabularyEntry]) -> Markup:
    """A row an entry."""
    columns = {"id": "number", "entry": None, "bytes": None, "characters": "number", "script": None}
    headings = (
        tag("th", text_in(language, f"vocabulary.column_{name}"), scope="col", class_=css) for name, css in columns.items()
    )
    rows = (
        tag(
            "tr",
            tag("td", str(entry.id), class_="number"),
            tag("td", hexadecimal(entry.bytes) if entry.text is None else visible(entry.text), class_="entry"),
            tag("td", entry.bytes[:MOST_BYTES].hex(" ").upper(), " …" if len(entry.bytes) > MOST_BYTES else "", class_="hex"),
            tag("td", "" if entry.characters is None else grouped(entry.characters), class_="number"),
            tag(
                "td", script_name(language, entry.script) if entry.script else text_in(language, f"vocabulary.kind.{entry.kind}")
            ),
        )
        for entry in entries
    )
    cells = tag("table", tag("thead", tag("tr", *headings)), tag("tbody", *rows))
    return tag("div", cells, class_="plain-table entries", tabindex=0)


def script_bars(language: str, counts: Sequence[ScriptCount], size: int) -> Markup:
    """Entries by script as bars: dark those of nothing but the script, light those with signs too."""
    drawn = counts[:MOST_SCRIPTS] if len(counts) <= MOST_SCRIPTS else [*counts[: MOST_SCRIPTS - 2], *counts[-2:]]
    most = max((count.in_all for count in drawn), default=1)

    def line(count: ScriptCount) -> Markup:
        only = tag("b", style=f"width:{100 * count.only / count.in_all:.1f}%")
        bar = tag("span", tag("i", only, style=f"width:{100 * count.in_all / most:.2f}%"), class_="track")
        share = tag("small", f"/ {grouped(count.in_all)} · {percent(count.in_all / size, 1)}")
        number = tag("span", f"{grouped(count.only)} ", share, class_="count")
        return tag("li", tag("span", script_name(language, count.script)), bar, number, data_script=count.script)

    note = tag("p", text_in(language, "vocabulary.scripts_note"), class_="note")
    return section(text_in(language, "vocabulary.scripts"), tag("ol", *map(line, drawn)), note, class_="scripts")


def letters_last(counts: Sequence[ScriptCount]) -> list[str]:
    """The scripts in the order of the list to choose from: by entries, signs and mixtures last."""
    return [count.script for count in counts if count.script not in (COMMON, SEVERAL)] + [COMMON, SEVERAL]
