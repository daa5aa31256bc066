"""How fast the arithmetic and the app are, as ratios: ``python -m tests.benchmark``.

Run by hand on a quiet Linux machine; no test, and nothing here decides whether the tests pass.
"""
