"""A config as its family reads it: each field validated when it is asked for, and what was missing remembered.

A field that a config.json leaves out takes the default of the `transformers` class of its `model_type`
(`calc/data/config_defaults.json`, written from the classes themselves), or the rule that class applies. Either way it
is listed as assumed, so that no figure rests on a value nobody has seen.

    fields.py     the fields that have a symbol, and what is no slip for a size
    defaults.py   what the classes take for a missing field
    names.py      the names a field has
    values.py     one value of a config, under whatever name it has
    lists.py      values that differ from layer to layer
    nested.py     a config inside a config: `Config`
    not_read.py   what nothing has asked for
"""

from calc.config.defaults import ALIASES, DEFAULTS_FILE, config_defaults, defaults_version, read_as
from calc.config.fields import FIELDS, LARGEST_OTHER, Field, field_of
from calc.config.nested import Config
from calc.config.not_read import NO_FIGURE, NotRead
from calc.config.values import Assumption

__all__ = [
    "ALIASES",
    "DEFAULTS_FILE",
    "FIELDS",
    "LARGEST_OTHER",
    "NO_FIGURE",
    "Assumption",
    "Config",
    "Field",
    "NotRead",
    "config_defaults",
    "defaults_version",
    "field_of",
    "read_as",
]
