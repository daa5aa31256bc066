"""The logit lens: what the model would say if it stopped at a layer. Source: nostalgebraist 2020, "interpreting GPT: the logit lens"."""

from __future__ import annotations

from calc.run.formulas import Array, rms_norm, softmax
from calc.run.llama import Llama
from calc.run.trace import Trace


def logit_lens(model: Llama, trace: Trace, token: int = -1) -> Array:
    """[L + 1, V]: probabilities of the next token, by the embedding and by what leaves each layer.

    The final norm and the head are applied early. Outside of the pass: the books do not count it.

    token   which of the pass, the last unless said

    >>> from calc.run.checkpoint import stories
    >>> from calc.run.forward import forward
    >>> trace = forward(stories(), [1, 403, 407, 261])
    >>> probabilities = logit_lens(stories(), trace)
    >>> probabilities.shape, probabilities.argmax(-1).tolist()
    ((6, 512), [261, 261, 261, 261, 410, 378])
    """
    normed = rms_norm(trace.stream[:, token], model.final_norm.scale, model.sizes.rms_norm_eps)
    return softmax(normed @ model.head.weight.T)
