"""The comparison table on the page: what its buttons say comes back before the next run."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.html import Markup, component

_component = component("comparison_table", __file__, '<div class="comparison"></div>')


def show_table(table: Markup, chosen: str | None, on_action: Callable[[str, str], None]) -> None:
    """Show a table of `ui.comparison.table`; when a person presses a button, call `on_action` with its `do` and `on`.

    chosen   the cell that is worked out beneath, `2.parameters`
    """
    key = "comparison_table"

    def acted() -> None:
        action = st.session_state[key].get("action")
        if action:
            on_action(str(action.get("do")), str(action.get("on")))

    _component(key=key, data={"table": table, "chosen": chosen}, on_action_change=acted)
