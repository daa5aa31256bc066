"""The weights of a model in files: formats, packings, headers, to the byte.

formats.py            number formats and their exact bits a weight, derived from their blocks
format_names.py       what may be written for a format of weights
float_bits.py         sign, exponent and mantissa of floating-point numbers
unquantized.py        which tensors a quantized file leaves in 16 or 32 bits, and why
file_names.py         what a published file calls a model's tensors, and in which pieces it keeps them
safetensors_files.py  the bytes of .safetensors files: header, shards, index
packed.py             what AWQ, GPTQ, bitsandbytes, FP8 and others store in place of a matrix
gguf_types.py         llama.cpp's choice of a type for each tensor
gguf_mix.py           the tensors of a .gguf file and their bytes
weights.py            the size of a model's weights in any format, tensor by tensor
byte_units.py         GB, GiB, MiB
"""
