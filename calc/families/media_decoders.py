"""Decoders that put into words, or into sound, what an encoder saw, heard or read."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import (
    Tensors,
    embedding,
    inside,
    layer_ids,
    layer_norm,
    layers,
    linear,
    lm_head,
    multi_head_attention,
    only,
    parameter,
    plain_ffn,
)
from calc.blocks.bert import bert_embeddings, bert_layer
from calc.config import Config
from calc.families.bart_decoders import NAMES, bart_decoder, bart_layer, learned_positions
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Tensor


@family("trocr", intermediate_size="decoder_ffn_dim")
def trocr(config: Config) -> Tensors:
    """TrOCRForCausalLM: keys and values of the cross-attention may read vectors of another length.

    Source: Li et al. 2021, arXiv:2109.10282. Sinusoidal positions are not stored.
    """
    hidden_size = config.length("hidden_size")
    memory = config.length("cross_attention_hidden_size", otherwise=lambda: (hidden_size.value, "d"))
    memory = hidden_size if memory.value == hidden_size.value else memory
    return bart_decoder(
        config,
        bart_layer(config, pre_norm=False, memory=memory),
        positions=learned_positions(config, offset=2) if config.flag("use_learned_position_embeddings") else [],
        embedding_norm=config.flag("layernorm_embedding"),
        head="output_projection",
    )


@family("whisper", names=NAMES, max_position_embeddings="max_target_positions")
def whisper(config: Config) -> Tensors:
    """WhisperForCausalLM: the text decoder, whose keys have no bias. Source: Radford et al. 2022, arXiv:2212.04356."""
    layer = bart_layer(config, pre_norm=True, key_bias=False)
    return bart_decoder(config, layer, positions=learned_positions(config), final_norm="layer_norm", head="proj_out")


@family("git")
def git(config: Config) -> Tensors:
    """GitForCausalLM: an image encoder in front of BERT's layers, which read its vectors beside the tokens.

    Source: Wang et al. 2022, arXiv:2205.14100.
    """
    image = config.apart("vision_config")
    hidden_size, image_width = config.length("hidden_size"), image.length("hidden_size")
    frames = []
    if config.gives_or_defaults("num_image_with_embedding"):
        vectors = parameter("img_temporal_embedding.*", "other", "image_frame", image_width, shape=(1, 1, image_width.value))
        frames = [replace(each, repeats=config.size("num_image_with_embedding")) for each in vectors]
    return [
        *inside(
            "git",
            inside("embeddings", bert_embeddings(config, types=False)),
            inside("image_encoder.vision_model", image_encoder(image)),
            frames,
            linear("visual_projection.visual_projection.*", "other", "image_projection", image_width, hidden_size, bias=True),
            in_image(layer_norm("visual_projection.visual_projection.*", "image_norm", hidden_size)),
        ),
        *layers("git.encoder.layer", config, *bert_layer(config, cross_attention=False)),
        *lm_head("output", config, tied_to="git.embeddings.word_embeddings.weight", bias=True),
    ]


def image_encoder(image: Config) -> Tensors:
    """CLIP's image encoder: a vector for each patch and one for the image, layers with norms before the branches.

    Source: Radford et al. 2021, arXiv:2103.00020.
    """
    width, channels, patch, side = (image.length(field) for field in ("hidden_size", "num_channels", "patch_size", "image_size"))
    along = side.value // patch.value
    rows = Length(f"⌊{side.symbol} ÷ {patch.symbol}⌋² + 1", along**2 + 1, f"{along}² + 1", is_sum=True)
    patches = Tensor(
        "patch_embedding.weight",
        "other",
        "image_patch",
        "matrix",
        channels * patch * patch,
        width,
        stored=(width.value, channels.value, patch.value, patch.value),
    )
    return in_image(
        inside(
            "embeddings",
            [patches],
            parameter("class_embedding", "other", "image_class", width),
            embedding("position_embedding", "image_position", rows, image),
        )
        + layer_norm("pre_layrnorm", "image_norm", width)
        + only(
            layer_ids(image),
            inside(
                "encoder.layers.*",
                layer_norm("layer_norm1", "image_norm", width),
                inside("self_attn", multi_head_attention(image)),
                layer_norm("layer_norm2", "image_norm", width),
                inside("mlp", plain_ffn(image, "fc1", "fc2", bias=True)),
            ),
        )
        + layer_norm("post_layernorm", "image_norm", width)
    )


def in_image(tensors: Tensors) -> Tensors:
    """Tensors of an image encoder, told apart from the decoder's: keys and values here are not cached."""
    roles = {"attention": "image_attention", "ffn": "image_ffn"}
    return [
        replace(tensor, part="other", role=roles.get(tensor.part, tensor.role), input_bands=(), output_bands=())
        for tensor in tensors
    ]
