"""The same answers on the command line: `python -m calc count llama-2-7b`."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

from calc.commands import COMMANDS, command
from calc.errors import ConfigError

EXIT_NO_OUTPUT = 1
EXIT_BAD_INPUT = 2
LONGEST_COMPLAINT = 400
"""Characters of argparse's complaints, which repeat what was typed."""


class UsageError(Exception):
    """Words on the command line that argparse does not accept."""


class OneLineParser(argparse.ArgumentParser):
    """argparse, with its complaints raised instead of printed over several lines."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing the usage and leaving."""
        shown = message if len(message) <= LONGEST_COMPLAINT else f"{message[:LONGEST_COMPLAINT]} ..."
        raise UsageError(f"{shown} (python -m calc --help shows what is there)")


def main(argv: Sequence[str] | None = None) -> int:
    """Answer one command. Prints to stdout and returns 0; a bad input gives one line on stderr and 2."""
    try:
        argv = sys.argv[1:] if argv is None else argv
        arguments = _parser(argv).parse_args(argv)
        with _printing():
            arguments.run(arguments)
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
    if isinstance(sys.stdout, io.TextIOWrapper):
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


def _parser(asked: Sequence[str]) -> OneLineParser:
    """The parser of the commands: of the one asked for alone, so that no other is imported; of all for the help."""
    parser = OneLineParser(prog="python -m calc", description="Take a large language model apart, exactly.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    first = next((word for word in asked if not word.startswith("-")), None)
    for name in (first,) if first in COMMANDS else COMMANDS:
        module = command(name)
        of_command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(of_command)
        of_command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
