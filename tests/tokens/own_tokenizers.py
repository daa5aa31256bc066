"""Small tokenizers of the reader's own: trained on the spot, or made to do harm."""

import json

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from .nasty_strings import nasty_strings

CORPUS = [text for text in nasty_strings(3000, seed=31) if text.isascii()] + ["I ate 12345 strawberries. 我吃了一个苹果。"] * 50


def trained(model, trainer, **parts):
    """A small tokenizer of the tokenizers package, as the text of its file."""
    own = Tokenizer(model)
    for name, part in parts.items():
        setattr(own, name, part)
    own.train_from_iterator(CORPUS, trainer)
    return own


def byte_level():
    """As GPT-2's: bytes, a special token, offsets without leading spaces."""
    own = trained(
        models.BPE(),
        trainers.BpeTrainer(vocab_size=600, special_tokens=["<|end|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()),
        pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoder=decoders.ByteLevel(),
    )
    own.post_processor = processors.ByteLevel(trim_offsets=True)
    return own


def word_piece():
    """As BERT's: lower case, accents and spaces dropped, [CLS] and [SEP] around, cut off after 8 tokens and padded."""
    own = trained(
        models.WordPiece(unk_token="[UNK]"),
        trainers.WordPieceTrainer(vocab_size=900, special_tokens=["[UNK]", "[CLS]", "[SEP]", "[PAD]"]),
        normalizer=normalizers.BertNormalizer(),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
    )
    own.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    own.enable_truncation(8)
    own.enable_padding(length=16, pad_token="[PAD]", pad_id=3)
    return own


def unigram():
    """As T5's."""
    return trained(
        models.Unigram(),
        trainers.UnigramTrainer(vocab_size=700, unk_token="<unk>", special_tokens=["<unk>", "</s>"]),
        normalizer=normalizers.NFKC(),
        pre_tokenizer=pre_tokenizers.Metaspace(),
    )


def split_by(pattern):
    """A tokenizer.json that cuts by a regular expression."""
    own = Tokenizer(models.BPE(vocab={"a": 0, "b": 1}, merges=[]))
    file = json.loads(own.to_str())
    file["pre_tokenizer"] = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return file


def replace(this, by):
    """A normalizer of a tokenizer.json."""
    return {"type": "Replace", "pattern": {"String": this}, "content": by}
