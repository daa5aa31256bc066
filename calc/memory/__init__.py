"""Memory: what weights, caches, activations and training take, in files and on GPUs.

    formats.py       number formats and their exact bits a weight, derived from their blocks
    format_names.py  what may be written for a format of weights
    float_bits.py    sign, exponent and mantissa of floating-point numbers
    kept.py          which tensors a quantized file leaves in 16 or 32 bits, and why
    file_names.py    what a published file calls a model's tensors, and in which pieces it keeps them
    safetensors.py   the bytes of .safetensors files: header, shards, index
    packed.py        what AWQ, GPTQ, bitsandbytes, FP8 and others store in place of a matrix
    gguf_types.py    llama.cpp's choice of a type for each tensor
    gguf_mix.py      the tensors of a .gguf file and their bytes
    weights.py       the size of a model's weights in any format, tensor by tensor
    units.py         GB, GiB, MiB
    capacity.py      what a GPU's label, its driver and its system leave for a model
    tensor_parallel.py   what each of several GPUs holds
    activations.py   what a prompt being read needs beside weights and cache
    fit.py           what fits on a GPU, or on several
    decode.py        the shortest time a token can take on every GPU
    training.py      gradients, optimizer states, activations, adapters, sharding
"""
