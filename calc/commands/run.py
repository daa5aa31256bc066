"""`run`: a small Llama writes on, and its FLOPs and its cache are held against what was predicted."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from calc.catalogue import catalogue
from calc.config.fields import checked_count
from calc.errors import ConfigError, quoted
from calc.mixing import within_limit

if TYPE_CHECKING:
    from calc.run.continuation import Continuation
    from calc.run.llama import Llama
    from calc.run.tokens import RunTokenizer

HELP = "a text written on by a small model, its FLOPs counted while it runs"
STORIES = "stories-260k"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """[TEXT] [--tokens N] [--temperature X] [--top-k K] [--top-p P] [--seed S] [--model M] [--json]."""
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", default="", help="the beginning; without it the model begins by itself"
    )
    parser.add_argument("--tokens", type=int, default=60, metavar="N", help="tokens to write (60)")
    parser.add_argument("--temperature", type=float, default=0.0, metavar="X", help="0 takes the likeliest token each time (0)")
    parser.add_argument("--top-k", type=int, metavar="K", help="draw from the K likeliest tokens alone")
    parser.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the likeliest tokens that together have probability P"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed draws the same tokens (0)")
    parser.add_argument("--model", default=STORIES, metavar="M", help=f"{STORIES}, or a folder with a small model of your own")
    parser.add_argument("--json", action="store_true", help="as a JSON document")


def run(arguments: argparse.Namespace) -> None:
    """Print what the model writes, and the books of it.

    Raises ConfigError: not_positive, negative, no_model_to_run, context_over_limit, tokenizer_package_missing, and all that
    `read_model`, `read_run_tokenizer` and `Sampling` raise.
    """
    document = run_document(arguments)
    print(json.dumps(document, indent=1, ensure_ascii=False) if arguments.json else run_as_text(document))


def run_document(arguments: argparse.Namespace) -> dict[str, object]:
    """What --json prints.

    text            the beginning and what was written behind it
    ids             all tokens of it, BOS in front
    prompt_tokens   how many of these were given
    tokens          id, text and probability of each: what the model gave it when it stood next; null of the first. Those
                    written also have a chance: with which they were drawn
    ended           whether the model ended its text itself
    read            tokens that went through the model: all but the one written last
    flops_…, cache_bytes_…   counted and allocated while it ran, and predicted from the config
    """
    checked_count("tokens", arguments.tokens)
    checked_count("seed", arguments.seed, smallest=0)
    try:
        from calc.run.continuation import Continuation
    except ImportError as error:
        raise ConfigError("tokenizer_package_missing", package=error.name) from None
    from calc.run.sampling import Sampling

    sampling = Sampling(arguments.temperature, arguments.top_k, arguments.top_p)
    model, tokenizer = _model_of(arguments.model)
    story = Continuation(model, tokenizer.ids(arguments.text), sampling, arguments.seed)
    prompt = len(story.ids)
    within_limit(prompt + arguments.tokens, model.sizes.max_context)
    drawn_with, ended = _written(story, arguments.tokens, tokenizer.stops)
    books = story.books()
    return {
        "model": arguments.model,
        "text": tokenizer.text(story.ids),
        "ids": story.ids,
        "prompt_tokens": prompt,
        "tokens": [
            {"id": token, "text": tokenizer.piece(token), "probability": probability}
            | ({"chance": drawn_with[position - prompt]} if position >= prompt else {})
            for position, (token, probability) in enumerate(zip(story.ids, story.probabilities, strict=True))
        ],
        "ended": ended,
        "read": books.tokens,
        "flops_done": books.flops_done,
        "flops_predicted": books.flops_predicted,
        "cache_bytes_done": books.cache_bytes_done,
        "cache_bytes_predicted": books.cache_bytes_predicted,
    }


def run_as_text(document: dict) -> str:
    """The text, a line for each token, and what was done beside what was predicted."""
    lines = [document["text"], ""]
    for token in document["tokens"]:
        given = "" if token["probability"] is None else f"{token['probability']:8.2%}"
        lines.append(f"{token['id']:>6}  {token['text']!r:<14}{given}{'' if 'chance' in token else '  given'}")
    lines.append("")
    for what, unit in (("flops", "FLOP"), ("cache_bytes", "B")):
        done, predicted = document[f"{what}_done"], document[f"{what}_predicted"]
        sign = "=" if done == predicted else "≠"
        label = {"flops": "FLOPs", "cache_bytes": "KV cache"}[what]
        lines.append(
            f"{label:<9}{done:>15,} {unit:<4} done {sign} {predicted:>15,} {unit:<4} predicted, {document['read']} tokens read"
        )
    return "\n".join(lines)


def _written(story: Continuation, tokens: int, stops: frozenset[int]) -> tuple[list[float], bool]:
    """Let a story go on for so many tokens, or until it ends: with which chance each was drawn, and whether it ended."""
    chances = []
    for _ in range(tokens):
        choice = story.write()
        chances.append(choice.chance)
        if choice.id in stops:
            return chances, True
    return chances, False


def _model_of(name: str) -> tuple[Llama, RunTokenizer]:
    """The model that is carried here, or that of a folder, with its tokenizer."""
    from calc.run.checkpoint import files_of, read_model, stories
    from calc.run.tokens import read_run_tokenizer, stories_tokenizer

    if name.strip().lower() == STORIES:
        return stories(), stories_tokenizer()
    if name.strip().lower() in catalogue():
        raise ConfigError("no_model_to_run", value=quoted(name), known=STORIES)
    files = files_of(name)
    model = read_model(files)
    return model, read_run_tokenizer(files, model.description)
