"""The picture of a parts list, an SVG: all rectangles on one scale, in the order data flows.

parts_diagram.py   the whole picture, and the scale at which it fits
layers.py          one layer as cells
cells.py           rectangles with their labels, one below or beside the other
drawing.py         the shapes themselves
words.py           what it says, in English
colours.py         one colour for each part
notebook.py        the picture as a notebook shows it
"""
