"""The tokens of a file: a text, Markdown, JSONL or CSV column, counted beside the page, as a whole or row by row."""

import io

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.file_count import LIMIT_BYTES
from calc.tokens.text_files import WHOLE
from ui.frame.downloads import download_csv, file_name
from ui.frame.errors import plain, show_error
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.numbers import gigabytes, grouped
from ui.tokens.choice import can_cut, choose_tokenizers, show_licences
from ui.tokens.file_count import MOST_ROWS, FileCount
from ui.tokens.file_figure import file_totals
from ui.tokens.file_reading import choose_reading
from ui.tokens.own_tokenizers import show_own_tokenizers
from ui.tokens.text_field import LONGEST

POLL_SECONDS = 0.4
UPLOAD_MEGABYTES = LIMIT_BYTES // 1_000_000


def main() -> None:
    """The page from top to bottom."""
    st.markdown(text("token_files.intro", limit=UPLOAD_MEGABYTES, longest=f"{LONGEST:,}"))
    if not can_cut():
        return
    chosen = choose_tokenizers()
    show_own_tokenizers()
    file = st.file_uploader(
        text("token_files.upload"),
        type=["txt", "md", "jsonl", "ndjson", "json", "csv", "log", "py"],
        key="upload_text",
        max_upload_size=UPLOAD_MEGABYTES,
    )
    if file is not None:
        read_as, field = choose_reading(file.name, file.getbuffer()[:1_000_000].tobytes())
        st.button(
            text("token_files.start"),
            key="start_count",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not chosen or is_counting(),
            on_click=start,
            args=(file.name, file, [each.own or each.name for each in chosen], [each.title for each in chosen], read_as, field),
        )
    count = st.session_state.get("file_count")
    if count is not None:
        if count.is_over:
            show_result(count)
        else:
            show_progress()
    show_licences(chosen)


def is_counting() -> bool:
    """Whether a count of this session is under way."""
    count = st.session_state.get("file_count")
    return count is not None and not count.is_over


def start(name: str, file: io.BytesIO, tokenizers: list, titles: list[str], read_as: str, field: str | None) -> None:
    """Begin to count."""
    st.session_state["counted_as"] = read_as
    st.session_state["file_count"] = FileCount(name, io.BytesIO(file.getbuffer()), tokenizers, titles, read_as, field)


@st.fragment(run_every=POLL_SECONDS)
def show_progress() -> None:
    """How far it is, looked at again and again without holding the page, and a button that stops it."""
    count: FileCount = st.session_state["file_count"]
    if count.is_over:
        st.rerun()
    progress = count.progress
    with st.container(horizontal=True, vertical_alignment="center", key="file_progress"):
        if progress is None:
            st.progress(0.0, text("token_files.waiting" if count.state == count.WAITING else "token_files.begun"))
        else:
            done, all_ = progress.bytes_done, progress.bytes_in_all
            said = text(
                "token_files.progress", done=gigabytes(done), all=gigabytes(all_), tokens=grouped(sum(progress.total.tokens))
            )
            st.progress(min(done / all_, 1.0) if all_ else 1.0, said)
        st.button(text("token_files.stop"), key="stop_count", on_click=count.stop, icon=":material/stop:")


def show_result(count: FileCount) -> None:
    """What was counted, and how it ended."""
    st.subheader(plain(count.file))
    if isinstance(count.fault, ConfigError):
        show_error(count.fault)
    elif count.fault is not None:
        raise count.fault
    if count.state == count.STOPPED:
        st.warning(text("token_files.stopped"))
    if count.progress is None:
        return
    by_rows = st.session_state.get("counted_as") != WHOLE
    st.html(file_totals(current(), count.progress.total, count.titles, by_rows))
    if count.state == count.DONE:
        headings = [text(f"token_files.{name}") for name in ("number" if by_rows else "file", "characters", "bytes")]
        download_csv(
            text("token_files.csv"),
            file_name(count.file, "tokens"),
            lambda: count.table([*headings, *count.titles]),
            key="tokens_csv",
        )
        if by_rows and count.rows_written == MOST_ROWS:
            st.caption(text("token_files.most_rows", rows=f"{MOST_ROWS:,}"))


start_page()
main()
