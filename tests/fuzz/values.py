"""What strangers put where a value is expected."""

from __future__ import annotations

import json
from random import Random

WORDS = [
    "", " ", "0", "-1", "1", "4096", "1e99999999", "-1e-99999999", "1e400", "NaN", "Infinity", "-inf", "sNaN", "٣", "1_0", "1,0,0", "½",
    "²", "0x10", "2T", "2TT", "1e12B", "40%", "100%%", "%", "9" * 40, "9" * 5000, "1" + "0" * 400, "true", "null", "\x00", "\ud800", "😀" * 50,
    "‮abc", "../../etc/passwd", "<script>alert(1)</script>", "![x](https://evil.example/x.png)", "{x}", "{0.__class__}", "%s%n",
    "llama", "gpt2", "org/name", "org/name@main", "https://huggingface.co/a/b", "a/b/c/d", "-", "--", "--json", "fp16", "q8_0", "A100",
]  # fmt: skip
NUMBERS = [
    0, -1, 1, 2, 3, 7, 8, 64, 128, 4096, 10**4, 10**5, 10**9, 10**12, 2**31, 2**63, 2**64, 10**18, 10**30, 10**300, -(10**30), 0.0, -0.0,
    0.5, 1.5, 1e308, 5e-324, float("nan"), float("inf"), float("-inf"), True, False, None,
]  # fmt: skip


def value(random: Random, depth: int = 0) -> object:
    """A value of JSON, of any type."""
    kind = random.randrange(10)
    if kind < 6 or depth > 3:
        return random.choice(NUMBERS)
    if kind < 8:
        return word(random)
    if kind == 8:
        return [value(random, depth + 1) for _ in range(random.choice((0, 1, 2, 5, 32)))]
    return {str(random.choice(WORDS[:20])): value(random, depth + 1) for _ in range(random.randrange(4))}


def word(random: Random) -> str:
    """A text: one of the list, or random characters."""
    if random.random() < 0.7:
        return random.choice(WORDS)
    return "".join(
        chr(random.choice((random.randrange(128), random.randrange(0x3000), random.randrange(0xD800))))
        for _ in range(random.randrange(30))
    )


def damaged(random: Random, content: bytes) -> bytes:
    """Bytes with some of them changed, cut out, repeated or put in."""
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        at = random.randrange(len(changed) + 1)
        match random.randrange(5):
            case 0:
                changed[at:at] = random.randbytes(random.randrange(9))
            case 1:
                del changed[at : at + random.randrange(20)]
            case 2:
                changed[at : at + 1] = bytes([random.randrange(256)])
            case 3:
                changed[at:at] = changed[max(0, at - random.randrange(40)) : at]
            case 4:
                del changed[at:]
    return bytes(changed)


def nested(random: Random) -> str:
    """JSON that is very deep."""
    depth = random.choice((10, 500, 5_000, 100_000))
    opening, closing = random.choice((("[", "]"), ('{"text_config":', "}")))
    return '{"model_type": "llama", "x": ' + opening * depth + "1" + closing * depth + "}"


def written(values: object) -> str:
    """As the text of a config.json."""
    return json.dumps(values, ensure_ascii=False)
