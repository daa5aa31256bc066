"""One colour for each part of a model, in pictures and pages alike, and the neutrals.

The part colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), distinct for any colour vision; grey is
added for the norms.
"""

from __future__ import annotations

PART_COLOURS = {
    "embedding": "#0072B2",
    "attention": "#E69F00",
    "ffn": "#009E73",
    "norm": "#8A8F98",
    "lm_head": "#CC79A7",
    "other": "#56B4E9",
}

NEUTRAL_COLOURS = {
    "light": {"paper": "#ffffff", "panel": "#f6f7f9", "ink": "#14171c", "ink-soft": "#5a616b", "line": "#dfe3e8"},
    "dark": {"paper": "#0f1216", "panel": "#191c22", "ink": "#e8eaed", "ink-soft": "#9aa1ab", "line": "#2b3038"},
}
"""The same as in .streamlit/config.toml, which colours Streamlit's own widgets."""
