"""`types`: every model_type that can be counted."""

from __future__ import annotations

import argparse

from calc.families import FAMILIES

HELP = "every model_type that can be counted"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(arguments: argparse.Namespace) -> None:
    """Print every model_type, a line each."""
    print("\n".join(sorted(FAMILIES)))
