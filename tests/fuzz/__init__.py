"""Hostile inputs by the thousand, seeded: `python -m tests.fuzz --inputs 100000 --seed 1`."""
