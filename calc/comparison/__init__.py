"""Models side by side: the table, what makes the difference of two, and the table written down.

compared.py    a model to compare, a cell
fields.py      cells that hold the config's fields
readings.py    cells that are read from the parts list: layers, parts, totals, bytes, FLOPs, ratios
costs.py       cells that say what a token costs
worked.py      how a cell is made, in symbols and in numbers
columns.py     the columns, declared; a model's row
difference.py  two models subtracted, part by part
causes.py      the same difference by cause: which changed number accounts for how much
path.py        from one config to another, one number at a time
averaged.py    the same, averaged over all orders
export.py      the table as CSV, JSON and Markdown
"""
