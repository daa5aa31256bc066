"""The catalogue, and that the vocabularies are the published ones, to the byte."""

import base64
import gzip
import hashlib
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import splintr
from tiktoken_ext import openai_public

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.tokens import loaded, own_tokenizer, pretokens
from calc.tokens.encoding import encode
from calc.tokens.vocabularies import find_tokenizer, tokenizer_of_model, tokenizers

from . import references

ROOT = Path(__file__).parents[2]

RANKS_SHA256 = {
    # of the published file of ranks, base64 and rank a line: Meta's tokenizer.model; OpenAI's, as tiktoken checks them
    "llama-3": "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
    "cl100k": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
HELLO = {
    # "Hello" as the models' own tests and pages have it
    "llama-2": [15043],
    "llama-3": [9906],
    "qwen3": [9707],
    "deepseek-v3": [19923],
    "mistral": [22557],
    "mistral-nemo": [22177],
    "gemma": [9259],
    "cl100k": [9906],
    "o200k": [13225],
    "gpt-2": [15496],
}
SIZES = {
    "llama-2": 32000,
    "llama-3": 128256,
    "qwen3": 151669,
    "deepseek-v3": 128815,
    "glm-4": 151365,
    "kimi": 163840,
    "gemma": 262144,
    "mistral": 32000,
    "mistral-nemo": 131072,
    "o200k": 200019,
    "cl100k": 100277,
    "gpt-2": 50257,
}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_llama_2s_pieces_are_metas():
    facts, llama = tokenizers()["llama-2"], loaded.tokenizer("llama-2")
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += [llama.token_bytes(token).decode().replace(" ", "▁") for token in range(259, facts.size)]
    assert sha256("\n".join(pieces).encode()) == "0f97b4337921e6e7e9b4620fc73338ee570aecd3c16038bc23870a887e995045"


@pytest.mark.parametrize("name", RANKS_SHA256)
def test_ranks_are_the_published_file(name):
    lines = (base64.b64encode(token) + b" %d\n" % rank for token, rank in references.ranks(name).items())
    assert sha256(b"".join(lines)) == RANKS_SHA256[name]


def test_gpt_2s_merges_are_the_published_file():
    published = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "data_gym_to_mergeable_bpe_ranks", lambda **files: published.update(files) or {})
        openai_public.gpt2()
    assert sha256(gzip.decompress(loaded.GPT2_FILE.read_bytes())) == published["vocab_bpe_hash"]


@pytest.mark.parametrize("name", HELLO)
def test_a_word_everyone_knows_the_id_of(name):
    assert list(encode(name, "Hello").ids) == HELLO[name]


def test_sizes_are_the_published_ones():
    assert {name: facts.size for name, facts in tokenizers().items()} == SIZES


@pytest.mark.parametrize("name", tokenizers())
def test_every_id_is_bytes_a_special_token_or_unused(name):
    facts, own = tokenizers()[name], loaded.tokenizer(name)
    assert own.special.keys().isdisjoint(own.unused)
    for token in range(facts.size):
        is_text = token not in own.special and token not in own.unused
        assert bool(own.token_bytes(token)) == is_text
    assert len(set(own.special.values())) == len(own.special)
    assert all(token in own.special for token in facts.begins_with)
    with pytest.raises(ConfigError, match="numbered from 0"):
        own.token_bytes(facts.size)


@pytest.mark.parametrize("name", tokenizers())
def test_patterns_are_the_published_ones(name):
    """Possessive repetition only changes how long a search takes here; calc writes the expressions without."""
    if tokenizers()[name].kind == "byte-level":
        published = references.patterns(name)
        if name == "cl100k":
            published = [re.sub(r"([?+*}])\+", r"\1", each) for each in published]
        if name == "gpt-2":  # tiktoken has regrouped GPT-2's alternatives
            published = [r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"]
        assert list(tokenizers()[name].patterns) == published


def test_models_of_the_catalogue_have_the_vocabulary_size_of_their_tokenizer():
    for facts in tokenizers().values():
        for model in facts.catalogue:
            rows = catalogue()[model].config["vocab_size"]
            assert facts.size <= rows < facts.size + 2500, "an embedding is padded, never shorter"
            assert tokenizer_of_model(model) is facts
    assert tokenizer_of_model("bloom") is None


def test_names_are_found_and_near_misses_told():
    names = [name for facts in tokenizers().values() for name in {facts.name, *facts.aliases, *facts.catalogue}]
    assert len(names) == len(set(names)), "no name means two"
    assert all(find_tokenizer(name.upper()) for name in names)
    with pytest.raises(ConfigError) as near:
        find_tokenizer("lama2")
    with pytest.raises(ConfigError) as far:
        find_tokenizer("\ud800\n" + "x" * 100_000)
    assert (near.value.code, far.value.code) == ("unknown_tokenizer_similar", "unknown_tokenizer")
    assert len(str(far.value)) < 400


def test_the_notice_holds_every_licence_line():
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    for facts in tokenizers().values():
        assert facts.notice in notice and facts.licence in notice and facts.source in notice
    assert "Built with Meta Llama 3" in notice


def test_each_is_loaded_once_a_process_however_many_ask(monkeypatch):
    asked = []
    real = splintr.Tokenizer.from_pretrained

    class Counting:
        @staticmethod
        def from_pretrained(name):
            asked.append(name)
            return real(name)

    monkeypatch.setattr(splintr, "Tokenizer", Counting)
    monkeypatch.setattr(loaded, "_loaded", {})
    start = threading.Barrier(8)
    got = []

    def ask():
        start.wait()
        got.append(tuple(loaded.tokenizer("llama-3").ids("I ate 12345 apples " * 50)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert asked == ["llama3"]
    assert len(got) == 8 and len(set(got)) == 1


def test_many_threads_at_once_get_the_same_ids():
    texts = [f"{number} strawberries, 我吃了一个苹果 {number * 7919}" for number in range(300)]
    alone = [loaded.tokenizer("llama-2").ids(text) for text in texts]
    loaded.tokenizer("llama-2")._words.cache.clear()
    results = {}

    def work(each):
        results[each] = [loaded.tokenizer("llama-2").ids(text) for text in texts]

    threads = [threading.Thread(target=work, args=(each,)) for each in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(results.values()) == [alone] * 6


def test_cached_words_are_bounded(monkeypatch):
    llama = loaded.LoadedTokenizer(tokenizers()["llama-2"])
    monkeypatch.setattr(loaded, "CACHED_WORDS", 100)
    llama.ids(" ".join(map(str, range(1000))))
    assert len(llama._words.cache) <= 100


class TestWithoutThePackages:
    """The catalogue, and all that needs no vocabulary, stays."""

    @pytest.fixture
    def without(self, monkeypatch):
        def forget(package):
            monkeypatch.setitem(sys.modules, package, None)
            monkeypatch.setattr(loaded, "_loaded", {})
            pretokens._cutter.cache_clear()

        yield forget
        pretokens._cutter.cache_clear()

    def test_splintr(self, without):
        without("splintr")
        assert not loaded.is_installed()
        assert find_tokenizer("llama-2").size == 32000
        with pytest.raises(ConfigError, match=r"pip install splintr-rs==0\.22\.0") as fault:
            encode("llama-2", "a")
        assert fault.value.code == "tokenizer_package_missing"

    def test_tokenizers(self, without):
        without("tokenizers")
        assert encode("llama-3", "12345").count == 2
        assert encode("qwen3", "e\u0301").count == 1, "Python's own normal form stands in"
        with pytest.raises(ConfigError, match="pip install tokenizers=="):
            pretokens.pre_tokens("llama-3", "12345")

    def test_the_versions_named_are_the_ones_required(self):
        required = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        assert {loaded.PACKAGE, pretokens.PACKAGE, *own_tokenizer._PACKAGES.values()} <= set(required)

    def test_importing_calc_tokens_imports_none_of_them(self):
        modules = [path.stem for path in (ROOT / "calc/tokens").glob("*.py") if path.stem not in ("__init__", "other_worker")]
        imports = "; ".join(f"import calc.tokens.{module}" for module in modules)
        script = f"{imports}; import calc.commands.tokens, sys; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
        heavy = {"splintr", "tokenizers", "sentencepiece", "tiktoken", "regex", "huggingface_hub", "transformers", "numpy", "ssl"}
        assert heavy.isdisjoint(done.stdout.split())
