"""`kv`: the KV cache of a model at a context and a batch."""

from __future__ import annotations

import argparse
import json

from calc.commands.models import model_help, model_of
from calc.compute.quantities import whole
from calc.mixing import checked_context
from calc.mixing.kv_cache import (
    DTYPES,
    LARGEST_BATCH,
    PAGE,
    CacheOfKind,
    bits_of,
    cache_by_kind,
    checked_batch,
    kv_bytes,
    kv_bytes_per_token,
    reserved_bytes,
    state_bytes,
)
from calc.mixing.reading import LONGEST
from calc.model import Model

HELP = "the KV cache of a model at a context and a batch"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL --context N [--batch B] [--dtype D] [--json]."""
    parser.add_argument("model", metavar="MODEL", help=model_help())
    parser.add_argument("--context", required=True, metavar="N", help="tokens of each sequence, prompt and answer together")
    parser.add_argument("--batch", default="1", metavar="B", help="sequences at a time (1)")
    parser.add_argument("--dtype", default="bf16", metavar="D", help=f"of keys and values: {', '.join(DTYPES)} (bf16)")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print what the cache takes, and of which layers."""
    model = model_of(arguments.model)
    context, batch = whole("context", arguments.context, LONGEST, "4096"), whole("batch", arguments.batch, LARGEST_BATCH, "8")
    document = kv_document(model, context, batch, arguments.dtype)
    print(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else kv_as_text(document))


def kv_document(model: Model, context: int, batch: int, dtype: str) -> dict[str, object]:
    """What the cache takes, as a JSON document; bytes throughout.

    bytes_per_token   one more token of one sequence, while no window is full
    bytes             keys and values at this context and batch, a sliding layer keeping its window alone
    state_bytes       states of recurrent layers, which do not grow
    reserved_bytes    keys and values where an engine gives every layer pages for the whole context
    kinds             the same by kind of layer, with formulas

    Raises ConfigError: mixing_not_described, context_over_limit, not_positive, too_big, not_among.
    """
    mixing, bits = model.mixing, bits_of(dtype)
    context, batch = checked_context(mixing, context), checked_batch(batch)
    return {
        "model": model.name,
        "model_type": mixing.model_type,
        "context": context,
        "max_context": mixing.max_context,
        "batch": batch,
        "dtype": dtype.lower(),
        "bits": float(bits),
        "bytes_per_token": kv_bytes_per_token(mixing, bits),
        "bytes": kv_bytes(mixing, context, batch, bits),
        "state_bytes": state_bytes(mixing, batch),
        "reserved_bytes": reserved_bytes(mixing, context, batch, bits),
        "page_tokens": PAGE,
        "kinds": [_kind_document(kind) for kind in cache_by_kind(mixing, context, batch, bits)],
    }


def _kind_document(kind: CacheOfKind) -> dict[str, object]:
    return {
        "kind": kind.kind,
        "layers": list(kind.layers),
        "window": kind.window,
        "numbers": kind.numbers.value,
        "numbers_formula": kind.numbers.symbol,
        "entries": kind.entries,
        "bytes_per_token": kind.bytes_per_token,
        "bytes": kind.bytes,
        "formula": kind.formula,
        "worked": kind.worked,
    }


def kv_as_text(document: dict) -> str:
    """The same as lines: a kind of layer each with its formula, then the sums."""
    rows = [
        (f"{kind['kind']}, {len(kind['layers'])} layers", kind["formula"], kind["worked"], kind["bytes"])
        for kind in document["kinds"]
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    lines = [f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}} = {row[2]:<{widths[2]}} = {row[3]:>18,} B" for row in rows]
    sums = (
        ("each token adds", "bytes_per_token", "while no window is full"),
        ("keys and values", "bytes", f"{document['context']:,} tokens × {document['batch']:,}, {document['dtype']}"),
        ("states", "state_bytes", "whatever the context"),
        ("reserved", "reserved_bytes", f"pages of {document['page_tokens']} tokens for every layer and the whole context"),
    )
    lines += ["", *(f"{what:<17}{document[key]:>22,} B   {_binary(document[key]):>12}   {note}" for what, key, note in sums)]
    return "\n".join([document["model"], *lines])


def _binary(size: int) -> str:
    """A size in the largest binary unit it reaches."""
    unit = next((unit for unit, power in (("GiB", 30), ("MiB", 20)) if size >= 2**power), "KiB")
    return f"{size / 2 ** {'GiB': 30, 'MiB': 20, 'KiB': 10}[unit]:,.2f} {unit}"
