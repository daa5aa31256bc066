"""Comparison: the table, two models subtracted by part and by cause, and what is written down of it."""
