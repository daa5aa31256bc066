"""What can be switched off in a pass, to see what it is good for."""

from __future__ import annotations

from dataclasses import dataclass

from calc.errors import ConfigError, quoted
from calc.run.llama import Sizes


@dataclass(frozen=True, slots=True)
class Interventions:
    """What a pass leaves out; nothing, unless said.

    mask         whether a token sees only those up to itself. Without, what earlier tokens see changes with each new one: nothing
                 can be taken from a cache, and every token is computed anew
    scaling      whether scores are divided by √head_dim
    heads_off    (layer, query head), numbered from 0, whose mixed values are set to 0
    layers_off   layers that the residual stream passes by
    """

    mask: bool = True
    scaling: bool = True
    heads_off: frozenset[tuple[int, int]] = frozenset()
    layers_off: frozenset[int] = frozenset()

    def checked(self, sizes: Sizes) -> Interventions:
        """Itself, if the model has these layers and heads. Raises ConfigError: no_such_part, no_layer_left."""
        for layer in (*self.layers_off, *(layer for layer, _ in self.heads_off)):
            if not 0 <= layer < sizes.num_hidden_layers:
                raise ConfigError("no_such_part", "layer", value=quoted(layer), count=sizes.num_hidden_layers)
        for _, head in self.heads_off:
            if not 0 <= head < sizes.num_attention_heads:
                raise ConfigError("no_such_part", "head", value=quoted(head), count=sizes.num_attention_heads)
        if len(self.layers_off) == sizes.num_hidden_layers:
            raise ConfigError("no_layer_left", count=sizes.num_hidden_layers)
        return self


NONE = Interventions()
