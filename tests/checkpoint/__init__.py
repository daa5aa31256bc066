"""Checkpoints: headers read, packed weights counted, and the file held against the parts list."""
