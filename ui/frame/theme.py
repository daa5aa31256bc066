"""The colours of the app, once: one fixed colour for each part of a model, and neutrals.

The part colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), told
apart with any colour vision; grey is added for the norms. They are at full strength for
strokes and bars and :data:`FILL_OPACITY` for fills. As text some of them are too pale on
white and others too dark on black, so each part has a shade for text in either mode,
with a contrast of at least 4.5 : 1 on the paper and on the panels (WCAG 2.2, 1.4.3).

In a style sheet or a component use the CSS variables: ``--part-attention``,
``--part-attention-fill``, ``--part-attention-text`` and so on, ``--paper``, ``--panel``,
``--ink``, ``--ink-soft``, ``--line``. They follow the mode by themselves: Streamlit sets
``color-scheme`` on the app, and ``light-dark()`` reads it.
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

# The same as in .streamlit/config.toml, which colours Streamlit's own widgets.
NEUTRAL_COLOURS = {
    "light": {"paper": "#ffffff", "panel": "#f6f7f9", "ink": "#14171c", "ink-soft": "#5a616b", "line": "#dfe3e8"},
    "dark": {"paper": "#0f1216", "panel": "#191c22", "ink": "#e8eaed", "ink-soft": "#9aa1ab", "line": "#2b3038"},
}


def variables() -> dict[str, str]:
    """Return the CSS variables: name without ``--`` → value.

    >>> variables()["ink"]
    'light-dark(#14171c, #e8eaed)'
    >>> variables()["part-lm_head-fill"]
    'light-dark(rgb(204 121 167 / 0.2), rgb(204 121 167 / 0.28))'
    """
    light, dark = NEUTRAL_COLOURS["light"], NEUTRAL_COLOURS["dark"]
    found = {name: f"light-dark({light[name]}, {dark[name]})" for name in light}
    for part, colour in PART_COLOURS.items():
        red, green, blue = bytes.fromhex(colour[1:])
        fills = (f"rgb({red} {green} {blue} / {FILL_OPACITY[mode]})" for mode in ("light", "dark"))
        texts = (PART_TEXT_COLOURS[mode][part] for mode in ("light", "dark"))
        found[f"part-{part}"] = colour
        found[f"part-{part}-fill"] = f"light-dark({', '.join(fills)})"
        found[f"part-{part}-text"] = f"light-dark({', '.join(texts)})"
    found.update({f"memory-{kind}": colour for kind, colour in MEMORY_COLOURS.items()})
    return found


def stylesheet(brand: str) -> str:
    """Return the style sheet of the frame; ``brand`` is the name at the left of the bar."""
    declared = "".join(f"--{name}: {value};" for name, value in variables().items())
    quoted = brand.replace("\\", "\\\\").replace('"', '\\"')
    return f':root {{ {declared} --brand: "{quoted}"; }}{_RULES}'


# Streamlit's own class names and test ids; a browser test looks at each rule's effect.
_RULES = """
.stApp { font-variant-numeric: tabular-nums; }
.stMainBlockContainer {
  max-width: calc(1264px + 2rem);
  padding: calc(3.75rem + 1.5rem) 1rem 4rem;
}
.stElementContainer:has(> .stHtml > style) { position: absolute; }

/* The bar: brand, pages, and at its right end the language switch. */
.stAppHeader { border-bottom: 1px solid var(--line); }
.stAppToolbar { padding: 0 7.5rem 0 1.75rem; }
.stAppToolbar > div { justify-content: flex-start; }
.stAppToolbar > div::before {
  content: var(--brand);
  order: 1;
  flex: none;
  margin-right: 0.75rem;
  font-size: 1.125rem;
  font-weight: 700;
  white-space: nowrap;
}
.stAppToolbar > div > :first-child { order: 0; }
.stAppToolbar > div > * { order: 2; }
[data-testid="stTopNav"] { margin-left: 0; }
[data-testid="stTopNavLink"] {
  padding: 0.125rem 0;
  margin: 0 0.625rem;
  border-radius: 0;
  border-bottom: 2px solid transparent;
}
[data-testid="stTopNavLink"], [data-testid="stTopNavLink"]:hover { background: none; }
[data-testid="stTopNavLink"] p { color: var(--ink-soft); font-size: 1rem; font-weight: 400; }
[data-testid="stTopNavLink"]:hover p { color: var(--ink); }
[data-testid="stTopNavLink"][aria-current="page"],
[data-testid="stTopNav"]:not(:has([aria-current="page"])) .rc-overflow-item:first-child a {
  border-bottom-color: var(--ink);
}
[data-testid="stTopNavLink"][aria-current="page"] p,
[data-testid="stTopNav"]:not(:has([aria-current="page"])) .rc-overflow-item:first-child a p {
  color: var(--ink);
}
[data-testid="stTopNavSection"] { color: var(--ink-soft); font-size: 1rem; }
[data-testid="stExpandSidebarButton"] [data-testid="stIconMaterial"] { font-size: 0; }
[data-testid="stExpandSidebarButton"] [data-testid="stIconMaterial"]::before {
  content: "menu";
  font-size: 1.5rem;
  color: var(--ink);
}

.stElementContainer.st-key-language {
  position: fixed;
  top: 0.875rem;
  right: 1.5rem;
  z-index: 999990;
  width: auto;
}
.st-key-language button {
  min-height: 2rem;
  min-width: 2rem;
  padding: 0 0.375rem;
  border: 0;
  background: none !important;
}
.st-key-language button p { font-size: 1rem; color: var(--ink-soft); }
.st-key-language button[aria-checked="true"] p { font-weight: 700; color: var(--ink); }
.st-key-language button + button::before { content: "/" / ""; color: var(--ink-soft); margin-right: 0.5rem; }

/* "Press Enter to submit form", in English whatever the language, over what is typed */
.stForm [data-testid="InputInstructions"] { display: none; }

@media (max-width: 640px) {
  .stAppToolbar { padding-left: 0; }
  .stElementContainer.st-key-language { right: 0.5rem; }
  .stMainBlockContainer { padding-top: calc(3.75rem + 1rem); }
}
"""
