"""The columns of the comparison, declared: what each holds, in which unit, by which formula, and how it is worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calc.comparison import fields
from calc.comparison import readings as read
from calc.comparison import workings as work
from calc.comparison.cells import Reading
from calc.comparison.fields import field_cell
from calc.comparison.workings import Working, as_it_stands
from calc.tensors import PARTS, Part

Group = Literal["config", "layer", "parts", "total", "memory", "compute", "ratios"]
GROUPS: tuple[Group, ...] = ("config", "layer", "parts", "total", "memory", "compute", "ratios")
Unit = Literal["parameters", "bytes", "GB", "GiB", "FLOPs", "%"]
Kind = Literal["int", "ratio", "text", "flag"]
ENDS: tuple[Part, Part] = ("embedding", "lm_head")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the comparison.

    key       its name in JSON and in the address, the unit in it where there could be doubt
    group     one of GROUPS
    unit      of its values; None for what is a plain number, a text or a flag
    kind      int, ratio (a float, or an int where it comes out whole), text or flag
    formula   how the value is made, in the symbols of `calc.config.FIELDS`; N are all parameters, B is a byte
    read      from a model to its cell
    work      from a model to how the cell comes about; `as_it_stands` for a field of the config or a text, nothing else
    """

    key: str
    group: Group
    unit: Unit | None
    kind: Kind
    formula: str
    read: Reading
    work: Working

    def __post_init__(self) -> None:
        if self.work is as_it_stands and (self.unit is not None and self.kind != "text" or self.kind == "ratio"):
            raise ValueError(f"the column {self.key} is a figure without a working: write one in calc/comparison/workings.py")


COLUMNS: tuple[Column, ...] = (
    Column("model_type", "config", None, "text", "model_type", fields.model_type, as_it_stands),
    Column("hidden_size", "config", None, "int", "d", field_cell("hidden_size"), as_it_stands),
    Column("intermediate_size", "config", None, "int", "d_ff", fields.intermediate_size, as_it_stands),
    Column("num_hidden_layers", "config", None, "int", "L", fields.num_hidden_layers, as_it_stands),
    Column("num_attention_heads", "config", None, "int", "n_h", fields.num_attention_heads, as_it_stands),
    Column("num_key_value_heads", "config", None, "int", "n_kv", fields.num_key_value_heads, as_it_stands),
    Column("head_dim", "config", None, "int", "head_dim", fields.head_dim, as_it_stands),
    Column("vocab_size", "config", None, "int", "V", field_cell("vocab_size"), as_it_stands),
    Column("tie_word_embeddings", "config", None, "flag", "tie_word_embeddings", fields.tie_word_embeddings, as_it_stands),
    Column("num_experts", "config", None, "int", "E", fields.num_experts, as_it_stands),
    Column("num_experts_per_tok", "config", None, "int", "k", fields.num_experts_per_tok, as_it_stands),
    Column("moe_intermediate_size", "config", None, "int", "d_expert", fields.moe_intermediate_size, as_it_stands),
    Column("max_position_embeddings", "config", None, "int", "n_ctx", fields.max_position_embeddings, as_it_stands),
    Column("layer_kinds", "layer", None, "int", "layer_kinds", read.number_of_layer_kinds, as_it_stands),
    Column(
        "attention_per_layer", "layer", "parameters", "int", "Σ in·out", read.in_layer("attention"), work.in_layer("attention")
    ),
    Column("ffn_per_layer", "layer", "parameters", "int", "Σ in·out", read.in_layer("ffn"), work.in_layer("ffn")),
    Column("parameters_per_layer", "layer", "parameters", "int", "Σ in·out", read.in_layer(), work.in_layer()),
    Column("ffn_share_of_layer_percent", "layer", "%", "ratio", "100·N_ffn ÷ N_layer", read.ffn_share, work.ffn_share),
    *(
        column
        for part in PARTS
        for column in (
            Column(f"{part}_parameters", "parts", "parameters", "int", "Σ copies·in·out", read.sum_of(part), work.sum_of(part)),
            Column(f"{part}_percent", "parts", "%", "ratio", f"100·N_{part} ÷ N", read.share_of(part), work.share_of(part)),
        )
    ),
    Column(
        "vocabulary_parameters", "parts", "parameters", "int", "N_embedding + N_lm_head", read.sum_of(*ENDS), work.sum_of(*ENDS)
    ),
    Column(
        "vocabulary_percent",
        "parts",
        "%",
        "ratio",
        "100·(N_embedding + N_lm_head) ÷ N",
        read.share_of(*ENDS),
        work.share_of(*ENDS),
    ),
    Column("parameters", "total", "parameters", "int", "N = Σ copies·in·out", read.total, work.total),
    Column("published", "total", "parameters", "text", "N_published", read.published, as_it_stands),
    Column("published_difference", "total", "parameters", "int", "N − N_published", read.above_published, work.above_published),
    Column(
        "published_difference_percent",
        "total",
        "%",
        "ratio",
        "100·(N − N_published) ÷ N_published",
        read.above_published_percent,
        work.above_published_percent,
    ),
    Column("verdict", "total", None, "text", "N ≈ N_published", read.verdict, as_it_stands),
    Column("active_parameters", "total", "parameters", "int", "Σ copies·in·out·(k ÷ E)", read.active, work.active),
    Column(
        "active_without_input_embedding",
        "total",
        "parameters",
        "int",
        "N_active − V·d",
        read.active_multiplied,
        work.active_multiplied,
    ),
    Column("active_published", "total", "parameters", "text", "N_published", read.active_published, as_it_stands),
    Column("fp16_bytes", "memory", "bytes", "int", "2 B·N", read.fp16(), work.fp16()),
    Column("fp16_gb", "memory", "GB", "ratio", "2 B·N ÷ 10⁹", read.fp16(10**9), work.fp16(" ÷ 10⁹")),
    Column("fp16_gib", "memory", "GiB", "ratio", "2 B·N ÷ 2³⁰", read.fp16(2**30), work.fp16(" ÷ 2³⁰")),
    Column("kv_bytes_per_token", "memory", "bytes", "int", "2·L·n_kv·head_dim·2 B", read.kv_bytes, work.kv_bytes),
    Column("flops_per_token_rule", "compute", "FLOPs", "int", "2·N_active", read.flops_rule, work.flops_rule),
    Column("matmul_flops_per_token", "compute", "FLOPs", "int", "Σ 2·in·out", read.matmul_flops, work.matmul_flops),
    Column("ffn_ratio", "ratios", None, "ratio", "d_ff ÷ d", read.ffn_ratio, work.ffn_ratio),
    Column("query_heads_per_kv_head", "ratios", None, "ratio", "n_h ÷ n_kv", read.query_group, work.query_group),
)
"""Every column, group by group."""

BY_KEY: Mapping[str, Column] = {column.key: column for column in COLUMNS}
