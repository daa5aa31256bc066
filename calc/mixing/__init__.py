"""How the tokens of a sequence meet: attention and recurrences, layer by layer, of any declared model type.

    kinds.py        what a layer attends to, and what it keeps: Attention, Recurrence, Mixing
    attention.py    attention, read off a layer's tensors
    recurrences.py  states of fixed size, read off a layer's tensors
    reading.py      the Mixing of a config and its tensors, and the longest context it allows
    kv_cache.py     bytes of keys, values and states

Which positions a layer reaches (windows, chunks, picks) each family says where it declares itself: `calc.families.reach`.
"""

from calc.mixing.kinds import Attention, AttentionKind, Mixing, Recurrence, RecurrenceKind, State
from calc.mixing.reading import ask_fields, checked_context, mixing_of, within_limit

__all__ = [
    "Attention",
    "AttentionKind",
    "Mixing",
    "Recurrence",
    "RecurrenceKind",
    "State",
    "ask_fields",
    "checked_context",
    "mixing_of",
    "within_limit",
]
