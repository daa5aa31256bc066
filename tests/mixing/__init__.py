"""How the tokens of a sequence meet, and the KV cache: against transformers' own caches and published figures."""
