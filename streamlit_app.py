"""The door of the app: ``streamlit run streamlit_app.py``."""

from ui.frame import page

page.run()
