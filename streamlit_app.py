"""The door of the app, `streamlit run streamlit_app.py`: its pages, by section, in the order of the navigation."""

from ui.frame import page

# Section → pages. The page `parts` is the script pages/parts.py at the address /parts, with the title `frame.page_parts` of
# ui/texts; a section drops down from its title, `frame.section_compute`. The first page is also what the bare address shows.
PAGES = {
    "": ["parts", "checkpoint", "compare", "difference", "method"],
    "compute": ["flops", "inference", "training"],
    "memory": ["formats", "kv_cache", "fit", "decode", "training_memory", "units"],
    "tokens": ["tokens", "languages", "merges", "vocabulary", "token_files"],
}

if __name__ == "__main__":
    page.run(PAGES)
