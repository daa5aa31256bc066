"""The real file behind a model: its header read, its tensors counted, and compared with the parts list."""
