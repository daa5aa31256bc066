"""A small Llama that really runs: every product of the parts list multiplied in numpy, and counted while it is.

    llama.py          the model: its lengths, and its matrices by name
    checkpoint.py     a model read from a folder or from uploads, or refused by name
    tokens.py         its tokenizer: text to ids and back
    formulas.py       RMSNorm, SiLU, softmax, rotary positions
    products.py       matrix products, and what they cost by their shapes
    forward.py        the pass: ids to logits, each step one line
    kv_cache.py       keys and values of the tokens so far
    trace.py          what a pass leaves behind: every vector and every attention weight
    logit_lens.py     what each layer would say
    interventions.py  the mask, the scaling, a head or a layer switched off
    rounding.py       weights rounded to a few bits
    sampling.py       the next token: the likeliest, or drawn
    continuation.py   a text that writes on, token by token
    backward.py       the gradient of every matrix
    training.py       loss, and steps of gradient descent
    prediction.py     what the rest of this package says beforehand: the one place where it is asked

Numpy is imported here and nowhere else. All numbers are float32. Counted FLOPs are bookkeeping, not a hardware counter: each
product adds up its own shape as it runs.
"""
