"""A GPU's memory as a bar: what fills it, what is left, and where it ends if the model does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from calc.memory.fit import Fit
from ui.frame.theme import MEMORY_COLOURS, NEUTRAL_COLOURS
from ui.numbers import gigabytes
from ui.texts import text_in

LABELLED = 0.085
"""Share of the bar from which a piece carries its name."""
WITH_NUMBER = 0.17
EARLY = 0.5
"""Where the GPU's memory ends within so much of a piece, its name stands behind the mark."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a bar. `kind` is one of `MEMORY_COLOURS` or `free`; `maybe` marks the part of a range that may not be taken."""

    kind: str
    bytes: int
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class GpuBar:
    """A bar.

    title     at its left
    pieces    from left to right
    capacity  of the GPU; None where none is asked for
    verdict   `fits`, `tight`, `does_not_fit`, or empty
    said      at its right
    small     beneath that
    """

    title: str
    pieces: tuple[Piece, ...]
    capacity: int | None
    verdict: str
    said: str
    small: str = ""
    chosen: bool = False

    @property
    def needed(self) -> int:
        """Bytes of all that is drawn."""
        return max(sum(piece.bytes for piece in self.pieces), 1)

    @property
    def end(self) -> int:
        """Bytes at the bar's right end where it stands alone."""
        return max(self.needed, self.capacity or 0)


def pieces_of(placed: Fit) -> tuple[Piece, ...]:
    """What a model takes of a GPU, and what is left of it with the smallest overhead and with the largest."""
    smallest, largest = placed.overhead_bytes
    taken = [
        Piece("weights", placed.weight_bytes),
        Piece("cache", placed.cache_bytes + placed.state_bytes),
        Piece("activations", placed.activations.bytes),
        Piece("overhead", smallest),
        Piece("overhead", largest - smallest, maybe=True),
    ]
    left = placed.capacity.high_bytes - sum(piece.bytes for piece in taken)
    return (*taken, Piece("free", left)) if left > 0 else tuple(taken)


def verdict_said(language: str, placed: Fit) -> str:
    """In words: what is left with the largest overhead, what lacks even with the smallest, or both."""
    least, most = placed.left_bytes
    if placed.verdict == "fits":
        return text_in(language, "memory.fits", left=gigabytes(least))
    if placed.verdict == "tight":
        return text_in(language, "memory.tight", left=gigabytes(most), lacks=gigabytes(-least))
    return text_in(language, "memory.does_not_fit", lacks=gigabytes(-most))


def bars(language: str, rows: Sequence[GpuBar], *, large: bool = False, shared_scale: bool = False, named: bool = True) -> str:
    """The bars beneath each other, each as wide as its GPU's memory, or all on one scale; `named`: names stand in the pieces."""
    scale = max((row.needed for row in rows), default=1) if shared_scale else None
    marked = f"{' large' if large else ''}{'' if named else ' narrow'}"
    return f'<ol class="gpu-bars{marked}">{"".join(_bar(language, row, scale or row.end) for row in rows)}</ol>'


def _bar(language: str, row: GpuBar, scale: int) -> str:
    spoken, drawn, start = [], [], 0
    ends = row.capacity if row.capacity and row.capacity < scale else None
    for piece in row.pieces:
        share, name = piece.bytes / scale, text_in(language, f"memory.kind.{piece.kind}")
        inside = ""
        if share >= LABELLED and not piece.maybe:
            within = (ends - start) / piece.bytes if ends else 1
            clear = f' style="padding-left:calc({within * 100:.2f}% + 0.375rem)"' if 0 <= within < EARLY else ""
            inside = (
                f"<span{clear}>{escape(name)}{f'<small>{gigabytes(piece.bytes)}</small>' if share >= WITH_NUMBER else ''}</span>"
            )
        start += piece.bytes
        drawn.append(
            f'<i class="fill memory-{piece.kind}{" maybe" if piece.maybe else ""}" style="width:{share * 100:.4f}%">{inside}</i>'
        )
        spoken.append(f"{name} {gigabytes(piece.bytes)}")
    mark = ""
    if ends:
        side = ' class="early"' if ends / scale < EARLY else ""
        mark = f'<b{side} style="left:{ends / scale * 100:.4f}%"><span>{gigabytes(ends)}</span></b>'
    label = escape(f"{row.title}: {text_in(language, 'frame.comma').join(spoken)}. {row.said}")
    small = f"<small>{escape(row.small)}</small>" if row.small else ""
    chosen = " chosen" if row.chosen else ""
    return (
        f'<li class="{row.verdict}{chosen}"><span class="label">{escape(row.title)}</span>'
        f'<span class="memory" role="img" aria-label="{label}">{"".join(drawn)}{mark}</span>'
        f'<span class="said">{escape(row.said)}{small}</span></li>'
    )


WIDTH, ROW, LEFT, RIGHT = 1100, 40, 170, 290
"""px of the saved picture: all, a row, the names, the verdicts."""


def bars_svg(language: str, title: str, rows: Sequence[GpuBar], kinds: Sequence[str]) -> str:
    """The bars as a picture to save: light, whatever the page's mode."""
    ink, soft = NEUTRAL_COLOURS["light"]["ink"], NEUTRAL_COLOURS["light"]["ink-soft"]
    across, drawn, x = WIDTH - LEFT - RIGHT, [_svg_text(16, 26, title, ink, 18, "600")], 16.0
    for kind in kinds:
        name = text_in(language, f"memory.kind.{kind}")
        drawn.append(f'<rect x="{x}" y="40" width="12" height="12" rx="2" {_svg_paint(kind, False)}/>')
        drawn.append(_svg_text(x + 18, 51, name, soft, 13))
        x += 40 + 13 * sum(0.6 if letter.isascii() else 1 for letter in name)
    for number, row in enumerate(rows):
        y, x = 68 + number * ROW, float(LEFT)
        drawn.append(_svg_text(16, y + 18, row.title, ink, 14, "600" if row.chosen else "400"))
        for piece in row.pieces:
            wide = piece.bytes / row.end * across
            drawn.append(f'<rect x="{x:.2f}" y="{y}" width="{wide:.2f}" height="26" {_svg_paint(piece.kind, piece.maybe)}/>')
            x += wide
        if row.capacity and row.capacity < row.end:
            end = LEFT + row.capacity / row.end * across
            drawn.append(f'<line x1="{end:.2f}" x2="{end:.2f}" y1="{y - 4}" y2="{y + 30}" stroke="{ink}" stroke-width="2"/>')
        drawn.append(_svg_text(WIDTH - RIGHT + 12, y + 18, row.said, ink, 13))
    height = 80 + len(rows) * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="Source Sans, Noto Sans SC, Noto Sans CJK SC, sans-serif"><rect width="100%" height="100%" fill="#fff"/>{"".join(drawn)}</svg>'
    )


def _svg_paint(kind: str, maybe: bool) -> str:
    if kind == "free":
        return f'fill="none" stroke="{NEUTRAL_COLOURS["light"]["line"]}"'
    return f'fill="{MEMORY_COLOURS[kind]}"' + (' fill-opacity="0.35"' if maybe else "")


def _svg_text(x: float, y: float, words: str, colour: str, size: int, weight: str = "400") -> str:
    return f'<text x="{x:.1f}" y="{y}" fill="{colour}" font-size="{size}" font-weight="{weight}">{escape(words)}</text>'
