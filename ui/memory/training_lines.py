"""Memory of training on each GPU: weights, gradients, optimizer states, activations, by method, stage and recomputation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape

from calc.gpus import Gpu
from calc.memory.activations import hidden_size, vocabulary_size
from calc.memory.capacity import OVERHEAD_BYTES, capacity
from calc.memory.training import (
    MASTER_BYTES,
    MOMENT_BYTES,
    WEIGHT_BYTES,
    Adapter,
    Optimizer,
    Precision,
    Recomputation,
    States,
    TrainingActivations,
    counted_activations,
    lora,
    model_states,
    trained_parameters,
)
from calc.model import Model
from ui.figures.worked import Line
from ui.figures.written import rounded
from ui.memory.bytes_written import span
from ui.memory.gpu_bars import GpuBar, Piece
from ui.memory.sizes import lines_in
from ui.numbers import gibibytes, gigabytes, grouped, percent
from ui.texts import text_in

METHODS = ("full", "lora", "qlora")
FROZEN_FORMAT = {"lora": "bf16", "qlora": "nf4-dq"}
STAGES = (0, 1, 2, 3)
RECOMPUTED = ("none", "full")
"""With fused attention selective recomputation keeps what no recomputation keeps."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A training run as memory sees it.

    method       all weights, or adapters beside weights in 16 bits (`lora`) or 4 (`qlora`)
    rank         of adapters
    sequence, batch   tokens of a sequence, and sequences, on each GPU
    gpus, stage  n, and the stage of ZeRO; 3 is what FSDP does
    """

    model: Model
    method: str
    rank: int
    precision: Precision
    optimizer: Optimizer
    recomputation: Recomputation
    sequence: int
    batch: int
    gpus: int
    stage: int

    @property
    def adapters(self) -> tuple[Adapter, ...] | None:
        """None where all weights are trained."""
        return None if self.method == "full" else lora(self.model.parts_list.tensors, self.rank)

    @property
    def trained(self) -> int:
        """Parameters that are trained."""
        return trained_parameters(self.model.parts_list.tensors, self.adapters)

    @property
    def frozen_bytes(self) -> int:
        """Of weights beneath adapters."""
        if self.method == "full":
            return 0
        return sum(line.bytes for line in lines_in(self.model, FROZEN_FORMAT[self.method]))

    def states(self) -> States:
        """On each GPU."""
        return model_states(
            self.trained,
            precision=self.precision,
            optimizer=self.optimizer,
            stage=self.stage,
            gpus=self.gpus,
            frozen_bytes=self.frozen_bytes,
        )

    def activations(self) -> TrainingActivations:
        """On each GPU, which reads its own sequences."""
        tensors = self.model.parts_list.tensors
        return counted_activations(
            tensors,
            tokens=self.sequence * self.batch,
            hidden=hidden_size(tensors),
            vocabulary=vocabulary_size(tensors),
            recomputation=self.recomputation,
        )

    def pieces(self) -> tuple[Piece, ...]:
        """What fills a GPU."""
        states, (smallest, largest) = self.states(), OVERHEAD_BYTES
        found = (
            Piece("frozen", states.frozen),
            Piece("weights", states.weights),
            Piece("gradients", states.gradients),
            Piece("optimizer", states.optimizer),
            Piece("activations", self.activations().bytes),
            Piece("overhead", smallest),
            Piece("overhead", largest - smallest, maybe=True),
        )
        return tuple(piece for piece in found if piece.bytes)


def training_bar(language: str, title: str, plan: Plan, gpu: Gpu, chosen: bool) -> GpuBar:
    """A plan as a bar, with what is left of the GPU or lacks."""
    pieces, of_gpu = plan.pieces(), capacity(gpu)
    needed = sum(piece.bytes for piece in pieces)
    least = needed - (OVERHEAD_BYTES[1] - OVERHEAD_BYTES[0])
    verdict = "fits" if needed <= of_gpu.low_bytes else "does_not_fit" if least > of_gpu.high_bytes else "tight"
    return GpuBar(
        title,
        pieces,
        of_gpu.high_bytes,
        verdict,
        span(least, needed),
        text_in(language, f"memory.trains.{verdict}", gpu=gpu.name),
        chosen,
    )


def stage_bars(language: str, plan: Plan, gpu: Gpu) -> list[GpuBar]:
    """The same with each stage of ZeRO."""
    return [
        training_bar(language, text_in(language, f"memory.stage.{stage}"), replace(plan, stage=stage), gpu, stage == plan.stage)
        for stage in STAGES
    ]


def method_bars(language: str, plan: Plan, gpu: Gpu) -> list[GpuBar]:
    """All weights, LoRA, QLoRA."""
    return [
        training_bar(
            language, text_in(language, f"memory.method.{method}"), replace(plan, method=method), gpu, method == plan.method
        )
        for method in METHODS
    ]


def recomputation_bars(language: str, plan: Plan, gpu: Gpu) -> list[GpuBar]:
    """With and without recomputation."""
    return [
        training_bar(
            language,
            text_in(language, f"memory.recomputation.{how}"),
            replace(plan, recomputation=how),
            gpu,
            how == plan.recomputation,
        )
        for how in RECOMPUTED
    ]


def training_memory_headline(language: str, plan: Plan, gpu: Gpu) -> str:
    """What each GPU needs, largest; bytes a parameter; what is trained; on which GPUs."""
    needed = sum(piece.bytes for piece in plan.pieces())
    states = plan.states()
    bar = training_bar(language, "", plan, gpu, True)
    share = plan.trained / trained_parameters(plan.model.parts_list.tensors)
    figures = [
        (
            "total",
            bar.said,
            text_in(
                language, "memory.train_head", gpus=grouped(plan.gpus), stage=text_in(language, f"memory.stage.{plan.stage}")
            ),
        ),
        ("part", gigabytes(states.bytes), text_in(language, "memory.train_states", bytes=rounded(_bytes_a_parameter(plan)))),
        (
            "part",
            gigabytes(plan.activations().bytes),
            text_in(language, "memory.train_activations", tokens=grouped(plan.sequence * plan.batch)),
        ),
        ("part", grouped(plan.trained), text_in(language, "memory.train_trained", share=percent(share))),
    ]
    spans = "".join(
        f'<span class="figure"><span class="{css}">{escape(value)}</span><small>{escape(said)}</small></span>'
        for css, value, said in figures
    )
    return f'<div class="headline figures" data-needed="{needed}" data-states="{states.bytes}" data-verdict="{bar.verdict}">{spans}</div>'


def training_memory_lines(language: str, plan: Plan) -> list[Line]:
    """Each kind on each GPU with its formula."""
    states, activations, n = plan.states(), plan.activations(), grouped(plan.trained)
    weight, master, moments = WEIGHT_BYTES[plan.precision], MASTER_BYTES[plan.precision], MOMENT_BYTES[plan.optimizer]

    tokens = grouped(plan.sequence * plan.batch)
    symbols = text_in(language, "memory.activation_symbols", tokens=tokens) if plan.recomputation == "none" else f"T = {tokens}"

    def shared(from_stage: int) -> str:
        return f" ÷ {grouped(plan.gpus)}" if plan.stage >= from_stage and plan.gpus > 1 else ""

    lines = []
    if states.frozen:
        named = text_in(language, f"memory.frozen.{plan.method}")
        lines.append(
            _bytes(
                text_in(language, "memory.kind.frozen"), states.frozen, named, f"Σ = {grouped(plan.frozen_bytes)} B{shared(3)}"
            )
        )
    lines += [
        _bytes(
            text_in(language, "memory.kind.weights"), states.weights, f"N × {weight} B{shared(3)} = {n} × {weight}{shared(3)}"
        ),
        _bytes(
            text_in(language, "memory.kind.gradients"), states.gradients, f"N × {weight} B{shared(2)} = {n} × {weight}{shared(2)}"
        ),
        _bytes(
            text_in(language, "memory.kind.optimizer"),
            states.optimizer,
            text_in(language, f"memory.optimizer_note.{plan.optimizer}"),
            text_in(language, "memory.master_note") if master else "",
            f"N × ({master} + {float(moments):g}) B{shared(1)} = {n} × {master + float(moments):g}{shared(1)}",
        ),
        _bytes(
            text_in(language, "memory.train_layers"),
            activations.layers,
            text_in(language, f"memory.activation_note.{plan.recomputation}"),
            activations.formula.partition(" a layer")[0],
            symbols,
        ),
        _bytes(
            text_in(language, "memory.train_scores"),
            activations.scores,
            f"4·T·V = 4 × {grouped(plan.sequence * plan.batch)} × {grouped(vocabulary_size(plan.model.parts_list.tensors))}",
        ),
        Line(
            text_in(language, "memory.kind.overhead"),
            OVERHEAD_BYTES[1],
            "B",
            (text_in(language, "memory.overhead_note"),),
            shown="1.00 – 2.00 GB",
            small=f"{gibibytes(OVERHEAD_BYTES[0])} – {gibibytes(OVERHEAD_BYTES[1])}",
        ),
    ]
    return lines


def adapter_lines(language: str, plan: Plan) -> list[Line]:
    """The parameters of each adapter."""
    return [
        Line(
            adapter.name,
            adapter.parameters,
            "",
            (adapter.formula, f"= {adapter.worked} = {grouped(adapter.parameters)}"),
            shown=grouped(adapter.parameters),
        )
        for adapter in plan.adapters or ()
    ]


def _bytes_a_parameter(plan: Plan) -> float:
    return WEIGHT_BYTES[plan.precision] * 2 + MASTER_BYTES[plan.precision] + float(MOMENT_BYTES[plan.optimizer])


def _bytes(label: str, number: int, *steps: str) -> Line:
    return Line(
        label,
        number,
        "B",
        (*(step for step in steps if step), f"= {grouped(number)} B"),
        shown=gigabytes(number),
        small=gibibytes(number),
    )
