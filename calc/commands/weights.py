"""`weights`: the size of a model's weights in a format, tensor by tensor."""

from __future__ import annotations

import argparse
import json

from calc.commands.models import model_help, model_of
from calc.model import Model
from calc.weights.byte_units import in_unit, written
from calc.weights.format_names import format_of, known_formats
from calc.weights.formats import formats, number_format
from calc.weights.gguf_types import VERSION
from calc.weights.unquantized import REASONS
from calc.weights.weights import Weights, weights

HELP = "the size of a model's weights in a number format or quantized file, from its config"

USUAL_FORMAT = "bf16"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL [--format F] [--imatrix] [--json]."""
    parser.add_argument("model", metavar="MODEL", help=model_help())
    of_weights = f"one of: {', '.join(known_formats())} ({USUAL_FORMAT})"
    parser.add_argument("--format", default=USUAL_FORMAT, metavar="F", help=of_weights)
    parser.add_argument("--imatrix", action="store_true", help="llama.cpp's types: with an importance matrix, which moves rules")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print what the weights take."""
    model = model_of(arguments.model)
    document = weights_document(model, arguments.format, arguments.imatrix)
    print(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else weights_as_text(document))


def weights_document(model: Model, format_name: str, imatrix: bool = False) -> dict[str, object]:
    """The size of the weights as a JSON document; bytes throughout.

    bytes             of the .safetensors files, headers included; of a .gguf file its tensors
    data_bytes        of the tensors alone
    header_bytes      of .safetensors headers; of a .gguf the list of its tensors, which is not in `bytes`
    bits_per_weight   8 · data_bytes ÷ parameters
    by_type           bytes of each type; they sum to data_bytes
    tensors           each line of the parts list, and why it keeps its bits where it does

    Raises ConfigError: unknown_format, unknown_format_similar, gguf_not_described, gguf_no_fallback, and what the config is
    refused for.
    """
    size = weights(model, format_name, imatrix=imatrix)
    document: dict[str, object] = {
        "model": model.name,
        "model_type": model.config.model_type,
        "format": size.format,
        "file": size.kind,
        "parameters": size.parameters,
        "bytes": size.bytes,
        "data_bytes": size.data_bytes,
        "header_bytes": size.header_bytes,
        "bits_per_weight": float(size.bits_per_weight),
        "by_type": size.by_type,
        "gb": float(in_unit(size.bytes, "GB")),
        "gib": float(in_unit(size.bytes, "GiB")),
        "is_exact": size.is_exact,
    }
    if size.kind == "safetensors":
        document |= {"files": list(size.files), "index_bytes": size.index_bytes}
    elif size.kind == "gguf":
        document |= {"imatrix": size.imatrix, "rules": VERSION}
    document["derivations"] = _derivations(size)
    document["tensors"] = [
        {
            "name": line.name,
            "part": line.part,
            "type": line.type,
            "tensors": line.tensors,
            "numbers": line.numbers,
            "bytes": line.bytes,
            "kept_because": line.reason,
        }
        for line in size.lines
    ]
    return document


def _derivations(size: Weights) -> dict[str, str]:
    """Each type's bits a weight, as they come about."""
    if size.kind == "gguf":
        return {kind: number_format(f"gguf-{kind}").derivation for kind in size.by_type}
    number = format_of(size.format)
    assert not isinstance(number, str)  # only .gguf types are texts
    plain = {"F32": "fp32", "F16": "fp16", "BF16": "bf16"}
    return {kind: formats()[plain[kind]].derivation if kind in plain else number.derivation for kind in size.by_type}


def weights_as_text(document: dict) -> str:
    """The same as lines: a line a tensor, a line a type, the sum in GB, GiB and MiB, and what is kept and why."""
    rows = [(line["name"], line["type"], f"{line['numbers']:,}", f"{line['bytes']:,} B") for line in document["tensors"]]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}" for row in rows]
    derived = document["derivations"]
    lines += ["", *(f"{kind:<34}{size:>18,} B   {derived[kind]}" for kind, size in document["by_type"].items())]
    size = document["bytes"]
    what = {"safetensors": "files, headers included", "gguf": "tensors", "numbers": "a bound: parameters · bits ÷ 8"}
    lines += [
        "",
        f"{document['model']} in {document['format']}: {size:,} B = {written(size, 'GB')} = {written(size, 'GiB')} = "
        f"{written(size, 'MiB', 0)} ({what[document['file']]}), {document['bits_per_weight']:.4f} bits a weight",
    ]
    if document["file"] == "gguf":
        with_matrix = ", with an importance matrix" if document["imatrix"] else ""
        lines += [
            f"and {document['header_bytes']:,} B for the list of tensors; the tokenizer before it no config tells. "
            f"Types as {document['rules']} chooses them{with_matrix}."
        ]
    elif document["file"] == "safetensors":
        headers = f"{document['header_bytes']:,} B of it headers, index {document['index_bytes']:,} B beside it"
        lines += [f"in {len(document['files'])} files; {headers}"]
    kept = dict.fromkeys(line["kept_because"] for line in document["tensors"] if line["kept_because"])
    lines += [f"not quantized, {reason}: {REASONS[reason]}" for reason in kept]
    return "\n".join(lines)
