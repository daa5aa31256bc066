"""`reconcile`: a model's parts list against the tensors of a checkpoint."""

from __future__ import annotations

import argparse
import json

from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.report import reconciliation_document, reconciliation_text
from calc.checkpoint.sources import read_checkpoint
from calc.commands.models import model_help, model_of
from calc.commands.progress import progress_line

HELP = "a model's parts list held against a checkpoint"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """CONFIG_OR_ID CHECKPOINT [--json]."""
    parser.add_argument("model", metavar="CONFIG_OR_ID", help=model_help())
    parser.add_argument("checkpoint", metavar="CHECKPOINT", help="a folder, .safetensors, index or .gguf, or a Hub id or address")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print how a checkpoint differs from a model's parts list, cause by cause.

    Raises ConfigError: packing_unclear, and all that `Model.of` and `read_checkpoint` raise.
    """
    model = model_of(arguments.model)
    checkpoint = read_checkpoint(arguments.checkpoint, progress_line())
    result = reconcile(model, checkpoint)
    if arguments.json:
        print(json.dumps(reconciliation_document(model.name, checkpoint, result), indent=1))
    else:
        print(reconciliation_text(model.name, checkpoint, result))
