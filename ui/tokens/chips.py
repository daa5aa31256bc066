"""Tokens as chips: one a token, those that share a character in a group with the character over them.

Pointed at, tapped or reached by keyboard, a chip says its id, bytes and characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from calc.tokens.alignment import WORD_SEPARATOR, TokenPiece
from calc.tokens.encoding import Encoding, groups
from ui.frame.language import text
from ui.html import Child, Markup, component, joined, tag
from ui.tokens.visible import hexadecimal, names_of, visible

MOST_CHIPS = 2_000
"""Drawn of one tokenizer; all tokens are counted."""
MOST_CHIPS_IN_ALL = 4_000
_SPARE = 32
"""Tokens read beyond the last drawn, so that no group is torn."""
_ADDED, _LINE_END = tag("i", WORD_SEPARATOR), tag("br")


@dataclass
class Chips:
    """The chips of one tokenizer.

    html     one after the other, without anything around them
    names    of every character in them: number in hexadecimal → Unicode's name
    drawn    how many tokens
    """

    html: Markup
    names: dict[str, str] = field(repr=False)
    drawn: int


def chips(encoding: Encoding, most: int = MOST_CHIPS, ids: bool = False) -> Chips:
    """The first `most` tokens of a text as chips.

    ids   whether each shows its id beneath

    >>> from calc.tokens.encoding import encode
    >>> print(chips(encode("llama-3", "12345")).html)
    <b data-i="4513" data-h="313233" data-s="0" data-e="3">123</b><b data-i="1774" data-h="3435" data-s="3" data-e="5">45</b>
    >>> made = chips(encode("llama-2", "吃"))
    >>> made.names, made.drawn
    ({'5403': 'CJK UNIFIED IDEOGRAPH-5403'}, 4)
    """
    pieces = encoding.pieces(most + _SPARE)
    is_cut = len(pieces) < encoding.count
    html: list[Markup] = []
    characters: dict[str, None] = {}
    drawn = 0
    for group in groups(pieces):
        if drawn + len(group) > most or is_cut and group[-1] is pieces[-1]:
            break
        drawn += len(group)
        if len(group) == 1 and group[0].whole:
            html.append(_whole(group[0], characters, ids))
        else:
            html.append(_split(group, characters, ids))
    return Chips(joined(html), names_of(characters), drawn)


def _whole(piece: TokenPiece, characters: dict[str, None], ids: bool) -> Markup:
    if piece.special is not None:
        return _chip(piece, ids, piece.special, special=True)
    text = piece.bytes.decode()
    characters.update(dict.fromkeys(text))
    added = _ADDED if piece.added or not piece.bytes else None
    chip = _chip(piece, ids, added, visible(text))
    return chip + _LINE_END if text.endswith("\n") else chip


def _split(group: Sequence[TokenPiece], characters: dict[str, None], ids: bool) -> Markup:
    """Tokens that share characters: the characters above, below each token with the bytes it has of them."""
    content = b"".join(piece.bytes for piece in group)
    try:
        text = content.decode()
    except UnicodeDecodeError:  # only of a text that a normal form has taken apart differently
        return joined(_chip(piece, ids, hexadecimal(piece.bytes)) for piece in group)
    characters.update(dict.fromkeys(text))
    shares = zip(group, _shares(group, text), strict=True)
    inside = tag("span", *(_chip(piece, ids, label, covers=covers) for piece, (label, covers) in shares))
    together = tag("span", tag("em", visible(text)), inside, class_="group")
    return together + _LINE_END if text.endswith("\n") else together


def _shares(group: Sequence[TokenPiece], text: str) -> Iterator[tuple[Markup, str]]:
    """For each token its label, and what it covers: `5403:1-2/3` for the first two of a character's three bytes."""
    bounds, at = [], 0
    for character in text:
        length = len(character.encode())
        bounds.append((at, at + length, character))
        at += length
    begin = 0
    for piece in group:
        end = begin + len(piece.bytes)
        label, covers = Markup(), []
        for first, last, character in bounds:
            own_first, own_last = max(first, begin), min(last, end)
            if own_first >= own_last:
                continue
            is_whole = (own_first, own_last) == (first, last)
            label += visible(character) if is_whole else hexadecimal(piece.bytes[own_first - begin : own_last - begin])
            share = "" if is_whole else f":{own_first - first + 1}-{own_last - first}/{last - first}"
            covers.append(f"{ord(character):X}{share}")
        begin = end
        yield label, " ".join(covers)


def _chip(piece: TokenPiece, ids: bool, *label: Child, special: bool = False, covers: str | None = None) -> Markup:
    """One chip. A page has thousands of them, so it is written out, which is many times faster than `tag`: what is filled in is
    numbers, hexadecimal digits and markup."""
    number = f"<small>{piece.id}</small>" if ids else ""
    more = ' class="special"' if special else "" if covers is None else f' data-p="{covers}"'
    at = f'data-s="{piece.start}" data-e="{piece.end}"'
    return Markup(f'<b data-i="{piece.id}" data-h="{piece.bytes.hex()}" {at}{more}>{joined(label)}{number}</b>')


_FRAME = '<div class="tokens"><div class="shown"></div><div class="tip" role="status" hidden></div></div>'
_component = component("token_chips", __file__, _FRAME, stem="chips")
_WORDS = ("id", "bytes", "no_bytes", "special", "part")


def show_chips(html: Markup, names: Mapping[str, str], key: str = "token_chips") -> None:
    """Show HTML in which elements of the class `chips` hold chips of `ui.tokens.chips`.

    names   of the characters: number in hexadecimal → Unicode's name
    """
    words = {word: text(f"tokens.tip_{word}") for word in _WORDS}
    _component(key=key, data={"html": html, "names": dict(names), "words": words})
