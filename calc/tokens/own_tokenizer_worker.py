"""The process in which a reader's own tokenizer runs: started by `calc.tokens.own_tokenizer`, never imported by it.

A tokenizer.json brings regular expressions and a tokenizer.model tables; neither library promises to survive every one. Here
they can run too long, ask for too much memory or crash without the app.

Frames of 8 bytes of length and content on standard input and output: a request is JSON (`load` is followed by a frame with
the file), the answer is JSON, `{"fault": …}` where it went wrong.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from typing import Any, BinaryIO

MEMORY_LIMIT_BYTES = 2 << 30
LARGEST_ID = 1_000_000


class JsonTokenizer:
    """A tokenizer.json, as the `tokenizers` package reads it."""

    def __init__(self, content: bytes) -> None:
        from tokenizers import Tokenizer

        self.own = Tokenizer.from_buffer(content)
        self.own.no_truncation()  # a count is of the whole text
        self.own.no_padding()
        self.added = self.own.get_added_tokens_decoder()

    def facts(self) -> dict[str, Any]:
        """What it is."""
        model = type(self.own.model).__name__
        byte_level = "ByteLevel" in f"{self.own.pre_tokenizer!r}{self.own.decoder!r}"
        return {"model": model, "byte_level": byte_level, "size": self.own.get_vocab_size()}

    def encode(self, text: str, special: bool, ids_only: bool) -> dict[str, Any]:
        """Ids, and for each the token as the file spells it, its characters, and whether it is an added one."""
        self.own.encode_special_tokens = not special
        encoding = self.own.encode(text, add_special_tokens=special)
        if ids_only:
            return {"ids": encoding.ids}
        return {
            "ids": encoding.ids,
            "tokens": encoding.tokens,
            "offsets": encoding.offsets,
            "added": [token in self.added for token in encoding.ids],
        }

    def entries(self) -> dict[str, Any]:
        """Every token by id, as the file spells it, and which are added ones."""
        found = {token: name for name, token in self.own.get_vocab(with_added_tokens=True).items()}
        size = min(max(found, default=-1) + 1, LARGEST_ID)
        return {"tokens": [found.get(token) for token in range(size)], "added": [t for t in self.added if t < size]}


class ModelTokenizer:
    """A tokenizer.model, as the sentencepiece package reads it."""

    def __init__(self, content: bytes) -> None:
        from sentencepiece import SentencePieceProcessor

        self.own = SentencePieceProcessor(model_proto=content)
        if not self.own.get_piece_size():
            raise ValueError("no pieces")

    def facts(self) -> dict[str, Any]:
        """What it is."""
        byte_fallback = any(self.own.is_byte(token) for token in range(min(self.own.get_piece_size(), 2000)))
        return {"model": "SentencePiece", "byte_level": False, "byte_fallback": byte_fallback, "size": self.own.get_piece_size()}

    def encode(self, text: str, special: bool, ids_only: bool) -> dict[str, Any]:
        """As above. SentencePiece takes no marker in a text for a special token; `special` puts the first one in front."""
        if ids_only:
            return {"ids": self.own.encode(text)}
        answer = self.own.encode(text, return_type="offset_mapping")
        answer = {
            "ids": answer["ids"],
            "tokens": answer["pieces"],
            "offsets": answer["offsets"],
            "added": [False] * len(answer["ids"]),
        }
        if special and self.own.bos_id() >= 0:
            bos = self.own.bos_id()
            first = {"ids": bos, "tokens": self.own.id_to_piece(bos), "offsets": (0, 0), "added": True}
            answer = {name: [first[name], *values] for name, values in answer.items()}
        return answer

    def entries(self) -> dict[str, Any]:
        """As above."""
        tokens = range(self.own.get_piece_size())
        added = [token for token in tokens if self.own.is_control(token) or self.own.is_unknown(token)]
        return {"tokens": [self.own.id_to_piece(token) for token in tokens], "added": added}


def main() -> None:
    """Answer requests until there are no more."""
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no answer
    limit_memory()
    tokenizer: Any = None
    while (frame := read_frame(source)) is not None:
        request = json.loads(frame)
        try:
            if request["do"] == "load":
                content = read_frame(source)
                tokenizer = {"json": JsonTokenizer, "model": ModelTokenizer}[request["form"]](content)
                answer = tokenizer.facts()
            elif request["do"] == "encode":
                answer = tokenizer.encode(request["text"], request["special"], request["ids_only"])
            else:
                answer = tokenizer.entries()
        except ImportError as error:
            answer = {"missing": error.name}
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of the library is no Exception
            answer = {"fault": str(error) or type(error).__name__}
        write_frame(answers, json.dumps(answer, ensure_ascii=False).encode())


def limit_memory() -> None:
    """Where the system can, forbid more memory than any tokenizer needs."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    except (ImportError, ValueError, OSError):
        pass  # Windows has no such limit


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame's content, None at the end."""
    length = stream.read(8)
    if len(length) < 8:
        return None
    (length,) = struct.unpack("<Q", length)
    content = stream.read(length)
    return content if len(content) == length else None


def write_frame(stream: BinaryIO, content: bytes) -> None:
    """One frame."""
    stream.write(struct.pack("<Q", len(content)))
    stream.write(content)
    stream.flush()


if __name__ == "__main__":
    main()
