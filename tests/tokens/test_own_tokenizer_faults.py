"""Wrong and hostile tokenizer files, and models of the Hub: each fault is one line, and costs its own process only."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from huggingface_hub import constants
from tokenizers import Tokenizer, models

from calc.errors import ConfigError
from calc.tokens import own_tokenizer
from calc.tokens.own_tokenizer import OwnTokenizer, read_hub_tokenizer, read_tokenizer
from tests.checkpoint.hub_server import Repository, turn_the_client_here

from . import references
from .own_tokenizers import byte_level, replace, split_by


class TestWrongFiles:
    """A person chose the wrong file, or a damaged one."""

    @pytest.mark.parametrize(
        ("name", "content", "code"),
        [
            ("tokenizer.json", b"", "tokenizer_unreadable"),
            ("tokenizer.json", b"  \n", "tokenizer_unreadable"),
            ("tokenizer.json", b"{", "tokenizer_unreadable"),
            ("tokenizer.json", b'{"a": 1}', "tokenizer_unreadable"),
            ("config.json", b'{"model_type": "llama", "vocab_size": 32000}', "tokenizer_unreadable"),
            ("tokenizer.json", b"[" * 200_000, "tokenizer_unreadable"),
            ("tokenizer.json", b'{"model": ' * 200_000, "tokenizer_unreadable"),
            ("tokenizer.json", b"\xff\xfe{\x00", "tokenizer_unreadable"),
            ("tokenizer.json", b'{"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}}', "tokenizer_unreadable"),
            ("tokenizer.json", b'{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}}', "tokenizer_unreadable"),
            ("tokenizer.json", b'{"model": {"type": "BPE", "vocab": [], "merges": {}}}', "tokenizer_unreadable"),
            ("tokenizer.json", json.dumps(split_by("(")).encode(), "tokenizer_unreadable"),
            ("tokenizer.model", b"IQ== 0\nIg== 1\nIw== 2\n", "tokenizer_ranks_only"),
            ("tokenizer.model", b"\x0a\x05hello" * 1000, "tokenizer_unreadable"),
            ("tokenizer.model", b"PK\x03\x04" + bytes(1000), "tokenizer_unreadable"),
            ("model.safetensors", bytes(1000), "tokenizer_unreadable"),
            ("tokenizer.model", references.sentencepiece_model("llama-2").SerializeToString()[:100_000], "tokenizer_unreadable"),
        ],
    )
    def test_a_fault(self, name, content, code):
        with pytest.raises(ConfigError) as fault:
            read_tokenizer(name, content)
        assert fault.value.code == code and name in str(fault.value)
        assert len(str(fault.value)) < 400 and len(str(fault.value).splitlines()) == 1
        assert not own_tokenizer._processes, "the process is gone"

    def test_too_large(self):
        with pytest.raises(ConfigError) as fault:
            read_tokenizer("tokenizer.json", bytes(own_tokenizer.LIMIT_BYTES + 1))
        assert fault.value.code == "tokenizer_file_too_large"

    def test_a_byte_order_mark_is_no_fault(self):
        assert read_tokenizer("tokenizer.json", b"\xef\xbb\xbf" + byte_level().to_str().encode()).size > 256

    def test_a_missing_package_is_named(self, monkeypatch):
        monkeypatch.setattr(own_tokenizer, "_PACKAGES", {"tokenizers": "tokenizers==0.23.3"})
        monkeypatch.setattr(own_tokenizer._Process, "answer", lambda *_: {"missing": "tokenizers"})
        with pytest.raises(ConfigError, match=r"pip install tokenizers==0\.23\.3"):
            read_tokenizer("tokenizer.json", b"{}")


class TestHostileFiles:
    """They cost their own process, not the app."""

    def test_an_expression_that_takes_for_ever(self):
        own = read_tokenizer("bomb.json", json.dumps(split_by(r"(a+)+$|(a|aa)+b")).encode())
        with pytest.raises(ConfigError) as fault:
            own.encode("a" * 60 + "!")
        assert fault.value.code in ("tokenizer_cannot_cut", "tokenizer_too_slow")

    def test_a_file_that_takes_too_long_is_stopped_and_can_be_asked_again(self):
        file = split_by("a")
        file["normalizer"] = {"type": "Sequence", "normalizers": [replace("a", "aa")] * 24}
        own = OwnTokenizer("slow.json", json.dumps(file).encode(), encode_seconds=0.2)
        with pytest.raises(ConfigError) as fault:
            own.encode("a" * 100)
        assert fault.value.code == "tokenizer_too_slow" and not own_tokenizer._processes
        own._encode_seconds = 30
        assert own.encode("b").ids == (1,)

    def test_a_text_blown_up_to_more_than_memory_holds(self):
        file = split_by("x")
        file["normalizer"] = {"type": "Sequence", "normalizers": [replace("a", "a" * 1000)] * 6}
        own = OwnTokenizer("big.json", json.dumps(file).encode(), encode_seconds=60)
        with pytest.raises(ConfigError) as fault:
            own.encode("a")
        assert fault.value.code in ("tokenizer_failed", "tokenizer_cannot_cut")
        assert own.encode("b").ids == (1,)

    def test_ids_beyond_all_reason(self):
        file = json.loads(Tokenizer(models.WordLevel({"a": 0}, unk_token="a")).to_str())
        file["model"]["vocab"]["b"] = 4_294_967_295
        own = read_tokenizer("ids.json", json.dumps(file).encode())
        assert own.encode("b").ids == (4_294_967_295,)
        assert len(own.vocabulary()) == 1_000_000

    def test_a_text_the_file_has_no_token_for(self):
        own = read_tokenizer("wordlevel.json", Tokenizer(models.WordLevel({"a": 0}, unk_token="?")).to_str().encode())
        with pytest.raises(ConfigError) as fault:
            own.encode("b")
        assert fault.value.code == "tokenizer_cannot_cut"
        assert own.encode("a").ids == (0,)


class TestManyAtOnce:
    """More files than there are processes, asked at the same time: each has its turn."""

    @pytest.fixture
    def started(self, monkeypatch):
        """The processes started so far, two of which may be at work."""
        processes = []

        class Counted(own_tokenizer._Process):
            def __init__(self):
                super().__init__()
                processes.append(self)

        for process in list(own_tokenizer._processes):
            own_tokenizer._close(process)
        monkeypatch.setattr(own_tokenizer, "_Process", Counted)
        monkeypatch.setattr(own_tokenizer, "AT_ONCE", 2)
        monkeypatch.setattr(own_tokenizer, "_at_work", threading.BoundedSemaphore(2))
        yield processes
        for process in list(own_tokenizer._processes):
            own_tokenizer._close(process)

    def test_each_is_loaded_by_one_process(self, started):
        content = byte_level().to_str().encode()
        with ThreadPoolExecutor(6) as pool:
            owns = list(pool.map(lambda number: read_tokenizer(f"{number}.json", content), range(6)))
        assert [own.encode("12345").count for own in owns[-2:]] == [owns[-1].encode("12345").count] * 2
        assert 6 <= len(started) <= 8 and len(own_tokenizer._processes) == 2
        assert sum(process.process.poll() is None for process in started) == 2

    def test_who_waits_too_long_is_told_so(self, started, monkeypatch):
        monkeypatch.setattr(own_tokenizer, "QUEUE_SECONDS", 0.2)
        with own_tokenizer._at_work, own_tokenizer._at_work, pytest.raises(ConfigError) as fault:
            read_tokenizer("late.json", byte_level().to_str().encode())
        assert fault.value.code == "tokenizer_busy" and not started

    def test_a_process_that_does_not_read_is_stopped(self, started, monkeypatch, tmp_path):
        deaf = tmp_path / "deaf.py"
        deaf.write_text("import time; time.sleep(60)")
        monkeypatch.setattr(own_tokenizer, "_WORKER", deaf)
        with pytest.raises(ConfigError) as fault:
            OwnTokenizer("large.json", b"{" + bytes(1_000_000), load_seconds=0.5)
        assert fault.value.code == "tokenizer_too_slow" and not own_tokenizer._processes


class TestHub:
    """A model's tokenizer.json by its id, from a server on loopback."""

    @pytest.fixture
    def hub(self, monkeypatch, request):
        running = turn_the_client_here(monkeypatch, request)
        running.repositories["org/gpt"] = Repository({"tokenizer.json": byte_level().to_str().encode(), "config.json": b"{}"})
        running.repositories["org/none"] = Repository({"config.json": b"{}"})
        running.repositories["org/gated"] = Repository({"tokenizer.json": b"{}"}, token="secret")
        running.repositories["org/broken"] = Repository({"tokenizer.json": b"{}"})
        return running

    def test_only_the_tokenizer_is_downloaded(self, hub):
        own = read_hub_tokenizer("org/gpt")
        assert own.encode("12345").count >= 1 and "org/gpt" in own.name
        files = {path.rpartition("/")[2] for path, *_ in hub.asked if "/resolve/" in path or "/store/" in path}
        assert files == {"tokenizer.json"}

    @pytest.mark.parametrize(
        ("model", "code"),
        [
            ("org/none", "hub_no_such_file"),
            ("org/nowhere", "hub_needs_token"),
            ("org/gated", "hub_forbidden"),
            ("https://example.org/x", "not_a_hub_model"),
            ("a b c", "not_a_hub_model"),
            ("org/broken", "tokenizer_unreadable"),
        ],
    )
    def test_a_fault(self, hub, model, code):
        with pytest.raises(ConfigError) as fault:
            read_hub_tokenizer(model)
        assert fault.value.code == code

    @pytest.mark.parametrize(
        ("how", "code"), [("500", "hub_failing"), ("429", "hub_too_many_requests"), ("stall", "hub_too_slow")]
    )
    def test_a_server_that_fails(self, hub, how, code):
        hub.fault, hub.fault_at = how, "tokenizer.json"
        with pytest.raises(ConfigError) as fault:
            read_hub_tokenizer("org/gpt", time_limit_seconds=1)
        assert fault.value.code == code

    def test_a_file_that_is_too_large(self, hub, monkeypatch):
        monkeypatch.setattr(own_tokenizer, "LIMIT_BYTES", 1000)
        with pytest.raises(ConfigError) as fault:
            read_hub_tokenizer("org/gpt")
        assert fault.value.code == "tokenizer_file_too_large"

    def test_offline_asks_nobody(self, hub, monkeypatch):
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        with pytest.raises(ConfigError) as fault:
            read_hub_tokenizer("org/gpt")
        assert fault.value.code == "hub_offline" and hub.asked == []
