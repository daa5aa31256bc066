"""`count`: every tensor of a model, and their sum."""

from __future__ import annotations

import argparse
import json
import sys

from calc.commands.models import has_config, model_help, model_of
from calc.export import parts_csv, parts_document
from calc.model import Model
from calc.tensors import PARTS, Tensor

HELP = "every tensor of a model, and their sum"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL [--checkpoint] [--like TYPE] [--json | --csv]."""
    parser.add_argument("model", metavar="MODEL", help=model_help())
    parser.add_argument("--checkpoint", action="store_true", help="read the headers of the model's weights, not its config.json")
    parser.add_argument("--like", metavar="TYPE", help="count a config as this model_type, whatever it says itself")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as a JSON document")
    form.add_argument("--csv", action="store_true", help="as CSV, one line a tensor")


def run(arguments: argparse.Namespace) -> None:
    """Print a model's parts list, or what a checkpoint holds."""
    if arguments.checkpoint or not has_config(arguments.model):
        from calc.checkpoint.sources import is_checkpoint

        if arguments.checkpoint or is_checkpoint(arguments.model):
            return count_checkpoint(arguments)
    model = model_of(arguments.model, arguments.like)
    if arguments.json:
        document = parts_document(model.name, model.parts_list, model.not_read, model.remarks)
        print(json.dumps(document | ({"like": arguments.like} if arguments.like else {}), indent=1))
    elif arguments.csv:
        sys.stdout.write(parts_csv(model.parts_list))
    else:
        print(count_as_text(model))
        if arguments.like:
            print(f"\ncounted as {arguments.like}, as --like says, whatever the config's model_type is")


def count_checkpoint(arguments: argparse.Namespace) -> None:
    """Print what a checkpoint holds: as text, JSON or CSV. Raises ConfigError: all that `read_checkpoint` raises."""
    from calc.checkpoint.report import checkpoint_csv, checkpoint_document, checkpoint_text
    from calc.checkpoint.sources import read_checkpoint
    from calc.commands.progress import progress_line

    checkpoint = read_checkpoint(arguments.model, progress_line())
    if arguments.json:
        print(json.dumps(checkpoint_document(checkpoint), indent=1))
    elif arguments.csv:
        sys.stdout.write(checkpoint_csv(checkpoint))
    else:
        print(checkpoint_text(checkpoint))


def count_as_text(model: Model) -> str:
    """The addition as on paper: a line a tensor, a line a part, the total, and what was assumed."""
    rows = [
        (tensor.name, tensor.formula, f"{tensor.copies:,} × {tensor.count:,}", _parameters_text(tensor))
        for tensor in model.tensors
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}" for row in rows]
    by_part, parts_list = model.parameters_by_part, model.parts_list
    lines += ["", *(f"{part:<{widths[0]}}  {by_part[part]:>18,}" for part in PARTS if by_part[part])]
    lines += [f"{model.name:<{widths[0]}}  {model.parameters:>18,} parameters"]
    if parts_list.assumed:
        assumed = (f"{item.field} = {json.dumps(item.value)}" for item in parts_list.assumed)
        lines += ["", f"assumed: {', '.join(assumed)}"]
    if parts_list.not_counted:
        lines += ["", f"not counted, as it is no part of the language model: {', '.join(parts_list.not_counted)}"]
    if model.not_read:
        fields = (each.field + (f" (did you mean {each.similar}?)" if each.similar else "") for each in model.not_read)
        lines += ["", f"not read in counting this as {model.model_type}: {', '.join(fields)}"]
    for remark in model.remarks:
        lines += ["", str(remark)]
    return "\n".join(lines)


def _parameters_text(tensor: Tensor) -> str:
    return "tied" if tensor.tied_to else f"{tensor.parameters:,}"
