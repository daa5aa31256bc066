"""Values of a config that are lists, most of them with one entry for each layer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from calc.config.fields import checked_size, field_of
from calc.config.values import ConfigValues
from calc.errors import ConfigError, quoted

MOST_DIFFERENT = 500
"""Different numbers in one list. Each may make layers of its own kind, and the work grows with the kinds."""
_KINDS = {int: "integer", bool: "boolean", str: "string"}


class ConfigLists(ConfigValues):
    """The values of one config, its lists among them."""

    def items(self, field: str, kind: type, otherwise: Callable[[], Sequence] | None = None) -> tuple:
        """A list of ints, bools or texts. `otherwise` makes the list that the class derives for a config without one.

        Raises ConfigError: missing, null, not_a_list, two_names, too_many_kinds.
        """
        name, given = self._given(field)
        value = given
        if value is None and otherwise and self._leaves_to_rule(field, name):
            value = list(otherwise())
            self._assume(name, tuple(value))
        elif value is None:
            value = self._default_of(field, name)
            if isinstance(value, list):
                self._assume(name, tuple(value))
        wrong = not isinstance(value, list | tuple) or any(
            not isinstance(item, kind) or (isinstance(item, bool) and kind is not bool) for item in value
        )
        if wrong:
            raise ConfigError("not_a_list", self._where(name), value=quoted(value), kind=_KINDS[kind])
        if kind is int and given is not None and len(set(value)) > MOST_DIFFERENT:
            raise ConfigError("too_many_kinds", self._where(name), items=len(set(value)), limit=MOST_DIFFERENT)
        return self._told(field, tuple(value))

    def rows(self, field: str, otherwise: Callable[[], Sequence[Sequence]] | None = None) -> tuple[tuple, ...]:
        """A list of lists, such as `attention_types`. Raises ConfigError: missing, null, not_a_list, two_names.

        >>> from calc.config import Config
        >>> Config({"attention_types": [[["global", "local"], 12]]}, "gpt_neo").rows("attention_types")
        ((['global', 'local'], 12),)
        """
        name, value = self._given(field)
        if value is None and otherwise and self._leaves_to_rule(field, name):
            value = otherwise()
            self._assume(name, value)
        elif value is None:
            value = self._default_of(field, name)
        if not isinstance(value, list | tuple) or not all(isinstance(row, list | tuple) for row in value):
            raise ConfigError("not_a_list", self._where(name), value=quoted(value), kind="list")
        return tuple(tuple(row) for row in self._told(field, value))

    def per_layer(
        self, field: str, among: Collection[str], otherwise: Callable[[], Sequence[str]] | None = None
    ) -> tuple[str, ...]:
        """A text for each layer, such as `layer_types`. Raises ConfigError as `items`, and not_among, not_one_a_layer."""
        kinds = self.items(field, str, otherwise)
        name = self._given(field)[0]
        self._check_one_a_layer(name, kinds, self.size("num_hidden_layers"))
        for kind in kinds:
            if kind not in among:
                raise self._not_among(name, kind, among)
        return kinds

    def size_per_layer(self, field: str) -> tuple[int, ...]:
        """A size for each layer: a list with one entry a layer, or one number for all of them.

        Raises ConfigError as `size` and `items`, and not_one_a_layer.

        >>> from calc.config import Config
        >>> Config({"num_hidden_layers": 2, "intermediate_size": 64}, "gemma3n_text").size_per_layer("intermediate_size")
        (64, 64)
        >>> Config({"num_hidden_layers": 2, "intermediate_size": [64, 32]}, "gemma3n_text").size_per_layer("intermediate_size")
        (64, 32)
        """
        name, value = self._given(field)
        number_of_layers = self.size("num_hidden_layers")
        if not isinstance(value, list | tuple):
            return (self.size(field),) * number_of_layers
        self._check_one_a_layer(name, value, number_of_layers)
        largest = field_of(field).largest
        return tuple(checked_size(self._where(name), item, 1, largest) for item in self.items(field, int))

    def letters(self, field: str, among: Collection[str]) -> tuple[str, ...]:
        """A text in which each letter stands for a layer. Raises ConfigError: null, missing, not_among.

        >>> from calc.config import Config
        >>> Config({"hybrid_override_pattern": "M-M*"}, "nemotron_h").letters("hybrid_override_pattern", "M-*")
        ('M', '-', 'M', '*')
        """
        name, value = self._given(field)
        if value is None:
            value = self._default_of(field, name)
        if not isinstance(value, str) or not set(value) <= set(among):
            raise self._not_among(name, value, among)
        return tuple(self._told(field, value))

    def _check_one_a_layer(self, name: str, items: Sequence, number_of_layers: int) -> None:
        if len(items) != number_of_layers:
            raise ConfigError("not_one_a_layer", self._where(name), items=len(items), layers=number_of_layers)
