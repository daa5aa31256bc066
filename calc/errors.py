"""What can be wrong with an input: each fault with the field it is in and the remedy.

A fault is raised as a code with its details, so that the command line can say it in English and the app in the
reader's language. The English sentence stands here, once; the app adds the other languages.
"""

from __future__ import annotations

import json

MESSAGES = {
    "empty": "The config is empty: paste the whole text of a config.json.",
    "too_large": "The config is {size_mb} MB; a config.json holds a few KB (at most {limit_mb} MB is read). "
    "Is it a tokenizer or a weights file?",
    "not_text": "The file is not UTF-8 text (byte {position}): choose the config.json, not a weights file.",
    "not_json": "Not valid JSON at line {line}, column {column}, near {near}: check the quotes, commas and brackets there.",
    "too_deep": "The JSON is nested too deeply to be a config.json: paste only the model's own config.",
    "number_too_long": "A number in the config has thousands of digits: shorten it.",
    "not_an_object": "The JSON is of type {found}, not an object: a config.json starts with {{ and ends with }}.",
    "repeated_key": "{field} stands twice with different values ({first} and {second}): delete one of the two.",
    "two_names": "{field} and {other} are two names of one thing but differ ({first} and {second}): delete one of the two.",
    "no_model_type": 'model_type is missing: add for example "model_type": "llama".',
    "no_model_type_but_architecture": 'model_type is missing: architectures says {architecture}, so add "model_type": "{suggestion}".',
    "model_type_not_text": 'model_type is {value}: write a name in quotes, for example "model_type": "llama".',
    "unknown_model_type": "model_type {value} is not known here. Known: {known}.",
    "unknown_model_type_similar": "model_type {value} is not known here. Did you mean {similar}? Known: {known}.",
    "missing": "{field} is missing and {config_class} has no default for it: add it.",
    "null": "{field} is null, but {config_class} needs a number: write one, or delete the line to use the default.",
    "null_flag": "{field} is null, but {config_class} needs true or false: write one, or delete the line to use the default.",
    "not_a_number": "{field} is {value}, which is no number: write a whole number.",
    "not_an_integer": "{field} is {value}: write a whole number, without quotes or a decimal point.",
    "not_positive": "{field} is {value}: it must be at least 1.",
    "negative": "{field} is {value}: it must be 0 or more.",
    "not_among": "{field} is {value}: known here are {among}.",
    "not_a_list": "{field} is {value}: write a list of {kind} values in square brackets.",
    "not_one_a_layer": "{field} has {items} entries, but the model has {layers} layers: give one entry for each layer.",
    "too_big": "{field} is {value}; more than {largest} is taken for a slip: check the number of digits.",
    "not_a_flag": "{field} is {value}: write true or false, without quotes.",
    "heads_do_not_divide": "hidden_size {hidden_size} is not a multiple of num_attention_heads {heads}, so head_dim cannot be "
    "hidden_size ÷ num_attention_heads: change one of the two, or give head_dim.",
    "heads_must_divide": "{hidden_field} {hidden_size} is not a multiple of {heads_field} {heads}, and this model has no "
    "head_dim of its own: change one of the two.",
    "kv_heads_do_not_divide": "num_attention_heads {heads} is not a multiple of num_key_value_heads {kv_heads}, so the query "
    "heads cannot share them evenly: change one of the two.",
    "unknown_model": "{value} is neither a model of the catalogue nor a file. Catalogue: {known}.",
    "unknown_model_similar": "{value} is neither a model of the catalogue nor a file. Did you mean {similar}?",
    "unreadable_file": "{path} cannot be read ({reason}): check the path.",
}


class ConfigError(Exception):
    """An input that cannot be counted, as a code of `MESSAGES`, the field it concerns, and the details to fill in.

    >>> str(ConfigError("not_positive", field="hidden_size", value="0"))
    'hidden_size is 0: it must be at least 1.'
    """

    def __init__(self, code: str, field: str | None = None, **details: object) -> None:
        self.code = code
        self.field = field
        self._named = details
        self.details = details if field is None else {"field": field, **details}
        super().__init__(MESSAGES[code].format(**self.details))

    def __reduce__(self) -> tuple:
        """A fault is kept as a value in caches, which copy it."""
        return _raised_again, (self.code, self.field, self._named)


def _raised_again(code: str, field: str | None, details: dict[str, object]) -> ConfigError:
    return ConfigError(code, field, **details)


def quoted(value: object, longest: int = 60) -> str:
    """A value as the config would write it, ASCII and at most `longest` characters, fit for a one-line message.

    >>> quoted("40\\n96"), quoted(None), quoted("x" * 100, longest=8)
    ('"40\\\\n96"', 'null', '"xxxxxx…')
    """
    try:
        written = json.dumps(value)
    except (ValueError, RecursionError):
        written = type(value).__name__
    return written if len(written) <= longest else written[: longest - 1] + "…"
