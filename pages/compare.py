"""The comparison page: many models in one table, each figure worked out on request, charts, and files to take home."""

import streamlit as st

from calc.comparison.columns import BY_KEY, GROUPS, Column, Group, Row, in_order_of
from calc.comparison.export import comparison_csv, comparison_document, comparison_markdown
from calc.tensors import PARTS
from ui.comparison.adding import show_adding
from ui.comparison.charts import cache_chart, cache_rows, composition_chart, composition_rows, size_chart, size_rows
from ui.comparison.component import show_table
from ui.comparison.entries import entries, model_of, put_entries, row_of
from ui.comparison.table import comparison_table, headings, shown_columns, written
from ui.comparison.worked_cell import worked_cell
from ui.frame import address
from ui.frame.charts import part_legend, show_chart
from ui.frame.downloads import download_csv, download_json, download_markdown, file_name
from ui.frame.errors import plain
from ui.frame.fields import ask_some
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show

FIRST_GROUPS: tuple[Group, ...] = ("config", "total")


def main() -> None:
    """The page from top to bottom."""
    st.caption(text("compare.intro"))
    listed = entries()
    show_adding(listed)
    if not put_entries(listed):
        st.caption(text("compare.too_long_for_link"))
    if not listed:
        st.info(text("compare.none"))
        return
    listed, sort, descending = sorted_entries(listed)
    rows = [row_of(entry) for entry in listed]
    columns = shown_columns(rows, choose_groups())
    table = comparison_table(current(), rows, columns, sort, descending)
    show_table(table, address.get("cell"), lambda do, on: act(do, on, listed))
    show_worked(listed, rows)
    show_downloads(rows, columns)
    show_charts(rows)


def choose_groups() -> list[Group]:
    """The groups of columns that are shown, as the address says or the reader chooses."""
    label = text("compare.groups")
    return ask_some("groups", GROUPS, lambda group: text(f"compare.group.{group}"), label, default=FIRST_GROUPS, between="-")


def sorted_entries(listed: list[str]) -> tuple[list[str], str | None, bool]:
    """The entries in the order they are shown in, the column they are sorted by, and whether downwards."""
    asked = address.get("sort") or ""
    key, descending = asked.removeprefix("-"), asked.startswith("-")
    if key != "title" and key not in BY_KEY:
        address.put("sort", None)
        return listed, None, False
    of_row = {id(row): entry for entry, row in zip(listed, map(row_of, listed), strict=True)}
    ordered = in_order_of([row_of(entry) for entry in listed], key, descending=descending)
    return [of_row[id(row)] for row in ordered], key, descending


def act(do: str, on: str, shown: list[str]) -> None:
    """Do what a button of the table says: sort by a column, move or remove a row, work out a cell."""
    if do == "sort":
        now = address.get("sort")
        address.put("sort", f"-{on}" if now == on else None if now == f"-{on}" else on)
    elif do == "cell":
        address.put("cell", None if address.get("cell") == on else on)
    else:
        number = int(on)
        moved = list(shown)
        entry = moved.pop(number)
        if do != "remove":
            moved.insert(number + (-1 if do == "up" else 1), entry)
            address.put("sort", None)
        address.put("cell", None)
        put_entries(moved)


def show_worked(listed: list[str], rows: list[Row]) -> None:
    """The chosen cell, worked out."""
    number, _, key = (address.get("cell") or "").partition(".")
    if number.isdecimal() and int(number) < len(rows) and key in BY_KEY:
        show(worked_cell(current(), model_of(listed[int(number)]), rows[int(number)], key))
    else:
        address.put("cell", None)


def show_downloads(rows: list[Row], columns: tuple[Column, ...]) -> None:
    """The table as shown and in full."""
    language = current()
    name = file_name(text("compare.file"))
    with st.container(horizontal=True):
        download_csv(
            text("compare.csv_shown"),
            name,
            lambda: comparison_csv(rows, columns, headings(language), written(language)),
            key="csv_shown",
        )
        download_csv(
            text("compare.csv_full"),
            f"{name}-all",
            lambda: comparison_csv(rows, headings=headings(language), words=written(language)),
            key="csv_full",
        )
        download_json(text("compare.json"), name, lambda: comparison_document(rows), key="json")
        download_markdown(
            text("compare.markdown"),
            name,
            lambda: comparison_markdown(rows, columns, headings(language), written(language)),
            key="markdown",
        )


def show_charts(rows: list[Row]) -> None:
    """Three readings of the table as pictures."""
    language, titles = current(), text("frame.comma").join(row.title for row in rows)
    size, cache = st.columns(2, gap="large")
    charts = (
        (size, "compare.chart_size", size_chart, size_rows(rows), 320),
        (cache, "compare.chart_cache", cache_chart, cache_rows(rows), 320),
        (st.container(), "compare.chart_composition", composition_chart, composition_rows(language, rows), 70 + 34 * len(rows)),
    )
    for place, title, chart, points, height in charts:
        with place:
            st.subheader(text(title))
            if chart is composition_chart:
                show(part_legend(language, [part for part in PARTS if any(row.value(f"{part}_parameters") for row in rows)]))
            show_chart(chart, points, alt=text("compare.chart_alt", chart=text(title), titles=titles), height=height, key=title)
    missing = [row.title for row in rows if row.value("kv_bytes_per_token") is None]
    if missing:
        with cache:
            st.caption(plain(text("compare.chart_missing", titles=text("frame.comma").join(missing))))


start_page()
main()
