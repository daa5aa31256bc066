"""Memory of training on each GPU: weights, gradients, optimizer states, activations, by method, stage and recomputation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

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
    Stage,
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
from ui.html import Markup, headline
from ui.memory.bytes_written import bytes_line, span
from ui.memory.fit_lines import overhead_line
from ui.memory.gpu_bars import GpuBar, Stretch, overhead_stretches
from ui.memory.sizes import lines_in
from ui.numbers import gigabytes, grouped, percent
from ui.texts import text_in

Method = Literal["full", "lora", "qlora"]

METHODS: tuple[Method, ...] = ("full", "lora", "qlora")
FROZEN_FORMAT = {"lora": "bf16", "qlora": "nf4-dq"}
STAGES: tuple[Stage, ...] = (0, 1, 2, 3)
RECOMPUTED: tuple[Recomputation, ...] = ("none", "full")
"""With fused attention selective recomputation stores as much as none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A training run as memory sees it.

    method       all weights, or adapters of weights that stay in 16 bits (`lora`) or 4 (`qlora`)
    rank         of adapters
    sequence, batch   tokens of a sequence, and sequences, on each GPU
    gpus, stage  n, and the stage of ZeRO; 3 is what FSDP does
    """

    model: Model
    method: Method
    rank: int
    precision: Precision
    optimizer: Optimizer
    recomputation: Recomputation
    sequence: int
    batch: int
    gpus: int
    stage: Stage

    @property
    def adapters(self) -> tuple[Adapter, ...] | None:
        """None where all weights are trained."""
        return None if self.method == "full" else lora(self.model.tensors, self.rank)

    @property
    def trained(self) -> int:
        """Parameters that are trained."""
        return trained_parameters(self.model.tensors, self.adapters)

    @property
    def frozen_bytes(self) -> int:
        """Of weights under adapters."""
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
        tensors = self.model.tensors
        return counted_activations(
            tensors,
            tokens=self.sequence * self.batch,
            hidden=hidden_size(tensors),
            vocabulary=vocabulary_size(tensors),
            recomputation=self.recomputation,
        )

    def stretches(self) -> tuple[Stretch, ...]:
        """What fills a GPU."""
        states = self.states()
        taken = (
            Stretch("frozen", states.frozen),
            Stretch("weights", states.weights),
            Stretch("gradients", states.gradients),
            Stretch("optimizer", states.optimizer),
            Stretch("activations", self.activations().bytes),
            *overhead_stretches(*OVERHEAD_BYTES),
        )
        return tuple(stretch for stretch in taken if stretch.bytes)


def training_bar(language: str, title: str, plan: Plan, gpu: Gpu, chosen: bool) -> GpuBar:
    """A plan as a bar, with what is left of the GPU or lacks."""
    stretches, of_gpu = plan.stretches(), capacity(gpu)
    needed = sum(stretch.bytes for stretch in stretches)
    least = needed - (OVERHEAD_BYTES[1] - OVERHEAD_BYTES[0])
    verdict = "fits" if needed <= of_gpu.low_bytes else "does_not_fit" if least > of_gpu.high_bytes else "tight"
    in_words = text_in(language, f"memory.trains.{verdict}", gpu=gpu.name)
    return GpuBar(title, stretches, of_gpu.high_bytes, verdict, span(least, needed), in_words, chosen)


def training_bars(language: str, plan: Plan, gpu: Gpu) -> dict[str, list[GpuBar]]:
    """The plan with each stage of ZeRO, by each method, with and without recomputation; its own bars marked."""
    groups = {
        "stages": [(f"memory.stage.{stage}", replace(plan, stage=stage)) for stage in STAGES],
        "methods": [(f"memory.method.{method}", replace(plan, method=method)) for method in METHODS],
        "recomputations": [(f"memory.recomputation.{how}", replace(plan, recomputation=how)) for how in RECOMPUTED],
    }
    return {
        group: [training_bar(language, text_in(language, key), other, gpu, other == plan) for key, other in plans]
        for group, plans in groups.items()
    }


def training_memory_headline(language: str, plan: Plan, gpu: Gpu) -> Markup:
    """What each GPU needs, largest; bytes a parameter; what is trained; on which GPUs."""
    text, states = partial(text_in, language), plan.states()
    bar = training_bar(language, "", plan, gpu, True)
    share = plan.trained / trained_parameters(plan.model.tensors)
    of_stage = text("memory.train_head", gpus=grouped(plan.gpus), stage=text(f"memory.stage.{plan.stage}"))
    tokens = grouped(plan.sequence * plan.batch)
    return headline(
        ("total", bar.sentence, of_stage),
        ("part", gigabytes(states.bytes), text("memory.train_states", bytes=rounded(_bytes_a_parameter(plan)))),
        ("part", gigabytes(plan.activations().bytes), text("memory.train_activations", tokens=tokens)),
        ("part", grouped(plan.trained), text("memory.train_trained", share=percent(share))),
        data_needed=bar.needed,
        data_states=states.bytes,
        data_verdict=bar.verdict,
    )


def training_memory_lines(language: str, plan: Plan) -> list[Line]:
    """Each kind on each GPU with its formula."""
    text = partial(text_in, language)
    states, activations, n = plan.states(), plan.activations(), grouped(plan.trained)
    weight, master, moments = WEIGHT_BYTES[plan.precision], MASTER_BYTES[plan.precision], MOMENT_BYTES[plan.optimizer]
    tokens = grouped(plan.sequence * plan.batch)
    symbols = text("memory.activation_symbols", tokens=tokens) if plan.recomputation == "none" else f"T = {tokens}"

    def shared(from_stage: int) -> str:
        return f" ÷ {grouped(plan.gpus)}" if plan.stage >= from_stage and plan.gpus > 1 else ""

    def product(bytes_a_parameter: str, value: float, from_stage: int) -> str:
        return f"N × {bytes_a_parameter} B{shared(from_stage)} = {n} × {value:g}{shared(from_stage)}"

    lines = []
    if states.frozen:
        step = f"Σ = {grouped(plan.frozen_bytes)} B{shared(3)}"
        lines.append(bytes_line(text("memory.kind.frozen"), states.frozen, text(f"memory.frozen.{plan.method}"), step))
    return [
        *lines,
        bytes_line(text("memory.kind.weights"), states.weights, product(f"{weight}", weight, 3)),
        bytes_line(text("memory.kind.gradients"), states.gradients, product(f"{weight}", weight, 2)),
        bytes_line(
            text("memory.kind.optimizer"),
            states.optimizer,
            text(f"memory.optimizer_note.{plan.optimizer}"),
            text("memory.master_note") if master else "",
            product(f"({master} + {float(moments):g})", master + float(moments), 1),
        ),
        bytes_line(
            text("memory.train_layers"),
            activations.layers,
            text(f"memory.activation_note.{plan.recomputation}"),
            activations.formula.partition(" a layer")[0],
            symbols,
        ),
        bytes_line(
            text("memory.train_scores"),
            activations.scores,
            f"4·T·V = 4 × {tokens} × {grouped(vocabulary_size(plan.model.tensors))}",
        ),
        overhead_line(language, *OVERHEAD_BYTES),
    ]


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
