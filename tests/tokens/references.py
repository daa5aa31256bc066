"""Other implementations of the same tokenizers: tiktoken, tokenizers, sentencepiece, and a plain one written here.

The patterns are those of the published files, not calc's: OpenAI's come from tiktoken itself; Llama 3's from Meta's
llama_models/llama3/tokenizer.py; Qwen's, GLM's and DeepSeek's from the tokenizer.json of the models; Kimi's from its
tokenization_kimi.py; Tekken's from Mistral's tekken.json.
"""

from functools import cache

import regex
import tiktoken
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2
from tiktoken_ext import openai_public
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from calc.tokens.loaded import bytes_of_alphabet, tokenizer
from calc.tokens.vocabularies import tokenizers

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
NO_HAN = r"&&[^\p{Han}]"
PATTERNS = {
    "llama-3": [LLAMA3],
    "glm-4": [LLAMA3],
    "qwen3": [LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")],
    "deepseek-v3": [
        r"\p{N}{1,3}",
        r"[一-龥぀-ゟ゠-ヿ]+",
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"""
        r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    ],
    "kimi": [
        r"[\p{Han}]+"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}{NO_HAN}]*[{LOWER}{NO_HAN}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}{NO_HAN}]+[{LOWER}{NO_HAN}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ],
    "mistral-nemo": [
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*"
        r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ],
}
OPENAI = {"gpt-2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
BYTE_LEVEL = tuple(name for name, facts in tokenizers().items() if facts.kind == "byte-level")
SENTENCEPIECE = tuple(name for name, facts in tokenizers().items() if facts.kind == "sentencepiece")


@cache
def ranks(name):
    """Bytes → id of everything merges make."""
    facts = tokenizers()[name]
    loaded = tokenizer(name)
    return {loaded.token_bytes(token): token for token in range(facts.first_token, facts.end_of_tokens)}


def openai_definition(name):
    """tiktoken's own definition of one of its encodings, with the ranks it would download handed to it."""
    found = ranks(name)
    given = {"load_tiktoken_bpe": lambda *_, **__: dict(found), "data_gym_to_mergeable_bpe_ranks": lambda **_: dict(found)}
    before = {each: getattr(openai_public, each) for each in given}
    try:
        for each, function in given.items():
            setattr(openai_public, each, function)
        return getattr(openai_public, OPENAI[name])()
    finally:
        for each, function in before.items():
            setattr(openai_public, each, function)


def patterns(name):
    """The published regular expressions."""
    return [openai_definition(name)["pat_str"]] if name in OPENAI else PATTERNS[name]


def with_tiktoken(name):
    """text → ids by tiktoken; None for DeepSeek, which cuts three times."""
    if len(patterns(name)) > 1:
        return None
    if name in OPENAI:
        encoding = tiktoken.Encoding(**openai_definition(name))
        return encoding.encode_ordinary
    # its ranks have to begin at 0
    first = tokenizers()[name].first_token
    own = {token: rank - first for token, rank in ranks(name).items()}
    encoding = tiktoken.Encoding(name, pat_str=patterns(name)[0], mergeable_ranks=own, special_tokens={})
    return lambda text: [rank + first for rank in encoding.encode_ordinary(text)]


def with_tokenizers(name):
    """text → ids by the tokenizers package, its file made as transformers makes one from ranks: every pair is a merge."""
    letters = {byte: character for character, byte in bytes_of_alphabet().items()}
    spelled = {token: "".join(letters[byte] for byte in token) for token in ranks(name)}
    merges = []
    for token, rank in ranks(name).items():
        pairs = [(token[:at], token[at:]) for at in range(1, len(token)) if token[:at] in spelled and token[at:] in spelled]
        pairs.sort(key=lambda pair: (ranks(name)[pair[0]], ranks(name)[pair[1]]))
        merges += [(rank, spelled[left], spelled[right]) for left, right in pairs]
    merges.sort(key=lambda merge: merge[0])
    vocabulary = {spelled[token]: rank for token, rank in ranks(name).items()}
    found = Tokenizer(models.BPE(vocab=vocabulary, merges=[(left, right) for _, left, right in merges], ignore_merges=True))
    # Oniguruma has $ for the end of a line and takes {1,3}+ for a repetition
    cuts = [Regex(each.replace("++$", r"+\z").replace("{1,3}+", "{1,3}")) for each in patterns(name)]
    alphabet = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    found.pre_tokenizer = pre_tokenizers.Sequence([*(pre_tokenizers.Split(cut, "isolated") for cut in cuts), alphabet])
    if name == "qwen3":
        found.normalizer = normalizers.NFC()
    return lambda text: found.encode(text, add_special_tokens=False).ids


def plain_byte_level(name):
    """text → ids by byte-pair encoding as the paper has it, and the regular expressions by the regex package."""
    # Python's \s also holds the four separators U+001C to U+001F, which are no White_Space
    spelled = {r"\s": r"\p{White_Space}", r"\S": r"\P{White_Space}", "++$": r"++\Z"}
    written = (regex.sub(r"\\s|\\S|\+\+\$", lambda found: spelled[found[0]], each) for each in patterns(name))
    cuts = [regex.compile(each, regex.V1) for each in written]

    @cache
    def merged(word):
        content = word.encode()
        if content in ranks(name):
            return (ranks(name)[content],)
        parts = [bytes([byte]) for byte in content]
        while True:
            pairs = [(ranks(name).get(a + b), at) for at, (a, b) in enumerate(zip(parts, parts[1:], strict=False))]
            pairs = [pair for pair in pairs if pair[0] is not None]
            if not pairs:
                return tuple(ranks(name)[part] for part in parts)
            at = min(pairs)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]

    def encode(text):
        words = [text]
        for cut in cuts:
            words = [part for word in words for part in isolated(cut, word)]
        return [token for word in words for token in merged(word)]

    return encode


def isolated(cut, text):
    """The matches, and what lies between them."""
    at = 0
    for match in cut.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        if match[0]:
            yield match[0]
        at = match.end()
    if at < len(text):
        yield text[at:]


@cache
def sentencepiece_model(name):
    """The vocabulary as a SentencePiece model: pieces in order, scores falling, runs of spaces −10⁹ or standing as they are."""
    facts, loaded = tokenizers()[name], tokenizer(name)
    model = sentencepiece_model_pb2.ModelProto()
    model.trainer_spec.model_type = 2
    model.trainer_spec.byte_fallback = True
    model.trainer_spec.vocab_size = facts.size
    unknown = next(token for token, special in loaded.special.items() if special == "<unk>")
    model.trainer_spec.unk_id = unknown
    model.trainer_spec.bos_id = loaded.special_ids.get("<s>", loaded.special_ids.get("<bos>"))
    model.trainer_spec.eos_id = loaded.special_ids.get("</s>", loaded.special_ids.get("<eos>"))
    model.trainer_spec.pad_id = loaded.special_ids.get("<pad>", -1)
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = facts.adds_space
    model.normalizer_spec.remove_extra_whitespaces = False
    standing = set(loaded.unmerged().values())
    for token in range(facts.size):
        piece = model.pieces.add()
        if token in loaded.special:
            piece.piece, piece.type = loaded.special[token], 2 if token == unknown else 3
        elif facts.first_byte <= token < facts.first_byte + 256:
            piece.piece, piece.type = f"<0x{token - facts.first_byte:02X}>", 6
        else:
            piece.piece = loaded.token_bytes(token).decode().replace(" ", "▁")
            if token in standing:
                piece.type = 4
            else:
                is_run = len(piece.piece) > 1 and set(piece.piece) == {"▁"}
                piece.type, piece.score = 1, -1e9 if is_run else facts.first_token - token
    return model


def with_sentencepiece(name):
    """text → ids by the sentencepiece package."""
    return SentencePieceProcessor(model_proto=sentencepiece_model(name).SerializeToString()).encode


def with_tokenizers_from_pieces(name):
    """text → ids by the tokenizers package, the merges made from the scores as transformers makes them."""
    pieces = sentencepiece_model(name).pieces
    vocabulary = {piece.piece: token for token, piece in enumerate(pieces)}
    merges = []
    for piece in pieces:
        if piece.type == 1:
            halves = [(piece.piece[:at], piece.piece[at:]) for at in range(1, len(piece.piece))]
            halves = [pair for pair in halves if pair[0] in vocabulary and pair[1] in vocabulary]
            halves.sort(key=lambda pair: (vocabulary[pair[0]], vocabulary[pair[1]]))
            merges += [(-piece.score, *pair) for pair in halves]
    merges.sort(key=lambda merge: merge[0])
    found = Tokenizer(
        models.BPE(vocab=vocabulary, merges=[(a, b) for _, a, b in merges], byte_fallback=True, unk_token="<unk>", fuse_unk=True)
    )
    spaces = normalizers.Replace(" ", "▁")
    found.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), spaces]) if tokenizers()[name].adds_space else spaces
    return lambda text: found.encode(text, add_special_tokens=False).ids


def plain_sentencepiece(name):
    """text → ids by merging characters as SentencePiece's bpe_model.cc describes, the slow way."""
    pieces = sentencepiece_model(name).pieces
    scores = {piece.piece: piece.score for piece in pieces if piece.type == 1}
    numbers = {piece.piece: token for token, piece in enumerate(pieces) if piece.type in (1, 4)}
    standing = sorted((piece.piece for piece in pieces if piece.type == 4), key=len, reverse=True)
    symbols = regex.compile("|".join([*map(regex.escape, standing), "(?s:.)"]))
    frozen = set(standing)
    first_byte = tokenizers()[name].first_byte

    def encode(text):
        if not text:
            return []
        parts = symbols.findall(("▁" if tokenizers()[name].adds_space else "") + text.replace(" ", "▁"))
        while True:
            pairs = [
                (scores[a + b], -at)
                for at, (a, b) in enumerate(zip(parts, parts[1:], strict=False))
                if a + b in scores and a not in frozen and b not in frozen
            ]
            if not pairs:
                break
            at = -max(pairs)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return [
            token
            for part in parts
            for token in ([numbers[part]] if part in numbers else [first_byte + byte for byte in part.encode()])
        ]

    return encode


def words_of(name):
    """Some of a vocabulary's entries as text, to make up strings from."""
    return [text for token in list(ranks(name))[:: max(len(ranks(name)) // 6000, 1)] if (text := token.decode(errors="ignore"))]
