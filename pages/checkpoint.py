"""The real file: its header read, and every tensor in it compared with the parts list, to the last element."""

import streamlit as st

from calc.checkpoint import report
from calc.checkpoint.causes import CAUSES
from calc.errors import ConfigError
from ui.checkpoint.against import Against, contents_of, dtypes_of, is_of, pick_against, reconciliation_of
from ui.checkpoint.reconciliation import ledger, reconciliation_headline
from ui.checkpoint.reconciliation_file import checks, file_card, file_headline
from ui.checkpoint.reconciliation_lists import checkpoint_list, reconciliation_lists
from ui.checkpoint.source import Reading, ask_source
from ui.figures.headline import headline
from ui.frame.downloads import download_csv, download_json, file_name
from ui.frame.errors import show_error
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.html import show
from ui.model.picker import Choice, pick_model


def main() -> None:
    """The page from top to bottom."""
    choice = pick_model()
    hub_id = hub_id_of(choice)
    reading = ask_source(hub_id)
    if reading is None:
        if choice:
            show(headline(current(), choice.model.parts_list, choice.base.entry, choice.changed_from, choice.title))
        st.markdown(text("checkpoint.nothing_yet"))
        return
    against = pick_against(reading, hub_id, choice)
    entry = choice.base.entry if choice and is_of(reading, hub_id) else None
    try:
        if against:
            show_reconciliation(reading, against, entry.hub_total if entry else None)
        else:
            show_file(reading)
    except ConfigError as error:  # packed, and no telling how: the header's own figures are all there is
        show_error(error)
        show(file_card(current(), reading.checkpoint, dtypes_of(reading)))


def hub_id_of(choice: Choice | None) -> str | None:
    """The Hub id of the model that is shown, None for a config of the reader's own."""
    if choice and choice.base.entry:
        return choice.base.entry.hub_id
    return choice.title if choice and "/" in choice.title else None


def show_reconciliation(reading: Reading, against: Against, hub_total: int | None) -> None:
    """The difference, the ledger, the file, and every tensor."""
    language, checkpoint, result = current(), reading.checkpoint, reconciliation_of(reading, against)
    show(reconciliation_headline(language, against.title, result))
    left, right = st.columns([62, 38], gap="medium")
    with right:
        show(file_card(language, checkpoint, dtypes_of(reading), result.packings, checks(language, result, hub_total)))
    name = file_name(checkpoint.source, "reconciliation")
    columns = {column: text(f"checkpoint.column.{column}") for column in report.ENTRY_COLUMNS}
    causes = {cause: text(f"cause.{cause}") for cause in CAUSES}
    with left:
        show(ledger(language, against.title, checkpoint.source, result))
        show(reconciliation_lists(language, result))
        with st.container(horizontal=True):
            download_csv(
                text("checkpoint.download_csv"), name, lambda: report.reconciliation_csv(result, columns, causes), "ledger_csv"
            )
            download_json(
                text("checkpoint.download_json"),
                name,
                lambda: report.reconciliation_document(against.title, checkpoint, result),
                "ledger_json",
            )


def show_file(reading: Reading) -> None:
    """What the file has, compared with nothing."""
    language, checkpoint, found = current(), reading.checkpoint, contents_of(reading)
    packings = sorted({row.packing for row in found.tensors if row.packing})
    show(file_headline(language, found))
    left, right = st.columns([62, 38], gap="medium")
    with right:
        show(file_card(language, checkpoint, dtypes_of(reading), packings))
    name = file_name(checkpoint.source, "tensors")
    columns = {column: text(f"checkpoint.column.{column}") for column in report.ROW_COLUMNS}
    with left:
        show(checkpoint_list(language, found))
        with st.container(horizontal=True):
            download_csv(
                text("checkpoint.download_file_csv"), name, lambda: report.checkpoint_csv(checkpoint, columns), "tensors_csv"
            )
            download_json(
                text("checkpoint.download_file_json"), name, lambda: report.checkpoint_document(checkpoint), "tensors_json"
            )


start_page()
main()
