"""How the counting is done: rules, symbols, known types, every catalogue model against its published figure, errata."""

import streamlit as st

from calc.catalogue import catalogue
from calc.config import FIELDS, defaults_version
from calc.families import FAMILIES
from calc.model import catalogue_model
from ui.figures.table import table
from ui.frame.language import text
from ui.frame.page import start_page
from ui.numbers import grouped

RULES = ("shape", "lookup", "tied", "vectors", "units")
ERRATA = ("norms", "llama3", "two_thirds", "layers", "width", "hub")


def main() -> None:
    """The page from top to bottom."""
    st.title(text("method.title"))
    st.markdown(text("method.intro"))
    rules, symbols = st.columns([58, 42], gap="large")
    with rules:
        st.subheader(text("method.rules"))
        st.markdown("\n".join(f"- {text(f'method.rule.{rule}')}" for rule in RULES))
        st.subheader(text("method.errata"))
        st.markdown("\n".join(f"- {text(f'method.erratum.{erratum}')}" for erratum in ERRATA))
    with symbols:
        st.subheader(text("method.symbols"))
        headings = [text(f"method.{column}") for column in ("symbol", "field", "meaning")]
        st.html(table(headings, [(field.symbol, name, text(f"field.{name}")) for name, field in FIELDS.items()]))
        st.subheader(text("method.types", number=len(FAMILIES)))
        st.html(f'<p class="names">{", ".join(sorted(FAMILIES))}</p>')
        st.caption(text("method.types_note", version=defaults_version()))
    st.subheader(text("method.checked"))
    st.markdown(text("method.checked_note"))
    headings = [text(f"method.{column}") for column in ("model", "exact", "published", "hub", "gap")]
    st.html(table(headings, published_rows(), numbers=(1, 2, 3)))


def published_rows() -> list[tuple[str, ...]]:
    """Each catalogue model: its exact count, what it is published as, the Hub's total, and what makes that larger."""
    rows = []
    for model in catalogue().values():
        total = catalogue_model(model.name).parameters
        causes = [f"{grouped(gap.elements)} {text(f'hub_gap.{gap.cause}')}" for gap in model.hub_gaps]
        total_gap = f"{grouped(model.hub_gap)} = " if len(causes) > 1 else ""
        cause = total_gap + " + ".join(causes)
        hub_total = grouped(model.hub_total) if model.hub_total else ""
        rows.append((model.title, grouped(total), model.published or "", hub_total, cause))
    return rows


start_page()
main()
