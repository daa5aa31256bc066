"""Tables as pandas DataFrames, for notebooks. pandas comes with Streamlit; it is imported only here, when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.export import tensor_row
from calc.model import Model

if TYPE_CHECKING:
    from pandas import DataFrame


def to_frame(model: Model) -> DataFrame:
    """The parts list as a DataFrame, one row a tensor, its name the index.

    in, out      lengths of one copy; `copies` of it share the name, and `parameters` is what all of them add to the total
    formula      of one copy in symbols, `numbers` in numbers

    >>> frame = to_frame(Model.of("llama-3-8b"))
    >>> int(frame["parameters"].sum()), int(frame.loc["model.layers.*.self_attn.k_proj.weight", "out"])
    (8030261248, 1024)
    """
    from pandas import DataFrame

    return DataFrame([tensor_row(tensor) for tensor in model.tensors]).set_index("name")
