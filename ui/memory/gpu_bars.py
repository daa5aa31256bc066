"""A GPU's memory as a bar: what fills it, what is left, and where it ends if the model does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calc.memory.fit import Fit
from ui.frame.theme import MEMORY_COLOURS, NEUTRAL_COLOURS
from ui.html import Markup, tag
from ui.numbers import gigabytes
from ui.texts import text_in

LABELLED = 0.085
"""Share of the bar from which a stretch carries its name."""
WITH_NUMBER = 0.17
EARLY = 0.5
"""Where the GPU's memory ends before this share of a stretch, its name goes behind the mark."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a bar. `kind` is one of `MEMORY_COLOURS` or `free`; `maybe` marks the part of a range that may not be taken."""

    kind: str
    bytes: int
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class GpuBar:
    """A bar.

    title      at its left
    stretches  from left to right
    capacity   of the GPU; None without a GPU
    verdict    `fits`, `tight`, `does_not_fit`, or empty
    sentence   at its right
    small      beneath that
    """

    title: str
    stretches: tuple[Stretch, ...]
    capacity: int | None
    verdict: str
    sentence: str
    small: str = ""
    chosen: bool = False

    @property
    def needed(self) -> int:
        """Bytes of all that is drawn."""
        return max(sum(stretch.bytes for stretch in self.stretches), 1)

    @property
    def end(self) -> int:
        """Bytes at the bar's right end where it has its own scale."""
        return max(self.needed, self.capacity or 0)


def overhead_stretches(smallest: int, largest: int) -> tuple[Stretch, Stretch]:
    """The overhead that is certain, and the rest of its range."""
    return Stretch("overhead", smallest), Stretch("overhead", largest - smallest, maybe=True)


def gpu_bar(language: str, title: str, fit: Fit, chosen: bool = False) -> GpuBar:
    """What a model takes of a GPU, and what is left of it with the smallest overhead and with the largest."""
    stretches = (
        Stretch("weights", fit.weight_bytes),
        Stretch("cache", fit.cache_bytes + fit.state_bytes),
        Stretch("activations", fit.activations.bytes),
        *overhead_stretches(*fit.overhead_bytes),
    )
    left = fit.capacity.high_bytes - sum(stretch.bytes for stretch in stretches)
    if left > 0:
        stretches = (*stretches, Stretch("free", left))
    sentence = verdict_sentence(language, fit)
    return GpuBar(title, stretches, fit.capacity.high_bytes, fit.verdict, sentence, chosen=chosen)


def verdict_sentence(language: str, fit: Fit) -> str:
    """What is left with the largest overhead, what lacks even with the smallest, or both."""
    least, most = fit.left_bytes
    if fit.verdict == "fits":
        return text_in(language, "memory.fits", left=gigabytes(least))
    if fit.verdict == "tight":
        return text_in(language, "memory.tight", left=gigabytes(most), lacks=gigabytes(-least))
    return text_in(language, "memory.does_not_fit", lacks=gigabytes(-most))


def bars(language: str, rows: Sequence[GpuBar], *, large: bool = False, shared_scale: bool = False, named: bool = True) -> Markup:
    """The bars beneath each other, each as wide as its GPU's memory or all on one scale; `named`: with names in the stretches."""
    scale = max((row.needed for row in rows), default=1) if shared_scale else None
    css = f"gpu-bars{' large' if large else ''}{'' if named else ' narrow'}"
    return tag("ol", *(_bar(language, row, scale or row.end) for row in rows), class_=css)


def _bar(language: str, row: GpuBar, scale: int) -> Markup:
    names = {stretch.kind: text_in(language, f"memory.kind.{stretch.kind}") for stretch in row.stretches}
    drawn, start = [], 0
    ends = row.capacity if row.capacity and row.capacity < scale else None
    for stretch in row.stretches:
        share = stretch.bytes / scale
        label = None
        if share >= LABELLED and not stretch.maybe:
            within = (ends - start) / stretch.bytes if ends else 1
            clear = f"padding-left:calc({within * 100:.2f}% + 0.375rem)" if 0 <= within < EARLY else None
            number = tag("small", gigabytes(stretch.bytes)) if share >= WITH_NUMBER else None
            label = tag("span", names[stretch.kind], number, style=clear)
        start += stretch.bytes
        css = f"fill memory-{stretch.kind}{' maybe' if stretch.maybe else ''}"
        drawn.append(tag("i", label, class_=css, style=f"width:{share * 100:.4f}%"))
    if ends:
        early = "early" if ends / scale < EARLY else None
        drawn.append(tag("b", tag("span", gigabytes(ends)), class_=early, style=f"left:{ends / scale * 100:.4f}%"))
    in_words = text_in(language, "frame.comma").join(f"{names[each.kind]} {gigabytes(each.bytes)}" for each in row.stretches)
    return tag(
        "li",
        tag("span", row.title, class_="label"),
        tag("span", *drawn, class_="memory", role="img", aria_label=f"{row.title}: {in_words}. {row.sentence}"),
        tag("span", row.sentence, tag("small", row.small) if row.small else None, class_="said"),
        class_=f"{row.verdict}{' chosen' if row.chosen else ''}",
    )


WIDTH, ROW, LEFT, RIGHT = 1100, 40, 170, 290
"""px of the saved picture: all, a row, the names, the verdicts."""


def bars_svg(language: str, title: str, rows: Sequence[GpuBar], kinds: Sequence[str]) -> str:
    """The bars as a picture to save: light, whatever the page's mode."""
    ink, soft = NEUTRAL_COLOURS["light"]["ink"], NEUTRAL_COLOURS["light"]["ink-soft"]
    across, drawn, x = WIDTH - LEFT - RIGHT, [_svg_text(16, 26, title, ink, 18, "600")], 16.0
    for kind in kinds:
        name = text_in(language, f"memory.kind.{kind}")
        drawn.append(tag("rect", x=x, y=40, width=12, height=12, rx=2, **_svg_paint(kind, False)))
        drawn.append(_svg_text(x + 18, 51, name, soft, 13))
        x += 40 + 13 * sum(0.6 if letter.isascii() else 1 for letter in name)
    for number, row in enumerate(rows):
        y, x = 68 + number * ROW, float(LEFT)
        drawn.append(_svg_text(16, y + 18, row.title, ink, 14, "600" if row.chosen else "400"))
        for stretch in row.stretches:
            wide = stretch.bytes / row.end * across
            paint = _svg_paint(stretch.kind, stretch.maybe)
            drawn.append(tag("rect", x=f"{x:.2f}", y=y, width=f"{wide:.2f}", height=26, **paint))
            x += wide
        if row.capacity and row.capacity < row.end:
            end = f"{LEFT + row.capacity / row.end * across:.2f}"
            drawn.append(tag("line", x1=end, x2=end, y1=y - 4, y2=y + 30, stroke=ink, stroke_width=2))
        drawn.append(_svg_text(WIDTH - RIGHT + 12, y + 18, row.sentence, ink, 13))
    height = 80 + len(rows) * ROW
    return tag(
        "svg",
        tag("rect", width="100%", height="100%", fill="#fff"),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=height,
        viewBox=f"0 0 {WIDTH} {height}",
        font_family="Source Sans, Noto Sans SC, Noto Sans CJK SC, sans-serif",
    )


def _svg_paint(kind: str, maybe: bool) -> dict[str, str]:
    if kind == "free":
        return {"fill": "none", "stroke": NEUTRAL_COLOURS["light"]["line"]}
    return {"fill": MEMORY_COLOURS[kind]} | ({"fill_opacity": "0.35"} if maybe else {})


def _svg_text(x: float, y: float, words: str, colour: str, size: int, weight: str = "400") -> Markup:
    return tag("text", words, x=f"{x:.1f}", y=y, fill=colour, font_size=size, font_weight=weight)
