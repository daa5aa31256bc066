"""Which script a piece of text is written in, by the Unicode Character Database (calc/data/scripts.json)."""

from __future__ import annotations

import json
from bisect import bisect_right
from functools import cache, lru_cache
from pathlib import Path

SCRIPTS_FILE = Path(__file__).parents[1] / "data" / "scripts.json"

COMMON = "Common"
"""What every script uses: spaces, digits, punctuation, signs, emoji, combining marks."""
SEVERAL = "Several"
"""Letters of more than one script in one token."""


@lru_cache(maxsize=1 << 16)
def script_of_character(character: str) -> str:
    """A character's script: Latin, Han, Cyrillic …, Common for what all scripts share, Other for a rare one.

    Han is a unified ideograph; 々 and 〇 count as signs.

    >>> [script_of_character(c) for c in "aЯ吃の한ก1 々"]
    ['Latin', 'Cyrillic', 'Han', 'Hiragana', 'Hangul', 'Thai', 'Common', 'Common', 'Common']
    """
    firsts, lasts, scripts = _table()
    at = bisect_right(firsts, ord(character)) - 1
    return scripts[at] if at >= 0 and ord(character) <= lasts[at] else COMMON


def script_of(text: str) -> str:
    """The one script of a text's letters, `SEVERAL` where they are of more than one, `COMMON` where there are none.

    >>> script_of(" the"), script_of("12,"), script_of("吃apple")
    ('Latin', 'Common', 'Several')
    """
    scripts = set(map(script_of_character, text)) - {COMMON}
    return COMMON if not scripts else scripts.pop() if len(scripts) == 1 else SEVERAL


def is_only(text: str, script: str) -> bool:
    """Whether every character of a text is of a script.

    >>> is_only("吃了", "Han"), is_only(" 吃", "Han")
    (True, False)
    """
    return bool(text) and all(script_of_character(character) == script for character in text)


@cache
def _table() -> tuple[list[int], list[int], list[str]]:
    """First and last code point of every stretch, in order, and its script."""
    stretches = sorted(
        (first, last, script)
        for script, ranges in json.loads(SCRIPTS_FILE.read_text(encoding="utf-8")).items()
        for first, last in ranges
    )
    return [first for first, _, _ in stretches], [last for _, last, _ in stretches], [script for _, _, script in stretches]
