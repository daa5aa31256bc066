"""The merges of one word, drawn: its symbols with the rank of every pair of neighbours between them."""

from __future__ import annotations

from collections.abc import Iterable

from calc.tokens.encoding import LettersInToken
from calc.tokens.merges import BYTES, RANK_OF_SPACES, START, WHOLE, MergeState, Replay
from calc.tokens.vocabularies import BYTE_LEVEL
from ui.html import Child, Markup, joined, tag
from ui.numbers import grouped
from ui.texts import text_in
from ui.tokens.visible import hexadecimal, visible


def symbol(part: bytes, kind: str) -> Markup:
    """A symbol: its characters, ▁ for a space in SentencePiece, or its bytes where they are no characters.

    >>> print(symbol(b" st", "sentencepiece"), symbol(b"\\xe5", "byte-level"))
    <i>▁</i>st <i class="byte">E5</i>
    """
    try:
        text = part.decode()
    except UnicodeDecodeError:
        return hexadecimal(part)
    if kind == BYTE_LEVEL:
        return visible(text)
    return tag("i", "▁").join(map(visible, text.split(" ")))


def merge_line(language: str, state: MergeState, kind: str, ids: tuple[int, ...] = ()) -> Markup:
    """One state; `ids` are those of its symbols, where it is the last."""
    pieces = []
    for at, part in enumerate(state.parts):
        joins = state.chosen is not None and at in (state.chosen, state.chosen + 1)
        number = tag("small", str(ids[at])) if len(ids) == len(state.parts) else None
        pieces.append(tag("b", symbol(part, kind), number, class_="joins" if joins else None))
        if at < len(state.ranks) and not ids:
            pieces.append(_rank(language, state.ranks[at], at == state.chosen))
    return joined(pieces)


def replay_figure(language: str, replay: Replay, step: int, kind: str) -> Markup:
    """All states up to a step, the newest marked; the last of all with the ids the tokenizer gives."""
    last = len(replay.states) - 1
    lines = []
    for number, state in enumerate(replay.states[: step + 1]):
        what = tag("span", _what(language, replay, number, kind), class_="what")
        symbols = tag("span", merge_line(language, state, kind, replay.ids if number == last else ()), class_="symbols")
        lines.append(tag("li", what, symbols, aria_current="step" if number == step else None))
    return tag("section", tag("ol", *lines, start=0), class_="merges")


def letters_figure(language: str, letter: str, title: str, letters: tuple[LettersInToken, ...]) -> Markup:
    """The letter counted in each token of a word, and in all."""

    def chip(token: LettersInToken) -> Markup:
        spelled = [_marked(character, letter) for character in token.piece.bytes.decode(errors="ignore")] or ["▁"]
        times = tag("small", f"{token.times} × {letter}", class_="times")
        return tag("b", *spelled, tag("small", str(token.piece.id)), times)

    counts = [token.times for token in letters]
    sum_ = " + ".join(map(str, counts))
    note = text_in(language, "merges.letters_total", sum=sum_, total=sum(counts), letter=letter)
    return _figure(title, map(chip, letters), note)


def number_figure(language: str, title: str, tokens: list[tuple[Markup, int]], longest: int | None) -> Markup:
    """A number in one tokenizer: its tokens, and how many digits stay together before merging."""
    key = "merges.digits_any" if longest is None else "merges.digits_one" if longest == 1 else "merges.digits"
    chips = (tag("b", content, tag("small", str(token))) for content, token in tokens)
    return _figure(title, chips, text_in(language, key, longest=longest))


def side_by_side(figures: Iterable[Markup]) -> Markup:
    """Figures next to one another, as many as there is room for."""
    return tag("div", *figures, class_="side-by-side")


def _figure(title: str, chips: Iterable[Markup], note: str) -> Markup:
    return tag("section", tag("h3", title), tag("p", *chips, class_="symbols"), tag("p", note, class_="note"), class_="merges")


def _marked(character: str, letter: str) -> Markup:
    return tag("mark", character) if character == letter else visible(character)


def _rank(language: str, rank: int | None, is_chosen: bool) -> Markup:
    if rank is None:
        return tag("i", "–", class_="rank none", title=text_in(language, "merges.no_entry"))
    return tag("i", _rank_text(language, rank), class_="rank chosen" if is_chosen else "rank")


def _rank_text(language: str, rank: int) -> str:
    return text_in(language, "merges.rank_of_spaces") if rank == RANK_OF_SPACES else grouped(rank)


def _what(language: str, replay: Replay, number: int, kind: str) -> Child:
    """What has led to a state: a merge, or one of the steps that are none."""
    start = "merges.start_bytes" if kind == BYTE_LEVEL else "merges.start_characters"
    others = {START: start, WHOLE: "merges.whole", BYTES: "merges.bytes"}
    if replay.states[number].reached in others:
        return text_in(language, others[replay.states[number].reached])
    (left, right), rank = replay.states[number - 1].next_merge
    note = tag("small", text_in(language, "merges.rank", rank=_rank_text(language, rank)))
    return joined([f"{number}. ", symbol(left, kind), " + ", symbol(right, kind), " ", note])
