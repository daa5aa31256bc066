"""How a file is read: as one text, by lines, by the fields of JSONL records, by the cells of a CSV column."""

from __future__ import annotations

import streamlit as st

from calc.tokens.text_files import CSV, JSONL, LINES, WHOLE, first_columns
from ui.frame.fields import settle
from ui.frame.language import text

WAYS = (WHOLE, LINES, JSONL, CSV)


def choose_reading(name: str, beginning: bytes) -> tuple[str, str | None]:
    """How the file is read, and which field or column of it."""
    read_as, field = st.session_state.get("read_as", WHOLE), st.session_state.get("field")
    if st.session_state.get("read_file") != name:  # another file: as its name says
        st.session_state["read_file"] = name
        ending = name.rsplit(".", 1)[-1].lower()
        read_as, field = {"jsonl": JSONL, "ndjson": JSONL, "csv": CSV}.get(ending, WHOLE), None
    st.segmented_control(
        text("token_files.read_as"),
        WAYS,
        default=settle("read_as", read_as),
        format_func=lambda way: text(f"token_files.way_{way}"),
        key="read_as",
        required=True,
    )
    columns = list(dict.fromkeys(first_columns(beginning, read_as))) if read_as in (JSONL, CSV) else []
    if not columns:
        return read_as, None
    if field not in columns:
        field = next((column for column in columns if column in ("text", "content")), columns[0])
    index = columns.index(settle("field", field))
    st.selectbox(text(f"token_files.field_{read_as}"), columns, index=index, key="field", width=320)
    return read_as, field
