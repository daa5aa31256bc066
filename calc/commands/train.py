"""`train`: the compute of a training run, and what it takes on GPUs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from calc.commands.flops import context_of
from calc.commands.models import model_help, model_of
from calc.compute import quantities
from calc.compute.scaling import BESIROGLU, HOFFMANN, chinchilla_tokens, over_training_factor
from calc.compute.si_prefixes import scientific, si
from calc.compute.training import RECOMPUTATIONS, exact_training_flops, training_flops, training_time
from calc.errors import ConfigError, quoted
from calc.gpus import find_gpu
from calc.gpus import gpus as known_gpus
from calc.model import Model

HELP = "the compute of a training run, its hours, days and cost"

USUAL_UTILISATION = 0.4
"""The share of the peak taken where none is given: published runs of dense models reach 30 to 50 %."""

NEEDS_GPU = {"gpus": "--gpus", "utilisation": "--utilisation", "price": "--price"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL --tokens D [--gpu NAME --gpus N --utilisation U --price P] [--context T] [--recomputation R] [--json]."""
    parser.add_argument("model", metavar="MODEL", help=model_help())
    parser.add_argument("--tokens", required=True, metavar="D", help="tokens of the run: 2e12, or 2T")
    parser.add_argument("--context", metavar="T", help="tokens of a sequence (4096, or as many as the model takes)")
    parser.add_argument(
        "--recomputation", default="none", metavar="R", help=f"what the backward pass computes again: {', '.join(RECOMPUTATIONS)}"
    )
    parser.add_argument("--gpu", metavar="NAME", help=f"one of: {', '.join(known_gpus())}")
    parser.add_argument("--gpus", metavar="N", help="how many (1)")
    parser.add_argument("--utilisation", metavar="U", help=f"share of the GPU's dense peak that is reached ({USUAL_UTILISATION})")
    parser.add_argument("--price", metavar="P", help="of one GPU for an hour")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print the compute, the time and the cost."""
    asked = {name: getattr(arguments, name) for name in ("context", "recomputation", "gpu", "gpus", "utilisation", "price")}
    document = training_document(model_of(arguments.model), arguments.tokens, **asked)
    print(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else training_as_text(document))


def training_document(
    model: Model,
    tokens: object,
    *,
    context: object | None = None,
    recomputation: str = "none",
    gpu: str | None = None,
    gpus: object | None = None,
    utilisation: object | None = None,
    price: object | None = None,
) -> dict[str, object]:
    """Everything `python -m calc train --json` prints.

    rule_6nd         C = 6·N·D, N the active parameters
    exact            forward, backward and what is recomputed: whole numbers of FLOPs
    chinchilla       20 tokens a parameter, and how many times as many this run has
    time             gpu_hours, days and cost: by the rule and by the exact count, recomputation included; only with a GPU

    Raises ConfigError: not_among, needs_gpu, gpu_without_peak, context_over_limit, and all that `Model.of`,
    `Model.mixing`, `find_gpu` and `calc.compute.quantities` raise.
    """
    length, active = context_of(model.mixing, context), model.active_parameters
    number = quantities.whole("tokens", tokens, quantities.MOST_TOKENS, "2e12")
    if recomputation not in RECOMPUTATIONS:
        among = ", ".join(RECOMPUTATIONS)
        raise ConfigError("not_among", "recomputation", value=quoted(recomputation), among=among)
    exact = exact_training_flops(model, number, length, recomputation)
    rule = training_flops(active, number)
    document: dict[str, object] = {
        "model": model.name,
        "model_type": model.model_type,
        "parameters": model.parameters,
        "active_parameters": active,
        "tokens": number,
        "context": length,
        "context_assumed": context is None,
        "recomputation": recomputation,
        "rule_6nd": rule,
        "exact": {
            "forward": exact.forward,
            "backward": exact.backward,
            "recomputed": exact.recomputed,
            "model_flops": exact.model_flops,
            "total": exact.total,
        },
        "chinchilla": {
            "tokens": chinchilla_tokens(active),
            "times_as_many": over_training_factor(active, number),
            "times_as_many_by_law": {law.name: over_training_factor(active, number, law) for law in (BESIROGLU, HOFFMANN)},
        },
    }
    document["time"] = _time(rule, exact.total, gpu, {"gpus": gpus, "utilisation": utilisation, "price": price})
    return document


def _time(rule: int, exact: int, gpu: str | None, asked: Mapping[str, object]) -> dict[str, object] | None:
    if gpu is None:
        for field, option in NEEDS_GPU.items():
            if asked[field] is not None:
                raise ConfigError("needs_gpu", option)
        return None
    found = find_gpu(gpu)
    number = 1 if asked["gpus"] is None else quantities.whole("gpus", asked["gpus"], quantities.MOST_GPUS, "8")
    reached = USUAL_UTILISATION if asked["utilisation"] is None else quantities.share("utilisation", asked["utilisation"])
    per_hour = None if asked["price"] is None else quantities.price("price", asked["price"])
    peak = found.peak_flops_per_second()
    return {
        "gpu": found.name,
        "peak_flops_per_second": peak,
        "gpus": number,
        "utilisation": reached,
        "utilisation_assumed": asked["utilisation"] is None,
        "price_per_hour": per_hour,
        **{
            by: {"gpu_hours": time.gpu_hours, "days": time.days, "cost": time.cost}
            for by, time in (
                ("by_rule", training_time(rule, peak, reached, number, per_hour)),
                ("by_exact", training_time(exact, peak, reached, number, per_hour)),
            )
        },
    }


def training_as_text(document: Mapping) -> str:
    """The same as lines."""
    exact, chinchilla = document["exact"], document["chinchilla"]

    def line(key: str, flops: int, note: str) -> str:
        return f"{key:<14}{scientific(flops, 4):>10}  {si(flops):>13}  {note}"

    lines = [
        f"{document['model']}: {document['active_parameters']:,} parameters, {document['tokens']:,} tokens",
        line("6ND", document["rule_6nd"], f"rule of thumb: {document['rule_6nd']:,}"),
        line("exact", exact["model_flops"], f"3 · forward, sequences of {document['context']:,}: {exact['model_flops']:,}"),
    ]
    if exact["recomputed"]:
        lines.append(line("done", exact["total"], f"with {document['recomputation']} recomputation: {exact['total']:,}"))
    of = " (active ones; the rule comes from dense models)" if document["active_parameters"] != document["parameters"] else ""
    lines.append(f"{chinchilla['times_as_many']:.1f} times the {chinchilla['tokens']:,} tokens of 20 a parameter{of}")
    time = document["time"]
    if time is None:
        return "\n".join(lines)
    lines.append("")
    lines.append(f"{time['gpus']:,} × {time['gpu']}, {time['utilisation']:.1%} of {si(time['peak_flops_per_second'], 'FLOP/s')}")
    for by, label in (("by_rule", "6ND"), ("by_exact", "exact")):
        cost = "" if time[by]["cost"] is None else f"  cost {time[by]['cost']:,.0f}"
        lines.append(f"{label:<14}{time[by]['gpu_hours']:>16,.1f} GPU-hours  {time[by]['days']:>12,.2f} days{cost}")
    return "\n".join(lines)
