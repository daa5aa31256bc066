"""The forward pass in numpy, against transformers' own modules, llama2.c and the count."""
