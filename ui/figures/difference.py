"""A difference from the model that one is compared with, marked as one wherever it stands."""

from __future__ import annotations


def difference(written: str) -> str:
    """A change as it is written, `+131,072,000`, as HTML; where nothing is written, nothing.

    >>> difference("+5"), difference("")
    ('<em class="difference">+5</em>', '')
    """
    return f'<em class="difference">{written}</em>' if written else ""
