"""What the pages on tokens share: the field one types in, the chips, the choice of tokenizers, and their figures."""
