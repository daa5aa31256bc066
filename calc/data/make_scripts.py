"""Write scripts.json: the script of every character, as ranges of code points.

    python calc/data/make_scripts.py

Source: the Unicode Character Database's property Script, through the `regex` package (requirements-dev.txt). Python's
own unicodedata has no scripts. Left out: Common and Inherited, which every script shares, and what is not assigned.

Han is narrowed to the unified ideographs, the characters with a meaning and a sound of their own: radicals, 々 and 〇
have the script Han as well, and count as signs here.
"""

import json
from pathlib import Path

import regex

OUTPUT = Path(__file__).with_name("scripts.json")
SCRIPTS = (
    "Latin", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Yi", "Cyrillic", "Greek", "Armenian", "Georgian", "Hebrew",
    "Arabic", "Syriac", "Thaana", "Nko", "Ethiopic", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil",
    "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer", "Mongolian", "Javanese",
    "Balinese", "Sundanese", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Cham", "Meetei_Mayek", "Ol_Chiki", "Saurashtra", "Cherokee",
    "Canadian_Aboriginal", "Tifinagh", "Vai", "Coptic", "Gothic", "Runic", "Ogham", "Glagolitic", "Braille", "Cuneiform",
    "Egyptian_Hieroglyphs", "Phoenician", "Avestan", "Brahmi", "Deseret", "Adlam", "Lisu", "Bamum",
)  # fmt: skip
"""The scripts told apart; a character of any other one has the script Other."""


EVERY_CHARACTER = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)


def ranges(pattern: str) -> list[list[int]]:
    """First and last code point of every stretch of characters that a class matches.

    >>> ranges("[b-dx]")
    [[98, 100], [120, 120]]
    """
    found: list[list[int]] = []
    for match in regex.finditer(f"{pattern}+", EVERY_CHARACTER, regex.VERSION1):
        first, last = ord(match[0][0]), ord(match[0][-1])
        if first < 0xD800 <= last:
            found += [[first, 0xD7FF], [0xE000, last]]
        else:
            found.append([first, last])
    return found


def main() -> None:
    """Write the file."""
    table = {script: ranges(rf"\p{{Script={script}}}") for script in SCRIPTS}
    table["Han"] = ranges(r"[\p{Script=Han}&&\p{Unified_Ideograph}]")
    of_these = "".join(rf"\p{{Script={script}}}" for script in (*SCRIPTS, "Common", "Inherited"))
    table["Other"] = ranges(rf"[\p{{Assigned}}--[\p{{C}}{of_these}]]")
    OUTPUT.write_text(
        "{\n" + ",\n".join(f"{json.dumps(s)}: {json.dumps(r, separators=(',', ':'))}" for s, r in table.items()) + "\n}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
