"""Tokens: text cut by the genuine vocabularies of published models, exactly, and shown with its bytes.

vocabularies   which tokenizers there are; the catalogue needs nothing but Python
loaded         one of them, loaded once a process: text → ids, id → bytes
unicode_forms  what happens to a text first: surrogates, the Unicode normal form
encoding       a text as tokens
alignment      tokens laid over the text: bytes and characters of each
pretokens      where a tokenizer cuts before it merges
parallel_texts the same meaning in eleven languages
merges         how byte-pair encoding gets from bytes to tokens, step by step
vocabulary     the entries themselves: search, scripts
scripts        which script a character belongs to
own_tokenizer  a reader's tokenizer.json or tokenizer.model, read in a separate process (own_tokenizer_worker)
file_count     counting a large file piece by piece
text_files     its text, lines, records and cells

The vocabularies come with the package splintr-rs, which is imported only when one is loaded.
"""
