"""The choice of a model: catalogue, Hub, a config.json of the reader's own, and what if it were changed."""
