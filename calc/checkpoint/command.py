"""What the command line does with checkpoints: counts one, or holds it against a model."""

from __future__ import annotations

import argparse
import json
import os
import sys

from calc.checkpoint.reconcile import reconcile
from calc.checkpoint.report import (
    checkpoint_csv,
    checkpoint_document,
    checkpoint_text,
    reconciliation_document,
    reconciliation_text,
)
from calc.checkpoint.sources import SUFFIXES, is_checkpoint_path, read_checkpoint
from calc.checkpoint.stored import Progress
from calc.model import Model


def is_checkpoint(source: str) -> bool:
    """Whether `count` is asked for a file's tensors: a file by its name, or a folder that has no config.json.

    >>> is_checkpoint("model.safetensors"), is_checkpoint("https://huggingface.co/org/name/blob/main/m.gguf?x=1")
    (True, True)
    >>> is_checkpoint("config.json"), is_checkpoint("llama-2-7b")
    (False, False)
    """
    if os.path.isdir(source):
        return not os.path.exists(os.path.join(source, "config.json")) and any(
            name.endswith(SUFFIXES) for name in os.listdir(source)
        )
    return is_checkpoint_path(source.partition("?")[0])


def count_checkpoint(arguments: argparse.Namespace) -> None:
    """Print what a checkpoint holds: as text, JSON or CSV. Raises ConfigError: all that `read_checkpoint` raises."""
    checkpoint = read_checkpoint(arguments.model, _progress())
    if arguments.json:
        print(json.dumps(checkpoint_document(checkpoint), indent=1))
    elif arguments.csv:
        sys.stdout.write(checkpoint_csv(checkpoint))
    else:
        print(checkpoint_text(checkpoint))


def print_reconciliation(model: Model, arguments: argparse.Namespace) -> None:
    """Print a config's parts list held against a checkpoint.

    Raises ConfigError: packing_unclear, and all that `Model.of` and `read_checkpoint` raise.
    """
    checkpoint = read_checkpoint(arguments.checkpoint, _progress())
    result = reconcile(model, checkpoint)
    if arguments.json:
        print(json.dumps(reconciliation_document(model.name, checkpoint, result), indent=1))
    else:
        print(reconciliation_text(model.name, checkpoint, result))


def _progress() -> Progress | None:
    """A line on the terminal that counts the files; nothing where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def show(read: int, files: int, transferred: int) -> None:
        end = "\r\x1b[K" if read == files else ""
        print(f"\r{read}/{files} files, {transferred / 1e6:.1f} MB read{end}", end="", file=sys.stderr, flush=True)

    return show
