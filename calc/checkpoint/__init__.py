"""The real file behind a model: its header read, its tensors counted, and held against the parts list."""
