"""What the pages show of a model: each figure as a piece of HTML, made by a pure function in the language asked for.

Their style sheet is `figures.css`, beside them.
"""
