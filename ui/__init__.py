"""What the pages share: texts, language, address, colours and the page frame.

Imports point down only: pages import ``ui``, ``ui`` imports ``calc``.
"""
