"""The door of the app: ``streamlit run streamlit_app.py``."""

from ui import page

page.run()
