"""The models this project carries with it: published configs, exact totals, published figures, and their sources."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path

from calc.errors import ConfigError, quoted

MODELS_FILE = Path(__file__).parent / "data" / "models.json"

FAMILIES = (
    *("Llama", "Qwen", "DeepSeek", "Gemma", "Mistral", "GPT", "Phi", "GLM", "MiniMax", "SmolLM", "OLMo", "Yi", "Falcon"),
    *("Granite", "Cohere", "Hunyuan", "Seed-OSS", "EXAONE", "Nemotron", "StarCoder", "Mamba", "LFM", "StableLM", "BLOOM"),
    "EleutherAI",
)
"""The families of the catalogue, those most people ask for first."""


@dataclass(frozen=True, slots=True)
class HubGap:
    """A reason why the Hub's total is larger than the parameters: the product of `factors` elements of this `cause`."""

    cause: str
    factors: tuple[int, ...]

    @property
    def elements(self) -> int:
        """Numbers the Hub counts that are no parameters of their own."""
        return math.prod(self.factors)


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A published model.

    name               how the command line and the address call it: `llama-2-7b`
    title              how a person writes it: `Llama-2-7B`
    family             whose it is, one of FAMILIES: `Llama`
    family_rank        its place within the family, 1 for the model people name most
    hub_id             its repository on the Hub
    config             the fields of its published config.json that shape a tensor or say how tokens meet
    parameters         exact total, from a source other than this package
    published          the figure it is published under, `6.74B`, and where
    hub_total          elements the Hub counts in its safetensors files
    hub_gaps           what these hold beyond the parameters; hub_total − parameters in all
    active_published   for a mixture of experts, the figure its active parameters are published under
    source             where config and total were checked
    """

    name: str
    title: str
    family: str
    family_rank: int
    hub_id: str
    config: Mapping[str, object]
    parameters: int
    source: str
    published: str | None = None
    published_source: str | None = None
    hub_total: int | None = None
    hub_gaps: tuple[HubGap, ...] = ()
    active_published: str | None = None

    @property
    def hub_gap(self) -> int:
        """Elements the Hub counts beyond the parameters, as far as the causes explain them."""
        return sum(gap.elements for gap in self.hub_gaps)


@cache
def catalogue() -> Mapping[str, CatalogueModel]:
    """Every model of the catalogue by name, the reference models first.

    >>> catalogue()["tinyllama-1.1b"].parameters
    1100048384
    """
    models = {}
    for entry in json.loads(MODELS_FILE.read_text(encoding="utf-8")):
        gaps = tuple(HubGap(gap["cause"], tuple(gap["factors"])) for gap in entry.pop("hub_gaps", ()))
        models[entry["name"]] = CatalogueModel(**entry, hub_gaps=gaps)
    return models


@cache
def by_family() -> Mapping[str, tuple[CatalogueModel, ...]]:
    """Every model of the catalogue under its family, the popular families first and in each the popular models first.

    >>> [model.name for model in by_family()["GPT"]][:3]
    ['gpt-oss-20b', 'gpt-oss-120b', 'gpt2']
    """
    families: dict[str, list[CatalogueModel]] = {family: [] for family in FAMILIES}
    for model in sorted(catalogue().values(), key=lambda model: model.family_rank):
        families[model.family].append(model)
    return {family: tuple(models) for family, models in families.items()}


def find_model(value: str) -> CatalogueModel:
    """The model of this catalogue name or Hub id, upper or lower case.

    Raises ConfigError: unknown_model, unknown_model_similar.

    >>> find_model("meta-llama/Llama-2-7b-hf").name
    'llama-2-7b'
    """
    wanted = value.strip().lower()
    for model in catalogue().values():
        if wanted in (model.name, model.hub_id.lower()):
            return model
    popular = ", ".join(models[0].name for models in by_family().values())
    details = {"value": quoted(value), "known": f"{popular} …"}
    similar = difflib.get_close_matches(wanted[:100], catalogue(), n=1)
    if similar:
        raise ConfigError("unknown_model_similar", value=details["value"], similar=similar[0])
    raise ConfigError("unknown_model", **details)


UNITS = {"K": 3, "M": 6, "B": 9, "T": 12}


def rounds_to(parameters: int, published: str) -> bool:
    """Whether an exact total, rounded half up to the digits of a published figure, is that figure.

    >>> rounds_to(6_738_415_616, "6.74B"), rounds_to(68_976_648_192, "70B"), rounds_to(124_439_808, "124M")
    (True, False, True)
    """
    figure = Decimal(published[:-1])
    exact = Decimal(parameters).scaleb(-UNITS[published[-1]])
    return exact.quantize(figure, rounding=ROUND_HALF_UP) == figure


def published_value(published: str) -> int:
    """A published figure in parameters.

    >>> published_value("6.74B")
    6740000000
    """
    return int(Decimal(published[:-1]).scaleb(UNITS[published[-1]]))
