"""Tokenizers of the reader's own, read exactly as their libraries read them."""

import io
import threading
from unicodedata import normalize

import pytest
import sentencepiece
from tokenizers import Tokenizer

from calc.errors import ConfigError
from calc.tokens import own_tokenizer
from calc.tokens.encoding import encode
from calc.tokens.file_count import count_file
from calc.tokens.own_tokenizer import read_tokenizer
from calc.tokens.vocabulary import script_counts, search

from . import references
from .nasty_strings import nasty_strings
from .own_tokenizers import CORPUS, byte_level, unigram, word_piece


@pytest.mark.parametrize("make", [byte_level, word_piece, unigram])
def test_ids_are_the_librarys(make):
    reference = make()
    own = read_tokenizer("tokenizer.json", reference.to_str().encode())
    reference.no_truncation()
    reference.no_padding()
    for special in (False, True):
        reference.encode_special_tokens = not special
        for text in nasty_strings(700, ["<|end|>", "[SEP]"], seed=32):
            encoding = own.encode(text, special)
            assert list(encoding.ids) == reference.encode(text, add_special_tokens=special).ids, ascii(text)
            pieces = encoding.pieces()
            assert tuple(piece.id for piece in pieces) == encoding.ids
            at = 0
            for piece in pieces:
                assert piece.start <= at <= max(piece.end, at)
                at = max(at, piece.end)
            if make is byte_level or any(piece.special is None for piece in pieces):
                joined = b"".join(piece.bytes for piece in pieces).decode()
                assert joined in (text, normalize("NFC", text), normalize("NFKC", text)), ascii(text)


def test_a_byte_level_files_pieces_are_bytes_not_offsets():
    own = read_tokenizer("tokenizer.json", byte_level().to_str().encode())
    pieces = own.encode(" 龘 a").pieces()
    assert b"".join(piece.bytes for piece in pieces) == " 龘 a".encode()
    assert any(not piece.whole for piece in pieces)
    assert own.kind == "byte-level BPE"


def test_an_embedded_vocabulary_uploaded_is_the_same_to_the_piece():
    llama = references.sentencepiece_model("llama-2").SerializeToString()
    own = read_tokenizer("tokenizer.model", llama)
    assert (own.kind, own.size) == ("SentencePiece", 32000)
    for text in nasty_strings(700, references.words_of("llama-2"), seed=33):
        if text:
            assert own.encode(text).ids == encode("llama-2", text).ids
            assert own.encode(text).pieces() == encode("llama-2", text).pieces()
    assert own.encode("a", special=True).ids == (1, 263)
    entries = own.vocabulary()
    assert {each.script: each.only for each in script_counts(entries)}["Han"] == 700
    assert [entries.entry(token).text for token in search(entries, "berry")] == ["berry"]
    assert entries.entry(1).kind == "special" and entries.entry(232).bytes == b"\xe5"


@pytest.mark.parametrize("model_type", ["unigram", "bpe", "char", "word"])
def test_a_tokenizer_model_of_each_type(model_type):
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([text for text in CORPUS if text.isascii() and text.isprintable()]),
        model_writer=written,
        vocab_size=500,
        model_type=model_type,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    own = read_tokenizer("tokenizer.model", written.getvalue())
    reference = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    for text in nasty_strings(400, seed=34):
        encoding = own.encode(text)
        assert list(encoding.ids) == reference.encode(text)
        assert len(encoding.pieces()) == encoding.count


def test_files_are_counted_with_it():
    content = byte_level().to_str().encode()
    own, reference = read_tokenizer("tokenizer.json", content), Tokenizer.from_buffer(content)
    text = "\n".join(text.replace("\r", "").replace("\n", "") for text in nasty_strings(300, seed=35))
    *_, whole = count_file(text.encode(), [own, "llama-3"])
    assert whole.total.tokens == (len(reference.encode(text).ids), encode("llama-3", text).count)
    *_, lines = count_file(text.encode(), [own], "lines")
    assert lines.total.tokens == (sum(len(reference.encode(line).ids) for line in text.split("\n")),)
    with pytest.raises(ConfigError, match="at most 5 MB"):
        count_file(bytes(5_000_001), [own])


class TestProcesses:
    """Few at a time, ended with their tokenizers, started again when needed."""

    def test_no_more_than_a_few_and_all_go_on_answering(self):
        content = byte_level().to_str().encode()
        several = [read_tokenizer(f"{number}.json", content) for number in range(own_tokenizer.AT_ONCE + 2)]
        assert len(own_tokenizer._processes) == own_tokenizer.AT_ONCE
        assert len({own.encode("I ate an apple").ids for own in several}) == 1
        assert len(own_tokenizer._processes) == own_tokenizer.AT_ONCE

    def test_one_that_is_forgotten_is_ended(self):
        own = read_tokenizer("tokenizer.json", byte_level().to_str().encode())
        [process] = own_tokenizer._processes.values()
        del own
        assert not own_tokenizer._processes and process.process.poll() is not None

    def test_one_that_died_is_a_fault_and_then_started_again(self):
        own = read_tokenizer("tokenizer.json", byte_level().to_str().encode())
        [process] = own_tokenizer._processes.values()
        process.process.kill()
        process.process.wait()
        with pytest.raises(ConfigError) as fault:
            own.encode("a")
        assert fault.value.code == "tokenizer_failed"
        assert own.encode("a").count == 1

    def test_several_threads_share_one(self):
        own = read_tokenizer("tokenizer.json", byte_level().to_str().encode())
        texts = nasty_strings(60, seed=36)
        alone = [own.encode(text).ids for text in texts]
        results = {}

        def work(each):
            results[each] = [own.encode(text).ids for text in texts]

        threads = [threading.Thread(target=work, args=(each,)) for each in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert list(results.values()) == [alone] * 4
