"""The page of the real file: where it comes from, what it is held against, and the ledger of differences."""
