"""What a pass leaves behind: every vector on its way through the model.

T tokens of this pass, S tokens with those already in the cache. Layers, heads and tokens are numbered from 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.run.formulas import Array
from calc.run.interventions import Interventions


@dataclass(frozen=True, eq=False, slots=True)
class LayerTrace:
    """One layer, in the order data flows.

    before            [T, d]             the residual stream as it comes in
    attention_input   [T, d]             behind the norm
    query_made        [n_h, T, head_dim] h·W_qᵀ by head, before it is turned (and, in some models, normed)
    key_made          [n_kv, T, head_dim]
    query             [n_h, T, head_dim] turned by its position
    key, value        [n_kv, S, head_dim] of all tokens so far
    weight_rows       T times [n_h, seen]  softmax of the scores of each token, as far as it sees
    mixed             [T, n_h·head_dim]  weights · values, head beside head
    attention_output  [T, d]             mixed·W_oᵀ, what is added to the stream
    between           [T, d]             the stream behind the first ⊕
    ffn_input         [T, d]             behind the norm
    gate, up          [T, d_ff]
    gated             [T, d_ff]          SiLU(gate) × up
    ffn_output        [T, d]             gated·W_downᵀ, what is added to the stream
    after             [T, d]             the stream behind the second ⊕
    """

    before: Array
    attention_input: Array
    query_made: Array
    key_made: Array
    query: Array
    key: Array
    value: Array
    weight_rows: tuple[Array, ...]
    mixed: Array
    attention_output: Array
    between: Array
    ffn_input: Array
    gate: Array
    up: Array
    gated: Array
    ffn_output: Array
    after: Array

    @property
    def weights(self) -> Array:
        """[n_h, T, S], 0 where a token does not look."""
        heads, tokens, seen = len(self.query), len(self.weight_rows), self.key.shape[1]
        whole = np.zeros((heads, tokens, seen), np.float32)
        for token, row in enumerate(self.weight_rows):
            whole[:, token, : row.shape[1]] = row
        return whole

    def kv_head(self, head: int) -> int:
        """The key head that a query head reads."""
        return head // (len(self.query) // len(self.key))

    def mixed_by(self, head: int) -> Array:
        """[T, head_dim]: a head's part of the mixed values."""
        return np.split(self.mixed, len(self.query), axis=-1)[head]


@dataclass(frozen=True, eq=False, slots=True)
class Scores:
    """One head's attention, step by step, [T, S] each. For the eye: the whole square is multiplied here once more, while a pass
    multiplies only what a token sees.

    products  q·k
    scaled    ÷ √head_dim
    masked    −∞ where a token does not look
    weights   softmax of each row, as the pass had it
    """

    products: Array
    scaled: Array
    masked: Array
    weights: Array


@dataclass(frozen=True, eq=False, slots=True)
class Trace:
    """One pass.

    ids            [T] of this pass
    first          position of the first of them
    layers         None for one that was switched off
    stream         [L + 1, T, d]: the embedding, then the stream as it leaves each layer
    final          [T, d] behind the last norm
    logits         [T, V]
    interventions  what was left out
    """

    ids: tuple[int, ...]
    first: int
    layers: tuple[LayerTrace | None, ...]
    stream: Array
    final: Array
    logits: Array
    interventions: Interventions

    @property
    def stream_lengths(self) -> Array:
        """[L + 1, T]: the length √Σx² of the residual stream, from the embedding to what leaves the last layer."""
        return np.sqrt(np.sum(self.stream**2, axis=-1))

    def scores(self, layer: int, head: int) -> Scores | None:
        """A head's scores on their way to weights; None of a layer that was switched off."""
        traced = self.layers[layer]
        if traced is None:
            return None
        query, key, weights = traced.query[head], traced.key[traced.kv_head(head)], traced.weights[head]
        products = query @ key.T
        scaled = products / np.sqrt(np.float32(query.shape[-1])) if self.interventions.scaling else products
        future = np.arange(len(key)) > self.first + np.arange(len(query))[:, None]
        masked = np.where(future, np.float32("-inf"), scaled) if self.interventions.mask else scaled
        return Scores(products, scaled, masked, weights)
