"""The merges of one word, drawn: its symbols with the rank of every pair of neighbours between them."""

from __future__ import annotations

from html import escape

from calc.tokens.encoding import LettersInToken
from calc.tokens.merges import BYTES, RANK_OF_SPACES, START, WHOLE, MergeState, Replay
from calc.tokens.vocabularies import BYTE_LEVEL
from ui.numbers import grouped
from ui.texts import text_in
from ui.tokens.visible import hexadecimal, visible


def symbol(part: bytes, kind: str) -> str:
    """A symbol as HTML: its characters, ▁ for a space in SentencePiece, or its bytes where they are no characters.

    >>> symbol(b" st", "sentencepiece"), symbol(b"\\xe5", "byte-level")
    ('<i>▁</i>st', '<i class="byte">E5</i>')
    """
    try:
        text = part.decode()
    except UnicodeDecodeError:
        return hexadecimal(part)
    if kind == BYTE_LEVEL:
        return visible(text)
    return "<i>▁</i>".join(visible(piece) if piece else "" for piece in text.split(" "))


def merge_line(language: str, state: MergeState, kind: str, ids: tuple[int, ...] = ()) -> str:
    """One state as HTML.

    ids   of its symbols, where it is the last
    """
    pieces = []
    for at, part in enumerate(state.parts):
        joins = state.chosen is not None and at in (state.chosen, state.chosen + 1)
        number = f"<small>{ids[at]}</small>" if len(ids) == len(state.parts) else ""
        pieces.append(f"<b{' class=joins' if joins else ''}>{symbol(part, kind)}{number}</b>")
        if at < len(state.ranks) and not ids:
            pieces.append(_rank(language, state.ranks[at], at == state.chosen))
    return "".join(pieces)


def replay_figure(language: str, replay: Replay, step: int, kind: str) -> str:
    """All states up to a step as HTML, the newest marked; the last of all with the ids the tokenizer gives."""
    last = len(replay.states) - 1
    lines = []
    for number, state in enumerate(replay.states[: step + 1]):
        ids = replay.ids if number == last else ()
        now = ' aria-current="step"' if number == step else ""
        lines.append(
            f'<li{now}><span class="what">{_what(language, replay, number, kind)}</span>'
            f'<span class="symbols">{merge_line(language, state, kind, ids)}</span></li>'
        )
    return f'<section class="merges"><ol start="0">{"".join(lines)}</ol></section>'


def letters_figure(language: str, letter: str, title: str, letters: tuple[LettersInToken, ...]) -> str:
    """The letter counted in each token of a word, and in all, as HTML."""
    chips = "".join(
        f"<b>{''.join(_marked(character, letter) for character in found.piece.bytes.decode(errors='ignore')) or '▁'}"
        f"<small>{found.piece.id}</small><small class=times>{found.times} × {escape(letter)}</small></b>"
        for found in letters
    )
    total = sum(found.times for found in letters)
    sum_ = " + ".join(str(found.times) for found in letters)
    said = escape(text_in(language, "merges.letters_total", sum=sum_, total=total, letter=letter))
    return f'<section class="merges"><h3>{escape(title)}</h3><p class="symbols">{chips}</p><p class="note">{said}</p></section>'


def number_figure(language: str, title: str, tokens: list[tuple[str, int]], longest: int | None) -> str:
    """A number in one tokenizer as HTML: its tokens, and how many digits stay together before merging."""
    chips = "".join(f"<b>{piece}<small>{token}</small></b>" for piece, token in tokens)
    key = "merges.digits_any" if longest is None else "merges.digits_one" if longest == 1 else "merges.digits"
    said = escape(text_in(language, key, longest=longest))
    return f'<section class="merges"><h3>{escape(title)}</h3><p class="symbols">{chips}</p><p class="note">{said}</p></section>'


def side_by_side(figures: list[str]) -> str:
    """Figures next to one another, as many as there is room for."""
    return f'<div class="side-by-side">{"".join(figures)}</div>'


def _marked(character: str, letter: str) -> str:
    return f"<mark>{escape(character)}</mark>" if character == letter else visible(character)


def _rank(language: str, rank: int | None, is_chosen: bool) -> str:
    if rank is None:
        return f'<i class="rank none" title="{escape(text_in(language, "merges.no_entry"))}">–</i>'
    written = text_in(language, "merges.rank_of_spaces") if rank == RANK_OF_SPACES else grouped(rank)
    return f'<i class="rank{" chosen" if is_chosen else ""}">{written}</i>'


def _what(language: str, replay: Replay, number: int, kind: str) -> str:
    state = replay.states[number]
    if state.reached == START:
        return escape(text_in(language, "merges.start_bytes" if kind == BYTE_LEVEL else "merges.start_characters"))
    if state.reached == WHOLE:
        return escape(text_in(language, "merges.whole"))
    if state.reached == BYTES:
        return escape(text_in(language, "merges.bytes"))
    before = replay.states[number - 1]
    chosen = before.chosen or 0  # a state that another follows has a pair that merges
    left, right, rank = before.parts[chosen], before.parts[chosen + 1], before.ranks[chosen] or 0
    written = text_in(language, "merges.rank_of_spaces") if rank == RANK_OF_SPACES else grouped(rank)
    said = escape(text_in(language, "merges.rank", rank=written))
    return f"{number}. {symbol(left, kind)} + {symbol(right, kind)} <small>{said}</small>"
