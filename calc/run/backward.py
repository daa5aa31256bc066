"""The backward pass: from the loss back through every step of `forward.py`, to the gradient of every matrix.

For y = x·Wᵀ a gradient dy [T, out] gives two products: dx = dy·W for what came in, and dW = dyᵀ·x for the matrix. Each costs what
the forward product did, which is why backward is twice forward. The same holds of scores and mixed values.

Symbols: g the gradient of the loss for what a step made. Source: Rumelhart et al. 1986, "Learning representations by
back-propagating errors".
"""

from __future__ import annotations

import numpy as np

from calc.run.formulas import Array, rotary_angles, rotated, sigmoid, softmax
from calc.run.interventions import NONE
from calc.run.llama import EMBEDDING, Layer, Linear, Llama, Norm
from calc.run.products import Products
from calc.run.trace import LayerTrace, Trace


class Gradients:
    """The gradient of every tensor by its name; a tensor that is used twice has the sum."""

    def __init__(self, products: Products, epsilon: float) -> None:
        self.by_name: dict[str, Array] = {}
        self.products, self.epsilon = products, np.float32(epsilon)

    def add(self, name: str, gradient: Array) -> None:
        """Of one use of a tensor."""
        self.by_name[name] = self.by_name[name] + gradient if name in self.by_name else gradient

    def through(self, linear: Linear, g: Array, x: Array) -> Array:
        """Back through y = x·Wᵀ + b: dW = gᵀ·x, db = Σ g, and returned dx = g·W."""
        self.add(linear.name, self.products.multiply(linear.role, g.T, x))
        if linear.bias is not None:
            self.add(linear.bias_name, g.sum(axis=0))
        return self.products.multiply(linear.role, g, linear.weight)

    def through_norm(self, norm: Norm, g: Array, x: Array) -> Array:
        """Back through y = x ÷ r · scale, r = √(mean(x²) + ε): d scale = Σ g·x ÷ r, dx = (g·scale − x·mean(g·scale·x) ÷ r²) ÷ r."""
        r = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self.epsilon)
        self.add(norm.name, np.sum(g * x / r, axis=tuple(range(g.ndim - 1))))
        scaled = g * norm.scale
        return (scaled - x * np.mean(scaled * x, axis=-1, keepdims=True) / r**2) / r


def loss_of(logits: Array, targets: Array) -> tuple[float, Array]:
    """The mean of −log(probability of the token that came), and its gradient for the logits: (softmax − 1 at that token) ÷ T.

    logits   [T, V]
    targets  [T] ids

    >>> loss, g = loss_of(np.zeros((1, 4), "float32"), np.array([2]))
    >>> round(loss, 4), g.tolist()
    (1.3863, [[0.25, 0.25, -0.75, 0.25]])
    """
    probabilities, at = softmax(logits), (np.arange(len(targets)), targets)
    largest = logits.max(axis=-1)
    logarithms = logits[at] - largest - np.log(np.exp(logits - largest[:, None]).sum(axis=-1))
    probabilities[at] -= 1
    return float(-logarithms.mean()), probabilities / np.float32(len(targets))


def backward(model: Llama, trace: Trace, g: Array, products: Products | None = None) -> dict[str, Array]:
    """The gradient of every tensor, by its name in the file.

    trace   of a pass from the first token on, nothing switched off
    g       [T, V], the gradient for the logits
    """
    if trace.first or trace.interventions != NONE:
        raise ValueError("a pass that begins in the middle, or leaves something out, has no gradient here")
    sizes = model.sizes
    gradients = Gradients(products or Products(), sizes.rms_norm_eps)
    angles = rotary_angles(0, len(trace.ids), sizes.head_dim, sizes.rope_theta)

    g = gradients.through(model.head, g, trace.final)  # [T, d]
    g = gradients.through_norm(model.final_norm, g, trace.stream[-1])
    for layer, traced in zip(reversed(model.layers), reversed(trace.layers), strict=True):
        assert traced is not None  # nothing is switched off
        g = g + _through_ffn(layer, traced, g, gradients)  # both ways out of the ⊕
        g = g + _through_attention(layer, traced, g, angles, gradients)
    table = np.zeros_like(model.embedding)
    np.add.at(table, list(trace.ids), g)  # a row for each token, added where a token comes twice
    gradients.add(EMBEDDING, table)
    return gradients.by_name


def _through_ffn(layer: Layer, traced: LayerTrace, g: Array, gradients: Gradients) -> Array:
    """Back through down, SiLU(gate) × up, and the norm before them."""
    g_gated = gradients.through(layer.down, g, traced.gated)  # [T, d_ff]
    s = sigmoid(traced.gate)
    g_up = g_gated * traced.gate * s
    g_gate = g_gated * traced.up * (s + traced.gate * s * (1 - s))
    g_input = gradients.through(layer.up, g_up, traced.ffn_input) + gradients.through(layer.gate, g_gate, traced.ffn_input)
    return gradients.through_norm(layer.norm_before_ffn, g_input, traced.between)


def _through_attention(layer: Layer, traced: LayerTrace, g: Array, angles: tuple[Array, Array], gradients: Gradients) -> Array:
    """Back through W_o, the mixing, the softmax, the scores, the rotation, and W_q, W_k, W_v."""
    g_mixed = gradients.through(layer.attention_output, g, traced.mixed)  # [T, n_h·head_dim]
    g_query, g_key, g_value = _through_scores(traced, g_mixed, gradients.products)
    cosine, sine = angles
    g_query, g_key = (rotated(each, cosine, -sine) for each in (g_query, g_key))  # turned back
    if layer.query_norm:
        g_query = gradients.through_norm(layer.query_norm, g_query, traced.query_made)
    if layer.key_norm:
        g_key = gradients.through_norm(layer.key_norm, g_key, traced.key_made)
    made = ((layer.query, g_query), (layer.key, g_key), (layer.value, g_value))
    g_input = np.zeros_like(traced.attention_input)
    for linear, of_heads in made:
        g_input += gradients.through(linear, _side_by_side(of_heads), traced.attention_input)
    return gradients.through_norm(layer.norm_before_attention, g_input, traced.before)


def _through_scores(traced: LayerTrace, g_mixed: Array, products: Products) -> tuple[Array, Array, Array]:
    """Token by token, as far as each sees: back to queries [n_h, T, head_dim], keys and values [n_kv, T, head_dim]."""
    (heads, tokens, head_dim), kv_heads = traced.query.shape, len(traced.key)
    shared = (kv_heads, heads // kv_heads)  # query heads beside those that share their keys
    query, g_mixed = traced.query.reshape(*shared, tokens, head_dim), g_mixed.reshape(tokens, *shared, head_dim)
    divisor = np.sqrt(np.float32(head_dim))
    g_query, g_key, g_value = np.empty_like(query), np.zeros_like(traced.key), np.zeros_like(traced.value)
    for token, row in enumerate(traced.weight_rows):
        seen, weights, g = row.shape[1], row.reshape(*shared, -1), g_mixed[token]  # [n_kv, n_h ÷ n_kv, seen], […, head_dim]
        g_weights = products.multiply("mixing", g, traced.value[:, :seen].swapaxes(1, 2))
        g_value[:, :seen] += products.multiply("mixing", weights.swapaxes(1, 2), g)
        g_scores = weights * (g_weights - np.sum(weights * g_weights, axis=-1, keepdims=True)) / divisor
        g_query[:, :, token] = products.multiply("scores", g_scores, traced.key[:, :seen])
        g_key[:, :seen] += products.multiply("scores", g_scores.swapaxes(1, 2), query[:, :, token])
    return g_query.reshape(heads, tokens, head_dim), g_key, g_value


def _side_by_side(x: Array) -> Array:
    """[heads, T, head_dim] → [T, heads·head_dim]."""
    return x.swapaxes(0, 1).reshape(x.shape[1], -1)
