"""Mamba and its relatives: no attention and no FFN, each layer is a norm and a state-space mixer."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, inside, layers, lm_head, rms_norm
from calc.blocks.state_space import check_heads_fill, selective_state_space, sixteenth_of_hidden_size, state_space_duality
from calc.config import Config
from calc.families.registry import family


def state_space_model(config: Config, mixer: Tensors) -> Tensors:
    """Layers of one mixer each, between the embedding and the head of `backbone`."""
    hidden_size = config.length("hidden_size")
    return [
        *embedding("backbone.embeddings", "token_embedding", config.length("vocab_size"), config),
        *layers("backbone.layers", config, rms_norm("norm", "norm_before_mixer", hidden_size), inside("mixer", mixer)),
        *rms_norm("backbone.norm_f", "final_norm", hidden_size),
        *lm_head("lm_head", config, tied_to="backbone.embeddings.weight"),
    ]


@family("mamba", "falcon_mamba")
def mamba(config: Config) -> Tensors:
    """MambaForCausalLM. FalconMamba's three more norms have no weights. Source: Gu and Dao 2023, arXiv:2312.00752."""
    hidden_size = config.length("hidden_size")
    width = config.length("intermediate_size", otherwise=lambda: (config.size("expand") * hidden_size.value, "expand·d"))
    return state_space_model(
        config,
        selective_state_space(
            hidden_size,
            width,
            config.length("state_size"),
            sixteenth_of_hidden_size(config, "time_step_rank"),
            config.length("conv_kernel"),
            bias=config.flag("use_bias"),
            convolution_bias=config.flag("use_conv_bias"),
        ),
    )


@family("mamba2")
def mamba2(config: Config) -> Tensors:
    """Mamba2ForCausalLM. Source: Dao and Gu 2024, arXiv:2405.21060. Raises ConfigError: heads_do_not_fill."""
    hidden_size = config.length("hidden_size")
    width = config.length("expand") * hidden_size
    check_heads_fill(config, width, "num_heads", "head_dim")
    return state_space_model(
        config,
        state_space_duality(
            hidden_size,
            width,
            config.length("num_heads"),
            config.length("n_groups"),
            config.length("state_size"),
            config.length("conv_kernel"),
            bias=config.flag("use_bias"),
            convolution_bias=config.flag("use_conv_bias"),
        ),
    )
