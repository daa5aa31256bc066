"""The Hugging Face Hub: addresses of models, bounded requests, a model's config.json, a search by name."""
