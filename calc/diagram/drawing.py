"""SVG: rectangles, lines and labels that look the same on the page and in a downloaded file.

Every shape carries the colours of the light theme as plain attributes, so that a downloaded file is complete in any
viewer; on the page, the component's style sheet recolours the classes `ink`, `soft`, `panel`, `line` and `paper`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from calc.diagram.colours import NEUTRAL_COLOURS, PART_COLOURS
from calc.markup import Markup, joined, tag
from calc.tensors import Part

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
    x: float, y: float, text: str, *, size: float = 12, tone: str = "ink", anchor: str | None = None, bold: bool = False
) -> Markup:
    """A line of text whose baseline is at y; `tone` is `ink` or `soft`."""
    colour, weight = LIGHT["ink" if tone == "ink" else "ink-soft"], 600 if bold else None
    place = {"x": number(x), "y": number(y), "font_size": number(size)}
    return tag("text", text, class_=tone, **place, fill=colour, text_anchor=anchor, font_weight=weight)


def rectangle(x: float, y: float, width: float, height: float, fill: str = "none", **attributes: str | float) -> Markup:
    """A rectangle whose top left corner is at (x, y)."""
    box = {"x": number(x), "y": number(y), "width": number(width), "height": number(height)}
    return tag("rect", **box, fill=fill, **attributes)


def matrix(x: float, y: float, width: float, height: float, part: Part, *, fill_opacity: float = 0.2) -> Markup:
    """A matrix: outlined in the colour of its part, filled with the same colour, paler."""
    colour = PART_COLOURS[part]
    outline = {"rx": 1.5, "stroke": colour, "stroke_width": 1.25}
    return rectangle(x, y, width, height, colour, class_="matrix", fill_opacity=fill_opacity, **outline)


def target(x: float, y: float, width: float, height: float) -> Markup:
    """The room around a tensor that answers to a click."""
    return rectangle(x, y, width, height, class_="target", rx=5)


def path(commands: str, colour: str, *, width: float = 1, css: str | None = None) -> Markup:
    """A line along path commands."""
    return tag("path", class_=css, d=commands, fill="none", stroke=colour, stroke_width=number(width))


def panel(x: float, y: float, width: float, height: float, copies: int) -> Markup:
    """The sheet one layer lies on; with several copies, the edges of two more behind it."""
    sheets = [6, 3, 0] if copies > 2 else [3, 0] if copies == 2 else [0]
    return joined(
        rectangle(x + shift, y + shift, width, height, LIGHT["panel"], class_="panel", rx=8, stroke=LIGHT["line"])
        for shift in sheets
    )


def break_mark(x: float, y: float, width: float, height: float, *, vertical: bool) -> Markup:
    """A zigzag gap across a rectangle: here a stretch has been left out."""
    steps, gap, depth = 4, 5, 5
    start, length, middle = (x, width, y + height * 0.68) if vertical else (y, height, x + width * 0.78)

    def zigzag(shift: int) -> list[str]:
        along = [number(start - 3 + (length + 6) * step / steps) for step in range(steps + 1)]
        across = [number(middle + shift - depth), number(middle + shift + depth)]
        points = [(at, across[step % 2]) for step, at in enumerate(along)]
        return [f"{at} {off}" if vertical else f"{off} {at}" for at, off in points]

    first, second = zigzag(0), zigzag(gap)
    gap_between = f"M{' L'.join([*first, *reversed(second)])} Z"
    edges = (path(f"M{' L'.join(edge)}", LIGHT["ink-soft"], css="edge") for edge in (first, second))
    return joined([tag("path", class_="paper", d=gap_between, fill=LIGHT["paper"]), *edges])


def choosable(tensor_name: str, description: str, *content: Markup) -> Markup:
    """A group a person can point at: reachable by keyboard, named for a screen reader, with a tooltip."""
    state = {"class_": "tensor", "role": "button", "tabindex": -1, "aria_pressed": "false"}
    return tag("g", *content, **state, data_tensor=tensor_name, aria_label=description)
