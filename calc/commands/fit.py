"""`fit`: whether a model fits on a GPU, at which context and batch, and how fast it can go at most."""

from __future__ import annotations

import argparse
import json

from calc.commands.flops import context_of
from calc.commands.models import model_help, model_of
from calc.compute.quantities import whole
from calc.gpus import Gpu, find_gpu, gpus
from calc.memory.decode import floor, step_read
from calc.memory.fit import Demand, Fit, formats_that_fit
from calc.memory.tensor_parallel import MOST_GPUS, checked_gpus
from calc.mixing.kv_cache import DTYPES, LARGEST_BATCH, Bits, bits_of
from calc.model import Model
from calc.weights.byte_units import written
from calc.weights.format_names import format_of, known_formats
from calc.weights.formats import arithmetic_on, number_format
from calc.weights.gguf_types import FTYPES
from calc.weights.weights import LineSize, sizes_in_memory

HELP = "whether a model fits on a GPU, the longest context, the largest batch, and the decode floor"

USUAL_FORMAT = "bf16"

VERDICTS = {"fits": "fits", "tight": "fits only if the framework takes little", "does_not_fit": "does not fit"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL --gpu G [--format F] [--context N] [--batch B] [--gpus n] [--cache D] [--json]."""
    parser.add_argument("model", metavar="MODEL", help=model_help())
    parser.add_argument("--gpu", required=True, metavar="G", help=f"one of: {', '.join(gpus())}")
    of_weights = f"of the weights: {', '.join(known_formats())} ({USUAL_FORMAT})"
    parser.add_argument("--format", default=USUAL_FORMAT, metavar="F", help=of_weights)
    parser.add_argument("--context", metavar="N", help="tokens of each sequence (4096, or as many as the model takes)")
    parser.add_argument("--batch", default=1, metavar="B", help="sequences at a time (1)")
    parser.add_argument("--gpus", default=1, metavar="n", help="GPUs that share the model by tensor parallelism (1)")
    parser.add_argument("--cache", default="bf16", metavar="D", help=f"of keys and values: {', '.join(DTYPES)} (bf16)")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print whether it fits."""
    model = model_of(arguments.model)
    document = fit_document(
        model,
        arguments.gpu,
        arguments.format,
        context=arguments.context,
        batch=arguments.batch,
        gpus_=arguments.gpus,
        cache=arguments.cache,
    )
    print(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else fit_as_text(document))


def fit_document(
    model: Model,
    gpu_name: str,
    format_name: str,
    *,
    context: object = None,
    batch: object = 1,
    gpus_: object = 1,
    cache: str = "bf16",
) -> dict[str, object]:
    """What stands in the memory of each GPU, as a JSON document; bytes, and seconds where the name says so.

    verdict          `fits` with the largest overhead, `tight` only with the smallest, or `does_not_fit`
    left_bytes       with the largest overhead and with the smallest; below 0 it lacks
    longest_context, largest_batch   `sure` and `possible`; 0 where nothing fits, null where nothing here bounds it
    decode           the floor of one step: all weights of the format and the cache ÷ bandwidth

    Raises ConfigError: unknown_gpu, unknown_format, context_over_limit, heads_do_not_share_out, and their relatives.
    """
    gpu, model, bits = find_gpu(gpu_name), model, bits_of(cache)
    tokens = context_of(model.mixing, context)
    sequences = whole("batch", batch, LARGEST_BATCH, "1")
    number_of_gpus = checked_gpus(model.mixing, whole("gpus", gpus_, MOST_GPUS, "1"))
    sizes = sizes_in_memory(model, format_name)
    demand = Demand(model, sizes, gpus=number_of_gpus, cache_bits=bits)
    context_bounds, batch_bounds = demand.longest_context(gpu, sequences), demand.largest_batch(gpu, tokens)
    tried = formats_that_fit(model, gpu, context=tokens, batch=sequences, gpus=number_of_gpus, cache_bits=bits)
    return {
        "model": model.name,
        "gpu": gpu.name,
        "gpus": number_of_gpus,
        "format": _format_name(format_name),
        "computes": arithmetic_on(number_format(_block_of(format_name)), gpu.native),
        "context": tokens,
        "batch": sequences,
        "cache": cache.lower(),
        **_fit(demand.fit(gpu, tokens, sequences)),
        "longest_context": {"sure": context_bounds.sure, "possible": context_bounds.possible, "limit": context_bounds.limit},
        "largest_batch": {"sure": batch_bounds.sure, "possible": batch_bounds.possible},
        "decode": _decode(model, sizes, gpu, number_of_gpus, tokens, sequences, bits),
        "formats": {each: of.verdict for each, of in tried.items()},
    }


def _fit(fit: Fit) -> dict[str, object]:
    return {
        "verdict": fit.verdict,
        "capacity_bytes": [fit.capacity.low_bytes, fit.capacity.high_bytes],
        "capacity_basis": fit.capacity.basis,
        "weight_bytes": fit.weight_bytes,
        "cache_bytes": fit.cache_bytes,
        "reserved_cache_bytes": fit.reserved_bytes,
        "state_bytes": fit.state_bytes,
        "activation_bytes": fit.activations.bytes,
        "activation_formula": f"{fit.activations.formula} = {fit.activations.worked}",
        "overhead_bytes": list(fit.overhead_bytes),
        "left_bytes": list(fit.left_bytes),
    }


def _decode(
    model: Model, sizes: tuple[LineSize, ...], gpu: Gpu, number_of_gpus: int, context: int, batch: int, bits: Bits
) -> dict[str, object]:
    """The floor of one step; several GPUs share the reading evenly, which no real interconnect lets them do for free."""
    read = step_read(model, sizes, context=context, batch=batch, cache_bits=bits)
    alone = step_read(model, sizes, context=0, batch=batch)
    of = floor(read, gpu, 0)
    return {
        "read_bytes": read.bytes,
        "seconds": of.seconds / number_of_gpus,
        "tokens_per_second": of.tokens_per_second * number_of_gpus,
        "weights_alone_seconds": floor(alone, gpu, 0).seconds / number_of_gpus,
        "embedding_rows_only_seconds": of.least_seconds / number_of_gpus,
    }


def _format_name(format_name: str) -> str:
    found = format_of(format_name)
    return found if isinstance(found, str) else found.name


def _block_of(format_name: str) -> str:
    """The number format that most of the weights are in."""
    found = format_of(format_name)
    return f"gguf-{FTYPES[found]}" if isinstance(found, str) else found.name


def fit_as_text(document: dict) -> str:
    """The same as lines: what stands in memory from the largest to what is left, then the bounds."""
    low, high = document["capacity_bytes"]
    basis = {"reported": "as its driver reports", "unified": "what the system leaves the GPU", "label": "by its label"}
    smallest, largest = document["overhead_bytes"]
    least, most = document["left_bytes"]
    each = f"each of {document['gpus']} " if document["gpus"] > 1 else ""
    tokens = f"{document['batch']:,} × {document['context']:,} tokens"
    rows = [
        ("memory", _range(low, high), basis[document["capacity_basis"]]),
        ("weights", _one(document["weight_bytes"]), document["format"]),
        ("KV cache", _one(document["cache_bytes"]), f"{tokens}, {document['cache']}"),
        ("states", _one(document["state_bytes"]), "of recurrent layers"),
        ("activations", _one(document["activation_bytes"]), document["activation_formula"]),
        ("overhead", _range(smallest, largest), "driver, framework, fragments: a range that is seen"),
        ("left", _range(least, most), "with the most and the least overhead"),
    ]
    rows = [row for row in rows if row[0] != "states" or document["state_bytes"]]
    width = max(len(row[1]) for row in rows)
    lines = [f"{document['model']} in {document['format']} on {each}{document['gpu']}: {VERDICTS[document['verdict']]}", ""]
    lines += [f"{row[0]:<12}{row[1]:>{width}}   {row[2]}" for row in rows]
    context, batch, decode = document["longest_context"], document["largest_batch"], document["decode"]
    fitting = ", ".join(name for name, verdict in document["formats"].items() if verdict == "fits")
    limit = "" if context["limit"] is None else f"; the model takes {context['limit']:,}"
    lines += [
        "",
        f"longest context  {_bounds(context)} in each of {document['batch']:,} sequences at a time{limit}",
        f"largest batch    {_bounds(batch)} at {document['context']:,} tokens each",
        f"decode floor     {decode['seconds'] * 1000:.2f} ms a step, at most {decode['tokens_per_second']:,.0f} tokens a second "
        f"({decode['read_bytes']:,} B read); weights alone {decode['weights_alone_seconds'] * 1000:.2f} ms",
        f"multiplies it    {_COMPUTES[document['computes']]}",
        f"fits in          {fitting or 'none of the usual formats'}",
    ]
    return "\n".join(lines)


_COMPUTES = {
    "native": "in its matrix units as it is",
    "unpacked": "after turning it into 16-bit numbers",
    "emulated": "has no unit for it: software computes in another format; fp16 is native",
    "unknown": "is not published",
}


def _one(size: int) -> str:
    return f"{size:,} B = {written(size, 'GB')} = {written(size, 'GiB')}"


def _range(low: int, high: int) -> str:
    return _one(low) if low == high else f"{written(low, 'GB')} to {written(high, 'GB')}"


def _bounds(bounds: dict) -> str:
    sure, possible = (f"{bounds[side]:,}" if bounds[side] is not None else "without bound" for side in ("sure", "possible"))
    return sure if sure == possible else f"{sure} surely, {possible} at best"
