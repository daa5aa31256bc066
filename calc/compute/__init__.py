"""Compute: FLOPs of a forward pass, of a request, of a training run, and what they take on a GPU.

flops.py        exact FLOPs of a token and of a sequence, by part, beside the rules 1N, 2N, 6N
rule_difference.py   why the exact count is not 2N, cause by cause
passes.py       how often a token is multiplied by each tensor
attention.py    scores and the weighing of values: full, causal, windows, chunks, latents
recurrence.py   states of fixed size
training.py     C = 6ND and its exact form; hours, days, cost; the utilisation published runs imply
scaling.py      compute-optimal sizes: 20 tokens a parameter, and fitted laws
inference.py    prefill and decode on a GPU: what bounds them, and the shortest time they can take
traffic.py      what a pass reads from memory: weights, experts that are hit, the KV cache
quantities.py   numbers as people type them, checked
si_prefixes.py  8.09e22 and 80.9 ZFLOP
"""
