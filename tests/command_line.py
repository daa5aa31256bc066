"""What `python -m calc` prints, and the one line it leaves on stderr for whatever is wrong."""

from calc.__main__ import main


def output_of(arguments, capsys):
    """What a command that succeeds prints."""
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def complaint_of(arguments, capsys):
    """The one line that a command which fails leaves on stderr."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.isascii()
    assert captured.err.endswith("\n") and len(captured.err.splitlines()) == 1
    assert "Traceback" not in captured.err
    return captured.err
