"""The colours of the app, once: one fixed colour for each part of a model, and neutrals.

The part colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), distinct for any
colour vision; grey is added for the norms. Strokes and bars have them at full strength, fills at `FILL_OPACITY`. As text
some of them are too pale on white and others too dark on black, so each part has a shade for text in either mode, with a
contrast of at least 4.5 : 1 on the paper and on the panels (WCAG 2.2, 1.4.3).

In a style sheet or a component use the CSS variables: `--part-attention`, `--part-attention-fill`, `--part-attention-text`
and so on, `--paper`, `--panel`, `--ink`, `--ink-soft`, `--line`. They follow the mode by themselves: Streamlit sets
`color-scheme` on the app, and `light-dark()` reads it.
"""

from __future__ import annotations

from calc.diagram.colours import NEUTRAL_COLOURS, PART_COLOURS

MEMORY_COLOURS = {
    "weights": "#5B63B0",
    "frozen": "#7D6AA8",
    "gradients": "#37787F",
    "optimizer": "#8E5A94",
    "cache": "#AE5A48",
    "activations": "#80742C",
    "overhead": "#6B7380",
}
"""What fills a GPU's memory. None is the colour of a part; white letters are legible on each, and each stands out on black.
What is left has no colour: it is the paper."""

FILL_OPACITY = {"light": 0.20, "dark": 0.28}

PART_TEXT_COLOURS = {
    "light": {
        "embedding": "#006AA6",
        "attention": "#8A5F00",
        "ffn": "#00734F",
        "norm": "#5F656F",
        "lm_head": "#9C4274",
        "other": "#1F6E99",
    },
    "dark": {
        "embedding": "#4FA8DE",
        "attention": "#E69F00",
        "ffn": "#2DB88D",
        "norm": "#A0A5AE",
        "lm_head": "#D98BB5",
        "other": "#6FC1EF",
    },
}


def variables() -> dict[str, str]:
    """The CSS variables: name without `--` → value.

    >>> variables()["ink"]
    'light-dark(#14171c, #e8eaed)'
    >>> variables()["part-lm_head-fill"]
    'light-dark(rgb(204 121 167 / 0.2), rgb(204 121 167 / 0.28))'
    """
    light, dark = NEUTRAL_COLOURS["light"], NEUTRAL_COLOURS["dark"]
    values = {name: f"light-dark({light[name]}, {dark[name]})" for name in light}
    for part, colour in PART_COLOURS.items():
        red, green, blue = bytes.fromhex(colour[1:])
        fills = (f"rgb({red} {green} {blue} / {FILL_OPACITY[mode]})" for mode in ("light", "dark"))
        texts = (PART_TEXT_COLOURS[mode][part] for mode in ("light", "dark"))
        values[f"part-{part}"] = colour
        values[f"part-{part}-fill"] = f"light-dark({', '.join(fills)})"
        values[f"part-{part}-text"] = f"light-dark({', '.join(texts)})"
    values.update({f"memory-{kind}": colour for kind, colour in MEMORY_COLOURS.items()})
    return values


def variables_rule(brand: str) -> str:
    """The CSS rule that sets all variables, and `--brand`, the name at the left of the bar."""
    quoted = brand.replace("\\", "\\\\").replace('"', '\\"')
    declared = "".join(f"--{name}: {value};" for name, value in variables().items())
    return f':root {{ {declared} --brand: "{quoted}"; }}'
