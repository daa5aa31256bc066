"""What a config class of transformers calls a field in older files: found by asking the class itself.

The names that its code takes out of what is left over (`kwargs.pop("n_embed")`) are tried one by one: such a name is an
earlier name of a field if the config is the same whichever of the two has the value, and also if the field has another
one. So only names that win over the field are recorded.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from transformers import PreTrainedConfig

TAKEN = re.compile(r"""kwargs(?:\.(?:pop|get)\(|\[)\s*["'](\w+)["']|["'](\w+)["'] in kwargs""")
PROBES = (7, True, False)
ANOTHER = 9


def names_taken(config_class: type[PreTrainedConfig]) -> set[str]:
    """The names beyond its fields that the code of a class takes out of a config."""
    code = "".join(inspect.getsource(each) for each in config_class.__mro__ if each.__module__.startswith("transformers.models."))
    return {name for pair in TAKEN.findall(code) for name in pair if name} - set(config_class.__dataclass_fields__)


def earlier_names(config_class: type[PreTrainedConfig], fields: set[str]) -> dict[str, str]:
    """Earlier name → field, of those `fields` of a class that it reads under another name first."""
    taken = names_taken(config_class)
    usual = _values(config_class) or {}
    found = {}
    for name in sorted(taken):
        for probe in PROBES:
            with_name = _values(config_class, **{name: probe}) or {}
            changed = [field for field in sorted(fields) if with_name.get(field) is probe and usual.get(field) is not probe]
            fitting = [field for field in changed if _is_earlier(config_class, name, field, probe)]
            if fitting:
                found[name] = fitting[0]
                break
    return found


def _is_earlier(config_class: type[PreTrainedConfig], name: str, field: str, probe: int) -> bool:
    other = ANOTHER if probe is PROBES[0] else not probe
    as_field, as_name = _values(config_class, **{field: probe}), _values(config_class, **{name: probe})
    both = _values(config_class, **{name: probe, field: other})
    return as_field is not None and _without(as_name, name) == _without(both, name) == as_field


def _values(config_class: type[PreTrainedConfig], **given: Any) -> dict[str, object] | None:
    """What a config holds; None where the class cannot make it."""
    try:
        return config_class(**given).to_dict()
    except Exception:  # whatever a class raises of its own accord
        return None


def _without(values: dict[str, object] | None, name: str) -> dict[str, object]:
    return {field: value for field, value in (values or {}).items() if field != name}
