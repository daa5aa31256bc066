"""Charts: each authored with Altair once a process and language, then shown with fresh rows on every run.

Building an Altair chart takes about 20 ms, handing a ready specification on less than one. So a chart is a function of
the language that names the columns it reads, and never of the rows:

    def growth(language):
        return alt.Chart(ROWS).mark_line().encode(x=axis("context", "Q", text_in(language, "…")), …)

    show_chart(growth, rows, alt=…)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from calc.tensors import PARTS, Part
from ui.frame.language import current
from ui.frame.theme import NEUTRAL_COLOURS, PART_COLOURS
from ui.html import Markup, swatch, tag
from ui.texts import text_in

if TYPE_CHECKING:
    import altair

Author = Callable[[str], "altair.TopLevelMixin"]

PARAMETER_LABELS = "replace(format(datum.value, '~s'), 'G', 'B')"
"""Ticks of an axis of parameters: 7B, not Vega's 7G."""
BYTE_LABELS = "format(datum.value, '~s') + 'B'"
"""Ticks of an axis of bytes: 500MB, 2GB."""
PLAIN_LABELS = "format(datum.value, ',')"
"""Ticks of an axis of lengths: 4,096, whatever the browser's locale."""
MAX_CHARTS = 64
"""Specifications in the cache: every chart of the app in both languages."""


def show_chart(
    author: Author, rows: Sequence[Mapping[str, object]], *, alt: str, height: int = 320, key: str | None = None
) -> None:
    """Show the chart that `author` makes, with these rows.

    author   a module's function, language → chart whose data is named "rows"
    alt      what the chart shows, in words, for those who cannot see it
    height   px
    """
    chart = specification(author, current())
    ink = NEUTRAL_COLOURS[st.context.theme.type or "light"]["ink"]
    config = {**chart.get("config", {}), "text": {"color": ink}}  # Streamlit's theme colours axes, not text marks
    spec = {**chart, "config": config, "data": {"values": list(rows)}, "height": height}
    st.vega_lite_chart(None, spec, width="stretch", key=key, alt=alt)


@lru_cache(maxsize=MAX_CHARTS)
def specification(author: Author, language: str) -> dict[str, Any]:
    """The Vega-Lite specification of a chart in a language, without its rows."""
    return author(language).to_dict()


def part_colours(language: str) -> altair.Color:
    """The column `part` (a part's name in this language) in the colours that parts have on every page.

    The legend is `part_legend`, which wraps on a phone as Vega's does not.
    """
    import altair

    names = [text_in(language, f"part.{part}") for part in PARTS]
    scale = altair.Scale(domain=names, range=[PART_COLOURS[part] for part in PARTS])
    return altair.Color("part:N", scale=scale, legend=None)


def part_legend(language: str, parts: Sequence[Part] = PARTS) -> Markup:
    """The names and colours of parts."""
    items = (tag("li", swatch(part), text_in(language, f"part.{part}")) for part in parts)
    return tag("ul", *items, class_="part-legend")
