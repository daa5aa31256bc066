"""Remake stories-260k/: Karpathy's stories260K.bin and tok512.bin in the layout that `transformers` reads.

    python -m calc.data.make_stories_260k stories260K.bin tok512.bin

Both files are published at huggingface.co/karpathy/tinyllamas, folder stories260K, under the MIT License.

stories260K.bin   seven int32 (d, d_ff, L, n_h, n_kv, V, n_ctx), then float32: matrices [out, in], all layers of one kind together,
                  and at the end two rotary tables, which are no parameters
tok512.bin        int32 longest piece, then V × (float32 score, int32 length, bytes)

The .bin rotates neighbouring numbers of a head, (0, 1), (2, 3) …; `transformers` rotates the first half against the second. So the
rows of W_q and W_k change places: within a head, those of even number come first. No number is changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import struct
from pathlib import Path

FOLDER = Path(__file__).with_name("stories-260k")
SHA256 = {
    "stories260K.bin": "b0a507e7ad0f626624f17112325e66691f9076d622e1d3274d103d00299f2696",
    "tok512.bin": "037cb335abb25d1fa9e8ecae30ed2a3a8ace9302862ebcdc05d51a6bbb10c312",
}
"""Of the published files."""

FLOAT_BYTES = 4
SPECIAL = ("<unk>", "<s>", "</s>")
FIRST_PIECE = len(SPECIAL) + 256
"""Behind the special tokens and the bytes."""


def rows_halved(matrix: bytes, heads: int, row_bytes: int) -> bytes:
    """The rows of each head in another order: 0, 2, 4 … before 1, 3, 5 …

    >>> rows_halved(b"abcdefgh", heads=2, row_bytes=1)
    b'acbdegfh'
    """
    rows = [matrix[at : at + row_bytes] for at in range(0, len(matrix), row_bytes)]
    each = len(rows) // heads
    return b"".join(row for head in range(heads) for parity in (0, 1) for row in rows[head * each : (head + 1) * each][parity::2])


def model_of(content: bytes) -> tuple[dict[str, object], dict[str, tuple[tuple[int, ...], bytes]]]:
    """The config, and every tensor's shape and float32 bytes under its name in LlamaForCausalLM."""
    d, d_ff, layers, heads, kv_heads, vocabulary, context = struct.unpack_from("<7i", content)
    kv_width = d // heads * kv_heads
    at, tensors = struct.calcsize("<7i"), {}

    def take(name: str, *shape: int, times: int = layers, rotated_heads: int = 0) -> None:
        """The next tensors of the file: one of this shape for each layer, or one alone."""
        nonlocal at
        size = FLOAT_BYTES * math.prod(shape)
        for layer in range(times):
            numbers = content[at : at + size]
            if rotated_heads:
                numbers = rows_halved(numbers, rotated_heads, FLOAT_BYTES * shape[-1])
            tensors[name.replace("*", str(layer))] = (shape, numbers)
            at += size

    take("model.embed_tokens.weight", vocabulary, d, times=1)
    take("model.layers.*.input_layernorm.weight", d)
    take("model.layers.*.self_attn.q_proj.weight", d, d, rotated_heads=heads)
    take("model.layers.*.self_attn.k_proj.weight", kv_width, d, rotated_heads=kv_heads)
    take("model.layers.*.self_attn.v_proj.weight", kv_width, d)
    take("model.layers.*.self_attn.o_proj.weight", d, d)
    take("model.layers.*.post_attention_layernorm.weight", d)
    take("model.layers.*.mlp.gate_proj.weight", d_ff, d)
    take("model.layers.*.mlp.down_proj.weight", d, d_ff)
    take("model.layers.*.mlp.up_proj.weight", d_ff, d)
    take("model.norm.weight", d, times=1)
    rotary_bytes = 2 * context * (d // heads // 2) * FLOAT_BYTES
    if at + rotary_bytes != len(content):
        raise SystemExit(f"{len(content)} bytes, but {at} + {rotary_bytes} by the sizes at its head")
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": d,
        "intermediate_size": d_ff,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "vocab_size": vocabulary,
        "max_position_embeddings": context,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": True,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "dtype": "float32",
    }
    return config, tensors


def safetensors_of(tensors: dict[str, tuple[tuple[int, ...], bytes]]) -> bytes:
    """A .safetensors file of float32 tensors, sorted by name as `transformers` writes it."""
    entries: dict[str, object] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, (shape, numbers) in sorted(tensors.items()):
        entries[name] = {"dtype": "F32", "shape": shape, "data_offsets": (at, at + len(numbers))}
        at += len(numbers)
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + b"".join(numbers for _, (_, numbers) in sorted(tensors.items()))


def pieces_of(content: bytes) -> list[str]:
    """The pieces of a tok512.bin by id, a space in them written ▁, the special tokens as `transformers` calls them."""
    at, pieces = struct.calcsize("<i"), []
    last_score = 0.0
    while at < len(content):
        score, length = struct.unpack_from("<fi", content, at)
        at += struct.calcsize("<fi")
        pieces.append(content[at : at + length].decode().replace(" ", "▁"))
        at += length
        if len(pieces) > FIRST_PIECE + 1 and score >= last_score:
            raise SystemExit(f"piece {len(pieces) - 1} is not below the one before it: ids do not give the order of merges")
        last_score = score
    return [*SPECIAL, *pieces[len(SPECIAL) :]]


def merges_of(pieces: list[str]) -> list[list[str]]:
    """Every pair of pieces that joins to a piece, in the order they are merged: that of the joined piece's id.

    >>> merges_of(["a", "b", "c", "ab", "bc", "abc"])
    [['a', 'b'], ['b', 'c'], ['a', 'bc'], ['ab', 'c']]
    """
    known = set(pieces)
    pairs = ([piece[:cut], piece[cut:]] for piece in pieces for cut in range(1, len(piece)))
    return [pair for pair in pairs if known.issuperset(pair)]


def tokenizer_of(pieces: list[str]) -> dict[str, object]:
    """A tokenizer.json: a space in front, spaces written ▁, pairs merged, what has no piece in bytes. No normal form is made:
    the vocabulary has … and ™, which NFKC would take apart, and llama2.c's own encoder reads the text as it is.
    """
    special = [
        {
            "id": token,
            "content": name,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for token, name in enumerate(SPECIAL)
    ]
    start = [{"SpecialToken": {"id": "<s>", "type_id": 0}}]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {
            "type": "Sequence",
            "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}],
        },
        "pre_tokenizer": None,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [*start, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [*start, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
        },
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": True,
            "byte_fallback": True,
            "ignore_merges": False,
            "vocab": {piece: token for token, piece in enumerate(pieces)},
            "merges": merges_of(pieces[FIRST_PIECE:]),
        },
    }


def main() -> None:
    """Write the three files."""
    parser = argparse.ArgumentParser(description="Bring stories260K into the layout of transformers.")
    parser.add_argument("model", type=Path, help="stories260K.bin")
    parser.add_argument("tokenizer", type=Path, help="tok512.bin")
    arguments = parser.parse_args()
    contents = [arguments.model.read_bytes(), arguments.tokenizer.read_bytes()]
    for content, (name, expected) in zip(contents, SHA256.items(), strict=True):
        if hashlib.sha256(content).hexdigest() != expected:
            raise SystemExit(f"{name} is not the published file")
    config, tensors = model_of(contents[0])
    tokenizer = tokenizer_of(pieces_of(contents[1]))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "model.safetensors").write_bytes(safetensors_of(tensors))
    for name, document in (("config.json", config), ("tokenizer.json", tokenizer)):
        (FOLDER / name).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(*(f"{file.name}: {file.stat().st_size:,} bytes" for file in sorted(FOLDER.iterdir())), sep="\n")


if __name__ == "__main__":
    main()
