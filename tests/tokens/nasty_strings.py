"""Texts a tokenizer may stumble over, the same on every run: scripts, spaces, marks, emoji, markers, vocabulary pieces."""

import random
import unicodedata

SPACES = (
    " ", "  ", "   ", " " * 8, " " * 17, " " * 40, "\t", "\t\t", "\t" * 40, "\n", "\n\n", "\n" * 9, "\n" * 40, "\r\n", "\r",
    " \n", "\n ", " \t ", "\r\n\r\n ", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u1680", "\u180e",
    "\u2000", "\u2003", "\u200a", "\u200b", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff", "\u2581", "\u2581" * 5,
)  # fmt: skip
CONTROLS = (
    *map(chr, range(32)), "\x7f", "\x80", "\x9f", "\xad", "\u200e", "\u202e", "\u2066", "\ufff9", "\ufffd", "\ufffe", "\uffff",
    "\ue000", "\U000e0001", "\U0010ffff",
)  # fmt: skip
MARKS = (
    "\u0301", "\u0308", "\u0323", "\u0344", "\u0483", "\u0591", "\u064b", "\u0670", "\u093c", "\u0941", "\u0e31", "\u0e48",
    "\u20dd", "\u20e3", "\u3099", "\u302a", "\ufe0f", "\ufe20", "\u1ab0", "\U0001d165", "e\u0301", "a\u0323\u0301",
    "a\u0301\u0323", "\u1100\u1161\u11a8", "\u1161", "\u09c7\u09be", "\u212b", "\u2126", "\ufb01", "\u0958", "\uf900",
    "\U0002f800", "\u1e9b\u0323", "\u0387", "\u037e",
)  # fmt: skip
EMOJI = (
    "😀", "👩‍👩‍👧‍👦", "👍🏽", "🏳️‍🌈", "🇨🇳", "🇨🇳🇬", "1️⃣", "❤️", "☃", "🫠", "🧑‍🚀", "\u200d", "🤷🏿‍♀️", "🏴\U000e0067\U000e0062\U000e007f",
)  # fmt: skip
APOSTROPHES = (
    "'s", "'S", "'ſ", "'t", "'re", "'RE", "'Re", "'ve", "'m", "'ll", "'lL", "'d", "’s", "'", "''", "don't", "DON'T", "I'm",
    "we'll", "ſ", "\u212a", "it'sx",
)  # fmt: skip
NUMBERS = (
    "1", "12", "123", "1234", "12345", "1234567890", "٣٤٥", "४५६७", "０１２３", "²", "½", "Ⅷ", "①", "〇", "𝟙𝟚𝟛𝟜", "3.14159",
    "1,234,567.89", "0x1F", "1e-9", "২০২৬", "๑๒๓๔",
)  # fmt: skip
WORDS = (
    "strawberry", "I ate an apple", "我吃了一个苹果", "Hello, world!", "déjà vu", "Straße", "İstanbul", "ǅungla", "Ελληνικά",
    "русский", "Ёлка", "עברית", "العربية", "हिन्दी", "বাংলা", "தமிழ்", "ไทย", "ភាសាខ្មែរ", "မြန်မာ", "日本語です", "カタカナ", "ひらがな",
    "한국어", "ᏣᎳᎩ", "ქართული", "Հայերեն", "አማርኛ", "ᠮᠣᠩᠭᠣᠯ", "བོད", "國語", "龘", "㐀", "𠀀𠀁", "𐍈", "𝒜𝓫", "ﬁne", "ＡＢＣ", "camelCase",
    "XMLHttpRequest", "snake_case", "__init__", "def f(x):\n    return x**2", "http://a.b/c?d=e&f#g", "$x^2$", "\\frac{a}{b}",
    "<p>", "</p>", "<table>", "<b>x</b>", "x> </b", "<td> </td>", "//", "/*", "...", "…", "—", "。", "，", "「", "！", "?!", "=>",
    "!==", "####", "```", "~~", "\\n", "/\n", "!\n\n", ".\r\n", "a" * 23, "ab" * 8, "哈哈哈哈哈哈", "ーーーー", "ʰʲ", "ªº", "ⅸ", "ⓐ", "々",
)  # fmt: skip
MARKERS = (
    "<s>", "</s>", "<unk>", "<pad>", "<bos>", "<eos>", "<mask>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|eot_id|>",
    "<|begin_of_text|>", "[INST]", "[/INST]", "<|think|>", "<think>", "</think>", "<｜begin▁of▁sentence｜>", "<｜User｜>",
    "<start_of_turn>", "<end_of_turn>", "<start_of_image>", "[gMASK]", "<sop>", "<|user|>", "[BOS]", "[EOS]", "<|im_user|>",
    "<0x0A>", "<0xE5>", "<unused1>", "<unused6241>", "<|fim_prefix|>", "<|endofprompt|>", "[multimodal]", "<tool_call>",
    "<|reserved_special_token_0|>", "<SPECIAL_20>", "<|plan|>", "<|/function|>",
)  # fmt: skip
ALPHABETS = (
    "ab", " a", "a\n", " \n\t", "ab 's", "01 ", "\r\n ", "aA1 .", "é\u0301e", "我是 a", "xX\u0301\u4e00", "a1.\n", "> </b",
    "\u2581 a",
)  # fmt: skip
BLOCKS = (
    (0x20, 0x7F), (0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x180), (0x180, 0x250), (0x250, 0x370), (0x370, 0x400), (0x400, 0x530),
    (0x530, 0x590), (0x590, 0x600), (0x600, 0x700), (0x700, 0x900), (0x900, 0xB00), (0xB00, 0xE00), (0xE00, 0x1000),
    (0x1000, 0x1200), (0x1200, 0x1400), (0x1400, 0x1700), (0x1700, 0x1A00), (0x1A00, 0x1E00), (0x1E00, 0x2000),
    (0x2000, 0x2190), (0x2190, 0x2600), (0x2600, 0x2C00), (0x2C00, 0x2E80), (0x2E80, 0x3040), (0x3040, 0x3100),
    (0x3100, 0x3400), (0x3400, 0x4E00), (0x4E00, 0xA000), (0x4E00, 0xA000), (0xA000, 0xA4D0), (0xA4D0, 0xAC00),
    (0xAC00, 0xD7A4), (0xF900, 0xFB00), (0xFB00, 0xFE00), (0xFE00, 0xFFF0), (0x10000, 0x10400), (0x10400, 0x11000),
    (0x11000, 0x12000), (0x12000, 0x18000), (0x1B000, 0x1D000), (0x1D000, 0x1D800), (0x1D800, 0x1F000), (0x1F000, 0x1FB00),
    (0x20000, 0x2A6E0), (0x2A700, 0x2FA20), (0x30000, 0x3134B), (0xE0000, 0xE01F0),
)  # fmt: skip
KINDS = (SPACES, CONTROLS, MARKS, EMOJI, APOSTROPHES, NUMBERS, WORDS, MARKERS)


def nasty_strings(number: int, vocabulary=(), seed=1):
    """So many texts: every oddity by itself and beside a space, then mixtures. Only assigned characters (of Unicode 14)."""
    chance = random.Random(seed)
    texts = [text for kind in KINDS for one in kind for text in (one, f" {one}", f"{one} ", f"a{one}b")]
    while len(texts) < number:
        texts.append(mixture(chance, vocabulary))
    return texts[:number]


def mixture(chance, vocabulary):
    """One text made up at random."""
    form = chance.randrange(7)
    if form < 3:
        parts = []
        for _ in range(chance.randrange(1, 12)):
            parts.append(chance.choice(chance.choice(KINDS)))
            if chance.random() < 0.3:
                parts.append(character(chance, *chance.choice(BLOCKS)))
            if vocabulary and chance.random() < 0.3:
                parts.append(chance.choice(vocabulary))
        return "".join(parts)
    if form == 3:
        return "".join(character(chance, *chance.choice(BLOCKS)) for _ in range(chance.randrange(1, 25)))
    if form == 4:
        block = chance.choice(BLOCKS)
        return "".join(character(chance, *block) for _ in range(chance.randrange(1, 20)))
    if form == 5 and vocabulary:
        return "".join(chance.choice(vocabulary) for _ in range(chance.randrange(1, 15)))
    alphabet = chance.choice(ALPHABETS)
    return "".join(chance.choice(alphabet) for _ in range(chance.randrange(1, 40)))


def character(chance, first, end):
    """A character of a block that is assigned; a space where chance finds none."""
    for _ in range(8):
        found = chr(chance.randrange(first, end))
        if unicodedata.category(found) not in ("Cn", "Cs"):
            return found
    return " "
