"""`flops`: what a token and a whole context cost, exactly and by the rules of thumb."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from fractions import Fraction

from calc.commands.models import model_help, model_of
from calc.compute.attention import attention_flops_per_token, causal_attention_flops_per_token
from calc.compute.flops import (
    crossover_context,
    flops_by_part,
    forward_total,
    matmul_flops_by_part,
    matmul_flops_by_tensor,
    matmul_flops_per_token,
    rule_1n,
    rule_2n,
    rule_6n,
    square_forward_total,
)
from calc.compute.passes import stream_flops_per_token
from calc.compute.quantities import whole
from calc.compute.recurrence import recurrence_flops_per_token
from calc.compute.si_prefixes import si
from calc.mixing import Mixing, checked_context
from calc.mixing.reading import LONGEST
from calc.model import Model

HELP = "FLOPs of a token and of a forward pass, exact beside the rules of thumb"

USUAL_CONTEXT = 4096
"""Tokens taken where none are asked for, if the model takes as many."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """MODEL [--context T] [--json]."""
    parser.add_argument("model", metavar="MODEL", help=model_help())
    parser.add_argument("--context", metavar="T", help=f"tokens of the sequence ({USUAL_CONTEXT}, or as many as the model takes)")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print what a token costs, and what the whole context does."""
    document = flops_document(model_of(arguments.model), arguments.context)
    print(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else flops_as_text(document))


def context_of(mixing: Mixing, asked: object | None) -> int:
    """The context asked for, if the model takes it, or the usual one.

    Raises ConfigError: context_over_limit, and all that `whole` raises.
    """
    if asked is None:
        return min(USUAL_CONTEXT, mixing.max_context or USUAL_CONTEXT)
    return checked_context(mixing, whole("context", asked, LONGEST, "4096"))


def flops_document(model: Model, context: object | None = None) -> dict[str, object]:
    """Everything `python -m calc flops --json` prints; FLOPs throughout, whole numbers.

    matmul_per_token            in matrices, of any token: the sum of `tensors`, and of streams_per_token where there are any
    streams_per_token           in matrices that the token itself has made, to mix its residual streams
    attention_per_token_full    scores and mixing of the token that has the whole context to attend to
    attention_per_token_causal  the average over the context's tokens
    recurrence_per_token        in states of fixed size
    forward_total               the whole context, every token multiplied with every other and masked afterwards, as libraries
                                without a fused attention compute it and as published profiles count
    forward_total_causal        the same, each token attending only to those up to itself
    by_part                     of the last token of the context
    attention_outweighs_from    the context from which attention costs a token more than the matrices; null if never

    Raises ConfigError: context_over_limit, and all that `Model.of`, `Model.mixing` and `whole` raise.
    """
    mixing, total, active = model.mixing, model.parameters, model.active_parameters
    tokens = context_of(mixing, context)
    document: dict[str, object] = {
        "model": model.name,
        "model_type": model.model_type,
        "context": tokens,
        "context_assumed": context is None,
        "max_context": mixing.max_context,
        "parameters": total,
        "active_parameters": active,
        "rule_1n": rule_1n(total),
        "rule_2n": rule_2n(total),
        "rule_6n": rule_6n(total),
        "rule_2n_active": rule_2n(active),
        "rule_6n_active": rule_6n(active),
        "matmul_per_token": matmul_flops_per_token(model),
        "attention_per_token_full": attention_flops_per_token(mixing, tokens),
        "attention_per_token_causal": _number(causal_attention_flops_per_token(mixing, tokens)),
        "recurrence_per_token": recurrence_flops_per_token(mixing),
        "forward_total": square_forward_total(model, tokens),
        "forward_total_causal": forward_total(model, tokens),
        "by_part": flops_by_part(model, tokens),
        "matmul_by_part": matmul_flops_by_part(model),
        "attention_outweighs_from": crossover_context(model),
    }
    if any(entry.kind == "latent" for entry in mixing.attention):
        document["attention_per_token_full_absorbed"] = attention_flops_per_token(mixing, tokens, "absorbed")
    document["tensors"] = [
        {"name": tensor.name, "part": tensor.part, "role": tensor.role, "copies": tensor.copies, "flops": flops}
        for tensor, flops in matmul_flops_by_tensor(model)
        if flops
    ]
    if streams := stream_flops_per_token(mixing):
        document["streams_per_token"] = streams
    return document


def _number(value: Fraction) -> int | float:
    """A whole number as one; an average over windows may be none."""
    return value.numerator if value.denominator == 1 else float(value)


def flops_as_text(document: Mapping) -> str:
    """The same as lines: the rules, the exact count, and where a token's FLOPs go."""
    tokens = document["context"]
    names = [
        ("rule_1n", "1N, multiplications alone"),
        ("rule_2n", "2N, forward of a token by the rule of thumb"),
        ("rule_6n", "6N, forward and backward"),
        ("rule_2n_active", "2N of the active parameters"),
        ("matmul_per_token", "matrices: 2·in·out, lookup 0, head counted"),
        ("attention_per_token_full", f"scores and mixing, {tokens:,} positions attended to"),
        ("attention_per_token_full_absorbed", "the same with latents absorbed, as in decoding"),
        ("attention_per_token_causal", f"scores and mixing, average over {tokens:,} tokens"),
        ("recurrence_per_token", "states of fixed size"),
        ("forward_total", f"forward over {tokens:,} tokens, all pairs computed, then masked"),
        ("forward_total_causal", "the same, each token attending to those up to itself"),
    ]
    moe = document["active_parameters"] != document["parameters"]
    shown = [
        (key, note)
        for key, note in names
        if key in document and (key != "rule_2n_active" or moe) and (key != "recurrence_per_token" or document[key])
    ]
    lines = [document["model"]]
    lines += [f"{key:<34}{document[key]:>26,}  {si(document[key]):>12}  {note}" for key, note in shown]
    whole_token = sum(document["by_part"].values())
    lines += ["", f"of the last of {tokens:,} tokens"]
    lines += [f"{part:<34}{flops:>26,}  {flops / whole_token:>12.1%}" for part, flops in document["by_part"].items() if flops]
    rule = document["rule_2n_active"]
    average = document["forward_total_causal"] / (tokens * rule)
    lines += ["", f"exact ÷ 2N: {whole_token / rule:.4f} for that token, {average:.4f} on average over all {tokens:,}"]
    if document["attention_outweighs_from"] is not None:
        lines += [f"attention costs a token more than the matrices from {document['attention_outweighs_from']:,} tokens on"]
    return "\n".join(lines)
