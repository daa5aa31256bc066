"""How the numbers of a question are drawn: from models of the catalogue, named, and from models that do not exist."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from calc.learn.ffn_width import ffn_width
from calc.learn.models import GPUS, LLAMA_LIKE, Card, Sizes, card, sizes
from calc.learn.questions.kinds import Dice, Drawn
from calc.learn.questions.symbols import total
from calc.learn.words import Words

MADE_UP = Words("a made-up model", "一个虚构的模型")
VOCABULARIES = (32000, 49152, 65536, 128256, 151936)
HEADS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64)
HEAD_DIMS = (64, 96, 128)
MULTIPLES = (128, 256, 1024)
CONTEXTS = (1024, 2048, 4096, 8192, 16384, 32768)
TELLING_GAP = Fraction(1, 100)
"""How far a model's count must be from the round number in its name, for the two to be told apart in three figures."""

Suits = Callable[[Sizes], bool]


def square(model: Sizes) -> bool:
    """Whether all heads together are as wide as the vector: head_dim = d ÷ n_h."""
    return model.num_attention_heads * model.head_dim == model.hidden_size


def grouped(model: Sizes) -> bool:
    """Whether query heads share key-value heads."""
    return square(model) and model.grouped


def ungrouped(model: Sizes) -> bool:
    """Whether every query head has keys and values of its own."""
    return square(model) and not model.grouped


def untied(model: Sizes) -> bool:
    """Whether embedding and lm_head are two tables."""
    return square(model) and not model.tied


def tells_its_name(model: Sizes) -> bool:
    """Whether its count is far enough from the round number it is called by."""
    return model.round_billions is not None and abs(Fraction(model.round_billions * 10**9, model.parameters) - 1) > TELLING_GAP


def model_drawn(dice: Dice, suits: Suits = square, named: bool | None = None) -> Drawn | None:
    """The numbers of a model: of the catalogue, or made up; `named` asks for one of the two. None where it does not suit."""
    if named is None:
        named = dice.pick((True, False))
    model = sizes(dice.pick(LLAMA_LIKE)) if named else made_up(dice)
    if not suits(model):
        return None
    given = model.given()
    if not tells_its_name(model):
        given.pop("round", None)
    return Drawn(given, {"title": model.title or MADE_UP})


def made_up(dice: Dice) -> Sizes:
    """A plausible model that does not exist; its count follows from its sizes.

    >>> made_up(Dice("1")).title is None
    True
    """
    head_dim, heads = dice.pick(HEAD_DIMS), dice.pick(HEADS)
    kv_heads = dice.pick(tuple(number for number in range(2, heads + 1) if heads % number == 0))
    hidden_size = heads * head_dim
    intermediate_size = ffn_width(hidden_size, dice.pick(MULTIPLES)).width
    layers, vocabulary, tied = dice.pick(range(12, 97)), dice.pick(VOCABULARIES), dice.pick((False, False, True))
    numbers = {
        "d": hidden_size,
        "f": intermediate_size,
        "L": layers,
        "n_h": heads,
        "n_kv": kv_heads,
        "h": head_dim,
        "V": vocabulary,
        "tied": int(tied),
    }
    parameters = int(total.value(numbers))
    return Sizes(None, hidden_size, intermediate_size, layers, heads, kv_heads, head_dim, vocabulary, tied, parameters)


def of_model(
    suits: Suits = square, named: bool | None = None, **more: Callable[[Dice], int | Fraction]
) -> Callable[[Dice], Drawn | None]:
    """How to draw a model that suits, and further numbers by name."""

    def draw(dice: Dice) -> Drawn | None:
        drawn = model_drawn(dice, suits, named)
        return drawn and Drawn({**drawn.given, **{name: pick(dice) for name, pick in more.items()}}, drawn.words)

    return draw


def with_card(
    draw: Callable[[Dice], Drawn | None], fits: Callable[[Drawn, Card], bool] | None = None
) -> Callable[[Dice], Drawn | None]:
    """A drawing with a GPU, on which it must fit."""

    def with_gpu(dice: Dice) -> Drawn | None:
        drawn, gpu = draw(dice), card(dice.pick(GPUS))
        if drawn is None or (fits is not None and not fits(drawn, gpu)):
            return None
        return Drawn({**drawn.given, **gpu.given()}, {**drawn.words, "gpu": gpu.name})

    return with_gpu


def holds_fp16(drawn: Drawn, gpu: Card) -> bool:
    """Whether a card holds the weights in fp16."""
    return drawn.given["N"] * 2 <= gpu.memory_gb * 10**9


def numbers(**picks: range | tuple[int, ...] | tuple[Fraction, ...]) -> Callable[[Dice], Drawn | None]:
    """Numbers that belong to no model, each from its own list."""

    def draw(dice: Dice) -> Drawn:
        return Drawn({name: dice.pick(items) for name, items in picks.items()})

    return draw


def in_and_out(dice: Dice) -> Drawn | None:
    """Two different lengths, multiples of 64."""
    given = {"a": 64 * dice.pick(range(8, 257)), "c": 64 * dice.pick(range(1, 257))}
    return Drawn(given) if given["a"] != given["c"] else None


def one_of(*items: int | Fraction) -> Callable[[Dice], int | Fraction]:
    """One of these numbers."""
    return lambda dice: dice.pick(items)
