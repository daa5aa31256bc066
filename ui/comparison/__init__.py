"""The comparison on the page: which models, the table, the charts, a cell worked out."""
