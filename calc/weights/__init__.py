"""The weights of a model in files: formats, packings, headers, to the byte.

number_format.py      what a number format is: its exact bits a weight, derived from its block
formats.py            the table of number formats
format_names.py       the names a person may give a format of weights
float_bits.py         sign, exponent and mantissa of floating-point numbers
unquantized.py        which tensors a quantized file leaves in 16 or 32 bits, and why
file_names.py         what a published file calls a model's tensors, and how it divides them
safetensors_files.py  the bytes of .safetensors files: header, shards, index
packed.py             what AWQ, GPTQ, bitsandbytes, FP8 and others store in place of a matrix
gguf_types.py         llama.cpp's choice of a type for each tensor
gguf_mix.py           the tensors of a .gguf file and their bytes
weights.py            the size of a model's weights in any format, tensor by tensor
byte_units.py         GB, GiB, MiB
"""
