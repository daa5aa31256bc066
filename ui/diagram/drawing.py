"""SVG written by hand: rectangles, lines and labels that look the same on the page and in a downloaded file.

Every shape carries the colours of the light theme as plain attributes, so that a downloaded file is complete in any
viewer; on the page, the component's style sheet recolours the classes `ink`, `soft`, `panel`, `line` and `paper`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from ui.frame.theme import NEUTRAL_COLOURS, PART_COLOURS

LIGHT = NEUTRAL_COLOURS["light"]
FONTS = (
    "Inter, 'Source Sans 3', 'Source Sans Pro', 'Noto Sans CJK SC', 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
)


def number(value: float) -> str:
    """A coordinate with at most two decimals.

    >>> number(12.0), number(3.14159)
    ('12', '3.14')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """About how wide a label is, in px: a full em for Chinese, 0.56 em for Latin letters and digits.

    >>> text_width("词嵌入", 12) > text_width("abc", 12)
    True
    """
    return sum(size if ord(character) > 0x2E80 else 0.56 * size for character in text)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """A text broken into lines no wider than `width`: between words, or before a Chinese character.

    >>> wrapped("one two three", 60, 11)
    ['one two', 'three']
    """
    lines = [""]
    for piece in re.findall(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+", text):
        if lines[-1] and text_width((lines[-1] + piece).rstrip(), size) > width and piece not in "，。；：、）":
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    return lines


def label(
    x: float, y: float, text: str, *, size: float = 12, tone: str = "ink", anchor: str = "start", bold: bool = False
) -> str:
    """A line of text whose baseline is at y; `tone` is `ink` or `soft`."""
    colour = LIGHT["ink" if tone == "ink" else "ink-soft"]
    weight = ' font-weight="600"' if bold else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text class="{tone}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{colour}"{place}{weight}>'
        f"{escape(text)}</text>"
    )


def rectangle(x: float, y: float, width: float, height: float, part: str, *, fill_opacity: float = 0.2) -> str:
    """A matrix: outlined in the colour of its part, filled with the same colour, paler."""
    colour = PART_COLOURS[part]
    return (
        f'<rect class="matrix" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="1.5" '
        f'fill="{colour}" fill-opacity="{fill_opacity}" stroke="{colour}" stroke-width="1.25"/>'
    )


def strip(x: float, y: float, width: float, height: float, part: str, opacity: float) -> str:
    """A tinted run of a matrix's rows or columns, without an outline."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'fill="{PART_COLOURS[part]}" fill-opacity="{opacity}"/>'
    )


def path(commands: str, colour: str, *, width: float = 1, opacity: float = 1, css: str = "") -> str:
    """A line along path commands."""
    faded = "" if opacity == 1 else f' stroke-opacity="{opacity}"'
    named = f' class="{css}"' if css else ""
    return f'<path{named} d="{commands}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{faded}/>'


def panel(x: float, y: float, width: float, height: float, copies: int) -> str:
    """The sheet one layer lies on; with several copies, the edges of two more behind it."""
    sheets = [6, 3, 0] if copies > 2 else [3, 0] if copies == 2 else [0]
    return "".join(
        f'<rect class="panel" x="{number(x + shift)}" y="{number(y + shift)}" width="{number(width)}" '
        f'height="{number(height)}" rx="8" fill="{LIGHT["panel"]}" stroke="{LIGHT["line"]}"/>'
        for shift in sheets
    )


def break_mark(x: float, y: float, width: float, height: float, *, vertical: bool) -> str:
    """A zigzag gap across a rectangle: here a stretch has been left out."""
    steps, gap, depth = 4, 5, 5
    if vertical:
        middle = y + height * 0.68
        points = [(x - 3 + (width + 6) * step / steps, middle + (depth if step % 2 else -depth)) for step in range(steps + 1)]
        shift_x, shift_y = 0, gap
    else:
        middle = x + width * 0.78
        points = [(middle + (depth if step % 2 else -depth), y - 3 + (height + 6) * step / steps) for step in range(steps + 1)]
        shift_x, shift_y = gap, 0
    first = " L".join(f"{number(px)} {number(py)}" for px, py in points)
    second = " L".join(f"{number(px + shift_x)} {number(py + shift_y)}" for px, py in reversed(points))
    edge = " L".join(f"{number(px + shift_x)} {number(py + shift_y)}" for px, py in points)
    return (
        f'<path class="paper" d="M{first} L{second} Z" fill="{LIGHT["paper"]}"/>'
        + path(f"M{first}", LIGHT["ink-soft"], css="edge")
        + path(f"M{edge}", LIGHT["ink-soft"], css="edge")
    )


def choosable(tensor_name: str, description: str, content: str) -> str:
    """A group a person can point at: reachable by keyboard, named for a screen reader, with a tooltip."""
    return (
        f'<g class="tensor" role="button" tabindex="-1" aria-pressed="false" data-tensor="{escape(tensor_name)}" '
        f'aria-label="{escape(description)}">{content}</g>'
    )
