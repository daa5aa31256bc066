"""Of every declared type its bare config, and the random ones that the families' truth was recorded from."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from calc.errors import ConfigError
from calc.families import FAMILIES
from calc.model import Model
from calc.parts_list import PartsList

FIXTURES = Path(__file__).parents[1] / "fixtures"


@cache
def configs() -> dict[str, list[dict]]:
    """Model type → its configs."""
    by_type: dict[str, list[dict]] = {}
    for path in [*sorted((FIXTURES / "families").glob("*.json")), FIXTURES / "random_configs.json"]:
        for record in json.loads(path.read_text(encoding="utf-8"))["records"]:
            by_type.setdefault(record["config"]["model_type"], []).append(record["config"])
    for model_type in FAMILIES:  # the language models of others, recorded with those alone
        by_type.setdefault(model_type, [{"model_type": model_type}])
    return by_type


@cache
def parts_lists(model_type: str) -> tuple[PartsList, ...]:
    """The parts lists of a type's configs. Refused are a few of GPT-2's, which give one size under two names that differ,
    and types that cannot do without a field."""
    found = []
    for config in configs()[model_type]:
        try:
            found.append(Model.of(config).parts_list)
        except ConfigError as error:
            assert error.code in ("two_names", "missing")
    return tuple(found)
