"""The same answers on the command line: `python -m calc count llama-2-7b`."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from calc.build import build_parts_list
from calc.catalogue import catalogue, find_model
from calc.errors import ConfigError
from calc.export import parts_csv, parts_document
from calc.families import FAMILIES
from calc.parts_list import PartsList, parameters, parameters_by_part
from calc.read_config import read_config_file
from calc.tensors import PARTS

MODEL_HELP = f"a path to a config.json, a Hub id or address, or one of: {', '.join(catalogue())}"
EXIT_NO_OUTPUT = 1
EXIT_BAD_INPUT = 2


class UsageError(Exception):
    """Words on the command line that argparse does not accept."""


class OneLineParser(argparse.ArgumentParser):
    """argparse, with its complaints raised instead of printed over several lines."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing the usage and leaving."""
        raise UsageError(f"{message} (python -m calc --help shows what is there)")


def main(argv: Sequence[str] | None = None) -> int:
    """Answer one command. Prints to stdout and returns 0; a bad input gives one line on stderr and 2."""
    try:
        arguments = _parser().parse_args(argv)
        with _printing():
            arguments.command(arguments)
    except SystemExit as done:  # argparse has printed its help
        return int(done.code or 0)
    except (ConfigError, UsageError) as error:
        return _complain(str(error), EXIT_BAD_INPUT)
    except BrokenPipeError:  # the reader, `head` for instance, has seen enough
        _drop_what_is_left()
        return 0
    except OSError as error:
        _drop_what_is_left()
        return _complain(f"cannot write the answer: {error.strerror}", EXIT_NO_OUTPUT)
    return 0


@contextlib.contextmanager
def _printing() -> Iterator[None]:
    """Print to a stdout of any encoding, what it lacks escaped, and see whether it all arrived."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    yield
    sys.stdout.flush()


def _drop_what_is_left() -> None:
    """Keep the interpreter from trying once more, when it ends, to write what could not be written."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str, exit_code: int) -> int:
    """One line on stderr, in ASCII, whatever the input held."""
    line = " ".join(sentence.split())
    print(line.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return exit_code


def count(arguments: argparse.Namespace) -> None:
    """Print a model's parts list, or what a checkpoint holds: as text, JSON or CSV."""
    from calc.checkpoint.command import count_checkpoint, is_checkpoint

    if is_checkpoint(arguments.model):
        return count_checkpoint(arguments)
    name, parts_list = load_model(arguments.model)
    if arguments.json:
        print(json.dumps(parts_document(name, parts_list), indent=1))
    elif arguments.csv:
        sys.stdout.write(parts_csv(parts_list))
    else:
        print(count_as_text(name, parts_list))


def reconcile(arguments: argparse.Namespace) -> None:
    """Print how a checkpoint differs from a model's parts list, cause by cause: as text or JSON."""
    from calc.checkpoint.command import print_reconciliation

    print_reconciliation(*load_config(arguments.model), arguments)


def load_model(model: str) -> tuple[str, PartsList]:
    """What `load_config` reads → its name and parts list."""
    name, values = load_config(model)
    return name, build_parts_list(values)


def load_config(model: str) -> tuple[str, Mapping[str, object]]:
    """A catalogue name, a path (a config.json or its folder), or a Hub id or address → its name and config."""
    try:
        found = find_model(model)
    except ConfigError:
        if os.path.isdir(model):
            path = os.path.join(model, "config.json")
        elif os.path.exists(model) or model.endswith(".json"):
            path = model
        else:
            from calc.checkpoint.command import hub_config

            on_the_hub = hub_config(model)
            if on_the_hub is None:
                raise
            return on_the_hub
        return model, read_config_file(path)
    return found.name, found.config


def types(arguments: argparse.Namespace) -> None:
    """Print every model_type that can be counted, a line each."""
    print("\n".join(sorted(FAMILIES)))


def count_as_text(name: str, parts_list: PartsList) -> str:
    """The addition as on paper: a line a tensor, a line a part, the total, and what was assumed."""
    rows = [
        (tensor.name, tensor.formula, f"{tensor.copies:,} × {tensor.count:,}", _parameters_text(tensor))
        for tensor in parts_list.tensors
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}" for row in rows
    ]
    by_part = parameters_by_part(parts_list.tensors)
    total = parameters(parts_list.tensors)
    lines += ["", *(f"{part:<{widths[0]}}  {by_part[part]:>18,}" for part in PARTS if by_part[part])]
    lines += [f"{name:<{widths[0]}}  {total:>18,} parameters"]
    if parts_list.assumed:
        assumed = (f"{item.field} = {json.dumps(item.value)}" for item in parts_list.assumed)
        lines += ["", f"assumed: {', '.join(assumed)}"]
    return "\n".join(lines)


def _parameters_text(tensor) -> str:
    return "tied" if tensor.tied_to else f"{tensor.parameters:,}"


def _parser() -> OneLineParser:
    parser = OneLineParser(prog="python -m calc", description="Take a large language model apart, exactly.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    counting = commands.add_parser("count", help="every tensor of a model, and their sum")
    counting.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    form = counting.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as a JSON document")
    form.add_argument("--csv", action="store_true", help="as CSV, one line a tensor")
    counting.set_defaults(command=count)
    holding = commands.add_parser("reconcile", help="a model's parts list held against a checkpoint")
    holding.add_argument("model", metavar="CONFIG_OR_ID", help=MODEL_HELP)
    holding.add_argument("checkpoint", metavar="CHECKPOINT", help="a folder, .safetensors, index or .gguf, or a Hub id or address")
    holding.add_argument("--json", action="store_true", help="as a JSON document")
    holding.set_defaults(command=reconcile)
    listing = commands.add_parser("types", help="every model_type that can be counted")
    listing.set_defaults(command=types)
    return parser


if __name__ == "__main__":
    sys.exit(main())
