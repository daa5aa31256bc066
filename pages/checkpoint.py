"""The real file: its header read, and every tensor in it held against the parts list, to the last element."""

import streamlit as st

from calc.checkpoint.causes import CAUSES
from calc.checkpoint.report import ENTRY_COLUMNS, ROW_COLUMNS, checkpoint_csv, reconciliation_csv, reconciliation_document
from calc.errors import ConfigError
from ui.checkpoint.against import Against, document_of, figures_of, held, is_of, pick_against
from ui.checkpoint.reconciliation import ledger, reconciliation_headline
from ui.checkpoint.reconciliation_file import checks, file_card, holdings_headline
from ui.checkpoint.reconciliation_lists import checkpoint_list, reconciliation_lists
from ui.checkpoint.source import Reading, ask_source
from ui.figures.headline import headline
from ui.frame.downloads import download_csv, download_json, file_name
from ui.frame.errors import show_error
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import Choice, pick_model


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    hub_id = hub_id_of(choice)
    reading = ask_source(hub_id)
    if reading is None:
        if choice:
            st.html(headline(current(), choice.model.parts_list, choice.base.entry, choice.changed_from, choice.title))
        st.markdown(text("checkpoint.nothing_yet"))
        return
    against = pick_against(reading, hub_id, choice)
    try:
        if against:
            show_reconciliation(
                reading, against, choice.base.entry.hub_total if choice and choice.base.entry and is_of(reading, hub_id) else None
            )
        else:
            show_file(reading)
    except ConfigError as error:  # packed, and nobody says how: the header's own figures are all there is
        show_error(error)
        st.html(file_card(current(), reading.checkpoint.source, figures_of(reading)))


def hub_id_of(choice: Choice | None) -> str | None:
    """The Hub id of the model that is shown, None for a config of the reader's own."""
    if choice is None or choice.base.entry:
        return choice and choice.base.entry.hub_id
    return choice.title if "/" in choice.title else None


def show_reconciliation(reading: Reading, against: Against, hub_total: int | None) -> None:
    """The difference, the ledger, the file, and every tensor."""
    language, source, result = current(), reading.checkpoint.source, held(reading, against)
    figures = figures_of(reading)
    st.html(reconciliation_headline(language, against.title, result))
    left, right = st.columns([62, 38], gap="medium")
    right.html(file_card(language, source, figures, result.packings, checks(language, result, figures, hub_total)))
    name = file_name(source, "reconciliation")
    columns = {column: text(f"checkpoint.column.{column}") for column in ENTRY_COLUMNS}
    causes = {cause: text(f"cause.{cause}") for cause in CAUSES}
    with left:
        st.html(ledger(language, against.title, source, result))
        st.html(reconciliation_lists(language, result))
        with st.container(horizontal=True):
            download_csv(
                text("checkpoint.download_csv"), name, lambda: reconciliation_csv(result, columns, causes), key="ledger_csv"
            )
            download_json(
                text("checkpoint.download_json"),
                name,
                lambda: reconciliation_document(against.title, reading.checkpoint, result),
                key="ledger_json",
            )


def show_file(reading: Reading) -> None:
    """What the file holds, held against nothing."""
    language, checkpoint, document = current(), reading.checkpoint, document_of(reading)
    rows, figures = document["tensors"], figures_of(reading)
    packings = sorted({row["packing"] for row in rows if row["packing"]})
    st.html(holdings_headline(language, document["found"], document["scales_and_tables"]))
    left, right = st.columns([62, 38], gap="medium")
    right.html(file_card(language, checkpoint.source, figures, packings))
    name = file_name(checkpoint.source, "tensors")
    columns = {column: text(f"checkpoint.column.{column}") for column in ROW_COLUMNS}
    with left:
        st.html(checkpoint_list(language, rows))
        with st.container(horizontal=True):
            download_csv(
                text("checkpoint.download_file_csv"), name, lambda: checkpoint_csv(checkpoint, columns), key="tensors_csv"
            )
            download_json(text("checkpoint.download_file_json"), name, lambda: document, key="tensors_json")


start_page()
main()
