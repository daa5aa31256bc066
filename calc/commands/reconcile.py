"""`reconcile`: a model's parts list held against a checkpoint."""

from __future__ import annotations

import argparse

from calc.commands.models import model_help
from calc.model import Model

HELP = "a model's parts list held against a checkpoint"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """CONFIG_OR_ID CHECKPOINT [--json]."""
    parser.add_argument("model", metavar="CONFIG_OR_ID", help=model_help())
    parser.add_argument("checkpoint", metavar="CHECKPOINT", help="a folder, .safetensors, index or .gguf, or a Hub id or address")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print how a checkpoint differs from a model's parts list, cause by cause."""
    from calc.checkpoint.command import print_reconciliation

    print_reconciliation(Model.of(arguments.model), arguments)
