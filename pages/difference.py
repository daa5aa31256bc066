"""What makes the difference of two models: by part, by cause, and both drawn on one scale."""

import streamlit as st

from calc.catalogue import catalogue
from calc.comparison.averaged import averaged_over_orders
from calc.comparison.difference import difference
from calc.export import csv_text
from calc.model import Model
from ui.comparison.entries import entries, is_entry, model_of
from ui.comparison.pictures import show_pictures
from ui.comparison.steps import averaged_rows, cause_bars, part_bars
from ui.comparison.waterfall import Bar, waterfall
from ui.figures.difference_headline import difference_headline
from ui.frame import address
from ui.frame.downloads import download_csv, file_name
from ui.frame.fields import settle, take
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show, table

FIRST = {"before": "llama-2-7b", "after": "llama-3-8b"}


def main() -> None:
    """The page from top to bottom."""
    before, after = pick_two()
    ends = (before.title, before.parameters), (after.title, after.parameters)
    show(difference_headline(current(), *ends))
    found = difference(before, after)
    parts, causes = part_bars(current(), found.by_part), cause_bars(current(), found.by_cause)
    by_part, beside = st.columns(2, gap="large")
    with by_part:
        show(waterfall(text("difference.by_part"), text("difference.by_part_note"), ends[0], parts, ends[1]))
        show_download(before, after, parts, causes)
    with beside:
        note = text("difference.by_cause_note" if causes else "difference.none")
        show(waterfall(text("difference.by_cause"), note, ends[0], causes, ends[1]))
        show_averaged(before, after, len(causes))
    st.subheader(text("difference.pictures"))
    show_pictures(before, after)


def pick_two() -> tuple[Model, Model]:
    """The two models: of the catalogue, or of the comparison."""
    chosen = {}
    for name, first in FIRST.items():
        entry = address.get(name) or first
        chosen[name] = entry if is_entry(entry) else first
        address.put(name, chosen[name])
    options = list(dict.fromkeys([*catalogue(), *entries(), *chosen.values()]))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="two_models"):
        for name, entry in chosen.items():
            st.selectbox(
                text(f"difference.{name}"),
                options,
                format_func=lambda entry: model_of(entry).title,
                index=options.index(settle(name, entry)),
                key=name,
                on_change=take,
                args=(name,),
                width=280,
            )
        st.button(text("difference.swap"), on_click=swap, kwargs=chosen, icon=":material/swap_horiz:")
    return model_of(chosen["before"]), model_of(chosen["after"])


def swap(before: str, after: str) -> None:
    """The second model becomes the first."""
    address.put("before", after)
    address.put("after", before)


def show_averaged(before: Model, after: Model, changes: int) -> None:
    """The alternative that depends on no order, worked out only when it is opened."""
    if changes < 2:
        return
    panel = st.expander(text("difference.averaged"), key="averaged", type="compact", on_change="rerun")
    if panel.open:
        averaged = averaged_over_orders(before, after)
        with panel:
            if averaged is None:
                st.caption(text("difference.not_averaged"))
                return
            headings = [text("difference.cause"), text("difference.average")]
            show(table(headings, averaged_rows(current(), averaged), numbers=(1,)))
            st.caption(text("difference.averaged_note"))


def show_download(before: Model, after: Model, parts: list[Bar], causes: list[Bar]) -> None:
    """Both splits as one CSV."""
    headings = [text(f"difference.{column}") for column in ("kind", "step", "change", "amount")]
    splits = ((text("difference.by_part"), parts), (text("difference.by_cause"), causes))

    def written() -> str:
        return csv_text(headings, [[split, bar.label, bar.detail, bar.difference] for split, bars in splits for bar in bars])

    name = file_name(text("difference.file"), before.title, after.title)
    download_csv(text("difference.download"), name, written, key="download_difference")


start_page()
main()
