"""The page of the real file: where it comes from, what it is compared with, and the ledger of differences."""
