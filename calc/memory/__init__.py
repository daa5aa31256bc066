"""Memory: what a model takes on GPUs, and how fast it can be read.

capacity.py          what a GPU's label, its driver and its system leave for a model
tensor_parallel.py   what each of several GPUs holds
activations.py       what a prompt being read needs besides weights and cache
fit.py               what fits on a GPU, or on several
decode.py            the shortest time a token can take on every GPU
training.py          gradients, optimizer states, activations, adapters, sharding
"""
