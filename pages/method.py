import streamlit as st

from ui import page
from ui.texts import text

page.start_page()
st.title(text("frame.page_method"))
