"""How a file is read: as one text, by lines, by the fields of JSONL records, by the cells of a CSV column."""

from __future__ import annotations

import streamlit as st

from calc.tokens.text_files import CSV, JSONL, LINES, WHOLE, first_columns
from ui.frame.language import text

WAYS = (WHOLE, LINES, JSONL, CSV)


def choose_reading(name: str, beginning: bytes) -> tuple[str, str | None]:
    """How the file is read, and which field or column of it."""
    if st.session_state.get("read_file") != name:  # another file: as its name says
        st.session_state["read_file"] = name
        ending = name.rsplit(".", 1)[-1].lower()
        st.session_state["read_as"] = {"jsonl": JSONL, "ndjson": JSONL, "csv": CSV}.get(ending, WHOLE)
        st.session_state.pop("field", None)
    st.session_state["read_as"] = st.session_state.get("read_as", WHOLE)  # told on every run
    read_as = (
        st.segmented_control(
            text("token_files.read_as"),
            WAYS,
            format_func=lambda way: text(f"token_files.way_{way}"),
            key="read_as",
            required=True,
        )
        or WHOLE
    )
    if read_as not in (JSONL, CSV):
        return read_as, None
    columns = list(dict.fromkeys(first_columns(beginning, read_as)))
    if st.session_state.get("field") not in columns:
        st.session_state["field"] = next(
            (name for name in columns if name in ("text", "content")), columns[0] if columns else None
        )
    return read_as, st.selectbox(text(f"token_files.field_{read_as}"), columns, key="field", width=320) if columns else None
