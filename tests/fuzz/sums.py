"""Whatever is listed sums to its headline."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from calc.addition import addition
from calc.compute.flops import matmul_flops_by_tensor
from calc.compute.passes import stream_flops_per_token
from calc.errors import ConfigError
from calc.export import parts_csv, parts_document
from calc.memory.kv_cache import kv_cache
from calc.mixing.kv_cache import cache_by_kind, kv_bytes, state_bytes
from calc.model import Model
from calc.weights.weights import weights


def differences(model: Model, context: int, dtype: str, number_format: str | None) -> Iterator[str]:
    """The sums that differ from their headline: what, the sum, the headline."""
    for what, parts, whole in (*_of_count(model), *_of_readings(model, context, dtype), *_of_weights(model, number_format)):
        if parts != whole:
            yield f"{what}: {parts} is not {whole}"


def _of_count(model: Model) -> Iterator[tuple[str, int, int]]:
    total, parts_list = model.parameters, model.parts_list
    yield "parts", sum(model.parameters_by_part.values()), total
    yield "addition", sum(row.count for row in addition(parts_list)), total
    document: dict[str, Any] = parts_document("x", parts_list)
    rows = list(csv.DictReader(io.StringIO(parts_csv(parts_list))))
    yield "CSV", sum(int(row["parameters"]) for row in rows), total
    counted = (row for row in document["tensors"] if not row["tied"] and not row["buffer"])
    yield "JSON, copies × one", sum(row["copies"] * row["count"] for row in counted), total
    yield "JSON, total", document["parameters"]["total"], total
    yield "active, at most", max(model.active_parameters, total), total


def _of_readings(model: Model, context: int, dtype: str) -> Iterator[tuple[str, int, int]]:
    try:
        mixing, token, cache = model.mixing, model.flops(context), kv_cache(model, context, 3, dtype)
    except ConfigError:
        return
    yield "FLOPs by part", sum(token.by_part.values()), token.total
    in_matrices = sum(flops for _, flops in matmul_flops_by_tensor(model))
    yield "FLOPs by matrix", in_matrices + stream_flops_per_token(mixing), token.matmul
    kinds = cache_by_kind(mixing, context, 3)
    yield "cache by kind", sum(kind.bytes for kind in kinds), kv_bytes(mixing, context, 3) + state_bytes(mixing, 3)
    yield "cache lines", sum(kind.bytes for kind in cache.kinds), cache.bytes + cache.state_bytes


def _of_weights(model: Model, number_format: str | None) -> Iterator[tuple[str, int, int]]:
    if number_format is None:
        return
    try:
        size = weights(model, number_format)
    except ConfigError:
        return
    if size.kind == "safetensors":
        yield f"weights, {number_format}", sum(line.bytes for line in size.lines), size.data_bytes
    yield f"weights by type, {number_format}", sum(size.by_type.values()), sum(line.bytes for line in size.lines)
