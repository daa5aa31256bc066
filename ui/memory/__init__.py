"""The pages on memory: formats and the size of weights, the KV cache, what fits on a GPU, the decode floor, training."""
