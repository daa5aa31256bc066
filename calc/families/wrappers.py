"""Models that put something else in front of a language model: its part alone is declared, as its own type declares it.

A wrapper's config holds a config for each part: `text_config` for the language model, others for what sees and hears.
How the language model sits in it, which of the two configs decides on tying, and under which names its tensors are
stored is told here, type by type, as in the `transformers` class of that type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from calc.blocks import Tensors
from calc.config import Config
from calc.errors import ConfigError, quoted
from calc.families.reach import Reach
from calc.families.registry import FAMILIES, Family

LANGUAGE_FIELDS = (
    "text_config", "language_config", "llm_config", "language_model_config", "text_model_config", "lm_config", "vlm_config",
    "thinker_config", "decoder", "decoder_config",
)  # fmt: skip
"""Where a wrapper's config holds that of its language model, in the order they are looked for."""

Tying = Literal["outer", "either", "inner", "never"]
"""Whose `tie_word_embeddings` decides: the wrapper's, either of the two, the language model's own, nobody's.

Files written before version 5 of transformers have the flag in the language model's config alone. So where the
wrapper's decides and does not say, the inner one is asked, if it says or the file is of that age.
"""

DEEPEST = 3
"""Wrappers inside wrappers; published models have two."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How a type wraps a language model.

    field    where the config of the language model stands
    tying    which config decides whether the head is the embedding table
    module   what the base model is called here; None where the language model is kept whole, head and all, in `whole`
    whole    what the whole language model is called; empty where its tensors keep their own names
    flat     whether the fields of the language model may stand beside `field`
    """

    field: str = "text_config"
    tying: Tying = "outer"
    module: str | None = "model.language_model"
    whole: str = "language_model"
    flat: bool = False

    def declare(self, config: Config) -> Tensors:
        """The tensors of the language model, under the names they have in the wrapper."""
        inner = self.language_model(config)
        tensors = FAMILIES[inner.model_type].declare(inner)
        return inside_of(self.whole, tensors) if self.module is None else around_base_model(self.module, tensors)

    def language_model(self, config: Config) -> Config:
        """The config of the language model. Raises ConfigError: unknown_model_type, not_among."""
        kind = config.type_inside(self.field)
        if kind not in FAMILIES or len(config.path) >= DEEPEST:
            known = len(FAMILIES)
            raise ConfigError("unknown_model_type", f"{self.field}.model_type", value=quoted(kind), known=known)
        inner = config.inside(self.field, kind, or_beside=self.flat, names=FAMILIES[kind].names)
        if self.tying != "inner":
            inner.decide("tie_word_embeddings", self.ties_head(config, inner))
        return inner

    def ties_head(self, config: Config, inner: Config) -> bool:
        """Whether the head is the embedding table."""
        field = "tie_word_embeddings"
        if self.tying == "never":
            return False
        if self.tying == "either" and inner.path != config.path:
            config.settle(field, config.flag(field) | inner.flag(field))
            return config.sizes[field]
        if inner.path == config.path:  # one flag for both: the wrapper's; without it the inner class's default counts too
            config.settle(field, config.flag(field) | (inner.default_is(field, True) and not config.gives(field)))
            return config.sizes[field]
        inner_decides = not config.gives(field) and (
            inner.gives(field) or is_of_version_4(config) or not config.has_default(field)
        )
        return (inner if inner_decides else config).flag(field)

    def reach(self, config: Config) -> Sequence[Reach]:
        """What the tokens of each layer attend to: as the language model's type says."""
        inner = self.language_model(config)
        rule = FAMILIES[inner.model_type].reach
        return rule(inner) if rule else ()


def is_of_version_4(config: Config) -> bool:
    """Whether a config.json says that transformers 4 wrote it."""
    return config.text("transformers_version").startswith("4.")


def inside_of(module: str, tensors: Tensors) -> Tensors:
    """A whole model as part of a module; of none if the name is empty."""
    if not module:
        return tensors
    return [
        replace(tensor, name=f"{module}.{tensor.name}", tied_to=tensor.tied_to and f"{module}.{tensor.tied_to}")
        for tensor in tensors
    ]


def around_base_model(module: str, tensors: Tensors) -> Tensors:
    """The base model as `module`, and the wrapper's own head, d × V without a bias, as `lm_head`.

    >>> from calc.model import Model
    >>> names = [tensor.name for tensor in Model.of({"model_type": "llava"}).tensors]
    >>> names[0], names[-1]
    ('model.language_model.embed_tokens.weight', 'lm_head.weight')
    """
    base = f"{tensors[0].name.partition('.')[0]}."

    def renamed(name: str) -> str:
        return f"{module}.{name.removeprefix(base)}" if name.startswith(base) else name

    head = next(tensor for tensor in tensors if tensor.role == "lm_head" and tensor.kind == "matrix")
    return [
        *(replace(tensor, name=renamed(tensor.name)) for tensor in tensors if tensor.name.startswith(base)),
        replace(head, name="lm_head.weight", tied_to=head.tied_to and renamed(head.tied_to)),
    ]


WRAPPERS: dict[str, Wrapper] = {}


def wrapper(*model_types: str, **how: object) -> None:
    """Declare types that wrap a language model; `how` are the fields of `Wrapper`."""
    for model_type in model_types:
        WRAPPERS[model_type] = wraps = Wrapper(**how)
        FAMILIES[model_type] = Family(wraps.declare, reach=wraps.reach)


wrapper(
    "apertus1p5", "aria", "aya_vision", "cohere2_vision", "cohere_compass", "deepseek_vl", "deepseek_vl_hybrid", "exaone4_5", "fun_asr_nano",
    "gemma3", "gemma3n", "gemma4", "gemma4_unified", "glm46v", "glmasr", "glmga", "got_ocr2", "granite_speech",
    "granite_speech_plus", "hy_v4_vl", "hyperclovax_vision_v2", "internvl", "janus", "kimi_k25", "lfm2_vl", "lfm3_vl", "lighton_ocr",
    "llava_next", "minicpm_ocr", "minicpmv4_6", "minicpmv4_7", "mistral3", "moss_transcribe_diarize", "ovis2", "paligemma",
    "perception_lm", "pp_chart2table", "qianfan_ocr", "qwen2_5_omni_thinker", "qwen3_asr", "qwen3_omni_moe_thinker",
    "qwen3_vl", "qwen3_vl_moe", "video_llava", "vipllava",
)  # fmt: skip
wrapper("granite_docling", "idefics2", "idefics3", "smolvlm", module="model.text_model")
wrapper(
    "fast_vlm", "glm4v", "glm4v_moe", "glm_ocr", "llava", "llava_next_video", "llava_onevision", "minimax_m3_vl",
    "shieldgemma2", "video_llama_3", tying="either",
)  # fmt: skip
wrapper("hunyuan_vl", "paddleocr_vl", "qwen2_5_vl", "qwen2_vl", tying="either", flat=True)
wrapper("vibevoice", tying="inner")
wrapper(
    "audioflamingo3", "inkling_mm_model", "musicflamingo", "omniasr", "qwen2_audio", "vibevoice_asr", "voxtral", tying="never"
)
wrapper("blip-2", "instructblip", "instructblipvideo", "nemotron_h_omni", tying="inner", module=None)
wrapper("qwen2_5_omni", "qwen3_omni_moe", field="thinker_config", tying="inner", module=None, whole="thinker")
wrapper("emu3", "mllama", tying="inner", module=None, whole="")
wrapper("dots3_note", tying="inner", module=None, whole="", flat=True)
wrapper("musicgen", "musicgen_melody", field="decoder", tying="inner", module=None, whole="")
