"""Exact FLOPs of a forward pass, read from the parts list, beside the rules of thumb 1N, 2N and 6N.

Counted are matrix products, two FLOPs for a multiplication and its addition: a matrix of in × out costs a token 2·in·out.

    embedding            0: a row is looked up
    lm_head              2·d·V, whether it is tied to the embedding or not
    experts              those a token is sent to, and the router that sends it
    scores and mixing    2·n_h·(key_width + value_width) per attended position and layer: `calc.compute.attention`
    recurrences          what is done to the state: `calc.compute.recurrence`

Norms, activations, softmax, rotations and additions are not counted: they cost time, but no share worth naming of the FLOPs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from calc.compute.attention import LatentForm, attention_flops_per_token, causal_attention_flops, square_attention_flops
from calc.compute.passes import multiplied_numbers, stream_flops_per_token, uses
from calc.compute.recurrence import recurrence_flops_per_token
from calc.mixing import Mixing
from calc.tensors import PARTS, Part, Tensor


def matmul_flops_by_tensor(tensors: Iterable[Tensor], mixing: Mixing | None = None) -> list[tuple[Tensor, int]]:
    """Every tensor with the FLOPs it costs a token: 2·in·out for each copy that multiplies, 0 for what is looked up or added.

    mixing   needed for the few types that pass a stack of layers several times

    >>> from calc.model import Model
    >>> listed = matmul_flops_by_tensor(Model.of("llama-2-7b").tensors)
    >>> [(tensor.short_name, flops) for tensor, flops in listed if tensor.short_name in ("embed_tokens", "gate_proj", "lm_head")]
    [('embed_tokens', 0), ('gate_proj', 2885681152), ('lm_head', 262144000)]
    """
    sizes = None if mixing is None else mixing.sizes
    return [(tensor, 2 * times * multiplied_numbers(tensor) if times else 0) for tensor, times in uses(tensors, sizes)]


def matmul_flops_per_token(tensors: Iterable[Tensor], mixing: Mixing | None = None) -> int:
    """FLOPs of one token in all matrices: Σ 2·in·out over those that multiply. Llama-2-7B, against 2N = 13,476,831,232:

    >>> from calc.model import Model
    >>> matmul_flops_per_token(Model.of("llama-2-7b").tensors)
    13214154752
    """
    streams = 0 if mixing is None else stream_flops_per_token(mixing.sizes, mixing.model_type)
    return streams + sum(flops for _, flops in matmul_flops_by_tensor(tensors, mixing))


def matmul_flops_by_part(tensors: Iterable[Tensor], mixing: Mixing | None = None) -> dict[Part, int]:
    """The same by part of the model; the values sum to `matmul_flops_per_token`.

    >>> from calc.model import Model
    >>> matmul_flops_by_part(Model.of("gpt2").tensors)["lm_head"]
    77194752
    """
    by_part: dict[Part, int] = dict.fromkeys(PARTS, 0)
    for tensor, flops in matmul_flops_by_tensor(tensors, mixing):
        by_part[tensor.part] += flops
    if mixing is not None:
        by_part["other"] += stream_flops_per_token(mixing.sizes, mixing.model_type)
    return by_part


def flops_by_part(tensors: Iterable[Tensor], mixing: Mixing, context: int) -> dict[Part, int]:
    """FLOPs of the token that attends to `context` positions, by part; scores, mixing and recurrences belong to attention.

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> by_part = flops_by_part(llama.parts_list.tensors, llama.mixing, 4096)
    >>> by_part["attention"], by_part["ffn"]
    (6442450944, 8657043456)
    """
    by_part = matmul_flops_by_part(tensors, mixing)
    by_part["attention"] += attention_flops_per_token(mixing, context) + recurrence_flops_per_token(mixing)
    return by_part


@dataclass(frozen=True, slots=True)
class Forward:
    """FLOPs of a forward pass over some tokens.

    tokens       how many
    matmul       in matrices of the parts list
    attention    in scores and the weighing of values
    recurrence   in states of fixed size
    """

    tokens: int
    matmul: int
    attention: int
    recurrence: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.matmul + self.attention + self.recurrence

    @property
    def attention_share(self) -> Fraction:
        """Scores and the weighing of values, of all FLOPs."""
        return Fraction(self.attention, self.total) if self.total else Fraction(0)


def prefill_flops(
    tensors: Iterable[Tensor],
    mixing: Mixing,
    tokens: int,
    *,
    first: int = 0,
    last_scores_only: bool = False,
    latent: LatentForm = "expanded",
) -> Forward:
    """FLOPs of reading `tokens` tokens at once, each attending to those up to itself.

    first              tokens before them whose keys and values are already in the cache; making keys and values of cached
                       latents again, which expanded latent attention would need, is not counted
    last_scores_only   whether the head is applied to the last token alone, as servers do; training needs every token's scores
    latent             how latent attention is computed

    Llama-2-7B, 128 tokens:

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> prefill_flops(llama.parts_list.tensors, llama.mixing, 128)
    Forward(tokens=128, matmul=1691411808256, attention=4328521728, recurrence=0)
    """
    listed = list(tensors)
    matmul = tokens * matmul_flops_per_token(listed, mixing)
    if last_scores_only and tokens > 1:
        matmul -= (tokens - 1) * matmul_flops_by_part(listed, mixing)["lm_head"]
    attention = causal_attention_flops(mixing, tokens, first, latent)
    return Forward(tokens, matmul, attention, tokens * recurrence_flops_per_token(mixing))


def generation_flops(
    tensors: Iterable[Tensor], mixing: Mixing, prompt: int, tokens: int, *, latent: LatentForm = "absorbed"
) -> Forward:
    """FLOPs of `tokens` tokens that pass the model one by one after a prompt of `prompt` tokens, with a KV cache.

    The first generated token comes out of the prefill, so that n passes here give n + 1 tokens. Latent attention reads its
    cache in the absorbed form, which costs the matrices the same.

    Llama-2-7B, 100 tokens after 1000; the rule of thumb says 1.35 TFLOPs:

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> generation_flops(llama.parts_list.tensors, llama.mixing, 1000, 100).total
    1376491929600
    """
    return prefill_flops(tensors, mixing, tokens, first=prompt, latent=latent)


def forward_total(tensors: Iterable[Tensor], mixing: Mixing, tokens: int) -> int:
    """FLOPs of a forward pass over `tokens` tokens, causal: matrices, attention and recurrences. Llama-2-7B, 4096 tokens:

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> forward_total(llama.parts_list.tensors, llama.mixing, 4096)
    58524298117120
    """
    return prefill_flops(tensors, mixing, tokens).total


def square_forward_total(tensors: Iterable[Tensor], mixing: Mixing, tokens: int) -> int:
    """The same where each token is multiplied with every other and masked afterwards, as eager attention computes.

    Llama-2-7B, 128 tokens. calflops prints 1,700.06 GFLOPs: it adds one FLOP for each element of softmax and SiLU.

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> square_forward_total(llama.parts_list.tensors, llama.mixing, 128)
    1700001742848
    """
    causal = prefill_flops(tensors, mixing, tokens)
    return causal.matmul + causal.recurrence + square_attention_flops(mixing, tokens)


def crossover_context(tensors: Iterable[Tensor], mixing: Mixing, limit: int = 10**9) -> int | None:
    """The context from which on attention costs a token more than all matrices; None if it never does up to `limit`.

    Llama-2-7B: 13,214,154,752 ÷ 524,288 per position.

    >>> from calc.model import Model
    >>> llama = Model.of("llama-2-7b")
    >>> crossover_context(llama.parts_list.tensors, llama.mixing)
    25205
    """
    matmul = matmul_flops_per_token(tensors, mixing)
    if attention_flops_per_token(mixing, limit) <= matmul:
        return None
    low, high = 0, limit  # attention at `low` does not exceed, at `high` it does
    while high - low > 1:
        middle = (low + high) // 2
        if attention_flops_per_token(mixing, middle) > matmul:
            high = middle
        else:
            low = middle
    return high


def rule_1n(parameters: int) -> int:
    """Multiplications of a token, by the rule that each parameter multiplies once: 1N. What some tools call MACs."""
    return parameters


def rule_2n(parameters: int) -> int:
    """FLOPs of a token's forward pass, by the rule of a multiplication and an addition for each parameter: 2N.

    It counts the embedding as if it were multiplied, and forgets attention. Source: Kaplan et al. 2020, arXiv:2001.08361.

    >>> rule_2n(6_738_415_616)
    13476831232
    """
    return 2 * parameters


def rule_6n(parameters: int) -> int:
    """FLOPs of a token in training, by the rule that backward costs twice what forward does: 6N."""
    return 6 * parameters
