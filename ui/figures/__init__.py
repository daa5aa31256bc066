"""What the pages show of a model: each figure as a piece of HTML, made by a pure function in the language asked for.

Their style sheet, and that of what several rooms show, is `figures.css`.
"""
