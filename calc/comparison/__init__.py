"""Models side by side: the table, what makes the difference of two, and the table written down.

cells.py        a cell: a value, or the reason why there is none
fields.py       cells of the config's fields
readings.py     cells of the tensors: layers, parts, totals, bytes, FLOPs, ratios
workings.py     how a cell is made, in symbols and in numbers
columns.py      the columns, declared, each with its reading and its working
comparison.py   `compare`: a row a model, a cell a column
parts.py        two models subtracted, part by part
causes.py       the same difference by cause: which changed number accounts for how much
attribution.py  from one config to another, one number at a time
averaged.py     the same, averaged over all orders
difference.py   `difference`: by part and by cause together
export.py       the comparison as CSV, JSON and Markdown
"""
