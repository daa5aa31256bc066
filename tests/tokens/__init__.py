"""Tokens: ids held against other implementations, bytes against the text, merges against the ids."""
