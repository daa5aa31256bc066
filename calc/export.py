"""The parts list written down: as a JSON document and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from calc.config import NotRead
from calc.errors import ConfigError
from calc.parts_list import (
    PartsList,
    active_parameters,
    active_parameters_without_input_embedding,
    buffer_elements,
    layer_kinds,
    parameters,
    parameters_by_part,
)
from calc.tensors import Tensor

COLUMNS = (
    "name",
    "part",
    "role",
    "kind",
    "in",
    "out",
    "shape",
    "copies",
    "experts",
    "count",
    "tied",
    "buffer",
    "parameters",
    "formula",
    "numbers",
)


def tensor_row(tensor: Tensor) -> dict[str, object]:
    """One line of the parts list: `count` is one copy, experts · in · out; `parameters` what all copies add to the total.

    A tied tensor adds nothing, nor does a buffer.
    """
    return {
        "name": tensor.name,
        "part": tensor.part,
        "role": tensor.role,
        "kind": tensor.kind,
        "in": tensor.input.value,
        "out": tensor.output.value,
        "shape": list(tensor.shape),
        "copies": tensor.copies,
        "experts": tensor.experts.value if tensor.experts else 1,
        "count": tensor.count,
        "tied": tensor.tied_to is not None,
        "buffer": tensor.kind == "buffer",
        "parameters": tensor.parameters,
        "formula": tensor.formula,
        "numbers": tensor.numbers,
    }


def parts_document(
    model: str, parts_list: PartsList, not_read: Iterable[NotRead] = (), remarks: Iterable[ConfigError] = ()
) -> dict[str, object]:
    """Everything `python -m calc count --json` prints, ready for json.dumps.

    not_read   the fields of the config that no reading asks for: `Model.not_read`
    remarks    what its class or its file's format makes of it: `Model.remarks`

    >>> from calc.model import Model
    >>> document = parts_document("llama-2-7b", Model.of("llama-2-7b").parts_list)
    >>> document["parameters"]["total"], document["parameters"]["norm"], document["tensors"][1]["name"]
    (6738415616, 266240, 'model.layers.*.input_layernorm.weight')
    """
    tensors = parts_list.tensors
    return {
        "model": model,
        "model_type": parts_list.model_type,
        "assumed": [assumption.field for assumption in parts_list.assumed],
        "not_counted": list(parts_list.not_counted),
        "not_read": [each.field for each in not_read],
        "remarks": [str(remark) for remark in remarks],
        "parameters": {"total": parameters(tensors), **parameters_by_part(tensors)},
        "active": {
            "all": active_parameters(tensors),
            "without_input_embedding": active_parameters_without_input_embedding(tensors),
        },
        "buffers": buffer_elements(tensors),
        "layers": [
            {
                "stack": kind.stack,
                "layers": list(kind.layers),
                "parameters": kind.parameters,
                "tensors": [tensor.name for tensor in kind.tensors],
            }
            for kind in layer_kinds(parts_list)
        ],
        "tensors": [tensor_row(tensor) for tensor in tensors],
    }


def parts_csv(parts_list: PartsList, headings: Mapping[str, str] | None = None) -> str:
    """The parts list as CSV, one line a tensor; `headings` may name COLUMNS in another language.

    Σ of the column `parameters` is the model's total.
    """
    names = [(headings or {}).get(column, column) for column in COLUMNS]
    rows = []
    for tensor in parts_list.tensors:
        row = tensor_row(tensor) | {"shape": " × ".join(str(length) for length in tensor.shape)}
        rows.append([row[column] for column in COLUMNS])
    return csv_text(names, rows)


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV in the form spreadsheets read safely: CRLF, and no text cell that could be taken for a formula.

    A text that starts with = + - @ TAB or CR gets a leading apostrophe; numbers stay numbers.

    >>> csv_text(["name", "count"], [["=1+1", 12]])
    "name,count\\r\\n'=1+1,12\\r\\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_harmless(heading) for heading in headings])
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
