"""The columns of the comparison, declared: what each holds, in which unit, by which formula; and a model's row of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from calc.comparison import costs, fields, readings
from calc.comparison.cells import Cell
from calc.comparison.fields import field_cell
from calc.comparison.readings import part_parameters, part_share
from calc.model import Model
from calc.tensors import PARTS

Group = Literal["config", "layer", "parts", "total", "memory", "compute", "ratios"]
GROUPS: tuple[Group, ...] = ("config", "layer", "parts", "total", "memory", "compute", "ratios")
Unit = Literal["parameters", "bytes", "GB", "GiB", "FLOPs", "%"]
Kind = Literal["int", "ratio", "text", "flag"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `read` is a pure function from a model to its cell.

    key       its name in JSON and in the address, the unit in it where there could be doubt
    group     one of GROUPS
    unit      of its values; None for what is a plain number, a text or a flag
    kind      int, ratio (a float, or an int where it comes out whole), text or flag
    formula   how the value is made, in the symbols of `calc.config.FIELDS`; N are all parameters, B is a byte
    """

    key: str
    group: Group
    unit: Unit | None
    kind: Kind
    formula: str
    read: Callable[[Model], Cell]


COLUMNS: tuple[Column, ...] = (
    Column("model_type", "config", None, "text", "model_type", fields.model_type),
    Column("hidden_size", "config", None, "int", "d", field_cell("hidden_size")),
    Column("intermediate_size", "config", None, "int", "d_ff", fields.intermediate_size),
    Column("num_hidden_layers", "config", None, "int", "L", fields.num_hidden_layers),
    Column("num_attention_heads", "config", None, "int", "n_h", fields.num_attention_heads),
    Column("num_key_value_heads", "config", None, "int", "n_kv", fields.num_key_value_heads),
    Column("head_dim", "config", None, "int", "head_dim", fields.head_dim),
    Column("vocab_size", "config", None, "int", "V", field_cell("vocab_size")),
    Column("tie_word_embeddings", "config", None, "flag", "tie_word_embeddings", fields.tie_word_embeddings),
    Column("num_experts", "config", None, "int", "E", fields.num_experts),
    Column("num_experts_per_tok", "config", None, "int", "k", fields.num_experts_per_tok),
    Column("moe_intermediate_size", "config", None, "int", "d_expert", fields.moe_intermediate_size),
    Column("max_position_embeddings", "config", None, "int", "n_ctx", fields.max_position_embeddings),
    Column("layer_kinds", "layer", None, "int", "layer_kinds", readings.layer_kinds),
    Column("attention_per_layer", "layer", "parameters", "int", "Σ in·out", readings.attention_per_layer),
    Column("ffn_per_layer", "layer", "parameters", "int", "Σ in·out", readings.ffn_per_layer),
    Column("parameters_per_layer", "layer", "parameters", "int", "Σ in·out", readings.parameters_per_layer),
    Column("ffn_share_of_layer_percent", "layer", "%", "ratio", "100·N_ffn ÷ N_layer", readings.ffn_share_of_layer),
    *(
        column
        for part in PARTS
        for column in (
            Column(f"{part}_parameters", "parts", "parameters", "int", "Σ copies·in·out", part_parameters(part)),
            Column(f"{part}_percent", "parts", "%", "ratio", f"100·N_{part} ÷ N", part_share(part)),
        )
    ),
    Column(
        "vocabulary_parameters", "parts", "parameters", "int", "N_embedding + N_lm_head", part_parameters("embedding", "lm_head")
    ),
    Column("vocabulary_percent", "parts", "%", "ratio", "100·(N_embedding + N_lm_head) ÷ N", part_share("embedding", "lm_head")),
    Column("parameters", "total", "parameters", "int", "N = Σ copies·in·out", readings.parameters),
    Column("published", "total", "parameters", "text", "N_published", readings.published),
    Column("published_difference", "total", "parameters", "int", "N − N_published", readings.published_difference),
    Column(
        "published_difference_percent",
        "total",
        "%",
        "ratio",
        "100·(N − N_published) ÷ N_published",
        readings.published_difference_percent,
    ),
    Column("verdict", "total", None, "text", "N ≈ N_published", readings.verdict),
    Column("active_parameters", "total", "parameters", "int", "Σ copies·in·out·(k ÷ E)", readings.active_parameters),
    Column(
        "active_without_input_embedding",
        "total",
        "parameters",
        "int",
        "N_active − V·d",
        readings.active_parameters_without_input_embedding,
    ),
    Column("active_published", "total", "parameters", "text", "N_published", readings.active_published),
    Column("fp16_bytes", "memory", "bytes", "int", "2 B·N", readings.fp16_bytes),
    Column("fp16_gb", "memory", "GB", "ratio", "2 B·N ÷ 10⁹", readings.fp16_gb),
    Column("fp16_gib", "memory", "GiB", "ratio", "2 B·N ÷ 2³⁰", readings.fp16_gib),
    Column("kv_bytes_per_token", "memory", "bytes", "int", "2·L·n_kv·head_dim·2 B", costs.kv_bytes_per_token),
    Column("flops_per_token_rule", "compute", "FLOPs", "int", "2·N_active", costs.flops_per_token_rule),
    Column("matmul_flops_per_token", "compute", "FLOPs", "int", "Σ 2·in·out", costs.matmul_flops_per_token),
    Column("ffn_ratio", "ratios", None, "ratio", "d_ff ÷ d", readings.ffn_ratio),
    Column("query_heads_per_kv_head", "ratios", None, "ratio", "n_h ÷ n_kv", readings.query_heads_per_kv_head),
)
"""Every column, group by group."""

BY_KEY: Mapping[str, Column] = {column.key: column for column in COLUMNS}


@dataclass(frozen=True, slots=True)
class Row:
    """A model's row: its name, its title, and a cell for each column's key."""

    name: str
    title: str
    cells: Mapping[str, Cell] = field(hash=False)

    def value(self, key: str) -> object:
        """The value under a column's key. Raises KeyError for a column the row was made without."""
        return self.cells[key].value


def row(model: Model, columns: Iterable[Column] = COLUMNS) -> Row:
    """A model's row, each column read once.

    >>> from calc.model import Model
    >>> llama = row(Model.of("llama-2-7b"))
    >>> llama.value("parameters"), llama.value("published"), llama.value("verdict"), llama.value("ffn_per_layer")
    (6738415616, '6.74B', 'rounds_to', 135266304)
    """
    return Row(model.name, model.title, {column.key: column.read(model) for column in columns})


def in_order_of(rows: Sequence[Row], key: str, *, descending: bool = False) -> list[Row]:
    """Rows sorted by a column, or by `title`; those without a value last either way, equal ones in the order they had."""

    def of(each: Row) -> object:
        return each.title if key == "title" else each.value(key)

    def comparable(each: Row) -> object:
        return of(each).casefold() if isinstance(of(each), str) else of(each)

    held = sorted((each for each in rows if of(each) is not None), key=comparable, reverse=descending)
    return held + [each for each in rows if of(each) is None]
