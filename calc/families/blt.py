"""BLT, the Byte Latent Transformer: bytes are gathered into patches, and a large model runs over the patches alone."""

from __future__ import annotations

from dataclasses import replace

from calc.blocks import Tensors, embedding, gated_ffn, grouped_query_attention, inside, layer_ids, linear, only, rms_norm
from calc.blocks.projections import exact_head_dim
from calc.config import Config
from calc.families.mllama import CROSS_ROLES
from calc.families.reach import not_described
from calc.families.registry import family
from calc.lengths import Length
from calc.tensors import Tensor


@family("blt", reach=not_described)
def blt(config: Config) -> Tensors:
    """BltForCausalLM: a local encoder of bytes, a global model of patches, a local decoder, and a patcher that finds them.

    Each of the four has a config of its own. Source: Pagnoni et al. 2024, arXiv:2412.09871.
    """
    encoder, decoder = config.apart("encoder_config"), config.apart("decoder_config")
    model = config.inside("global_config", "blt_global_transformer")
    table, head = byte_table_and_head(config, encoder, decoder)
    return [
        table,
        *hash_table(config, encoder),
        *inside("model.local_encoder", local_layers(encoder)),
        *inside("model.local_encoder", patch_projection(encoder, encoder.length("hidden_size"))),
        *inside("model.global_transformer", token_projection(config, encoder, model), only_layers(model)),
        *inside(
            "model.local_decoder",
            patch_projection(decoder, decoder.length("hidden_size_global")),
            local_layers(decoder),
            rms_norm("norm", "final_norm", decoder.length("hidden_size")),
        ),
        head,
        *patcher(config),
    ]


def byte_table_and_head(config: Config, encoder: Config, decoder: Config) -> Tensors:
    """The table of bytes and the head; where they are tied, it is the head's tensor that both use."""
    vocab_size, width = config.length("vocab_size"), decoder.length("hidden_size")
    (head,) = linear("lm_head", "lm_head", "lm_head", width, vocab_size)
    rows, columns = encoder.length("vocab_size"), encoder.length("hidden_size")
    tied = config.flag("tie_word_embeddings")
    if tied:
        rows, columns = vocab_size, width
    (table,) = embedding("model.local_encoder.embed_tokens", "token_embedding", rows, encoder, width=columns)
    return [table, replace(head, tied_to=table.name if tied else None)]


def hash_table(config: Config, encoder: Config) -> Tensors:
    """One table for all hashes of byte groups: rows · functions · sizes of groups."""
    rows, functions = config.length("encoder_hash_byte_group_vocab"), config.size("encoder_hash_byte_group_nb_functions")
    groups = config.items("encoder_hash_byte_group_size", int, lambda: range(3, 9))
    return embedding(
        "model.encoder_hash_tok_embedding", "byte_group_embedding", functions * len(groups or range(3, 9)) * rows, encoder
    )


def transformer_layer(config: Config) -> Tensors:
    """Llama's layer, its heads splitting d; without `intermediate_size` the FFN is ⌊8·d ÷ 3⌋ wide."""
    hidden_size = config.length("hidden_size")
    width = config.length("intermediate_size", otherwise=lambda: (int(8 * hidden_size.value / 3), "⌊8·d ÷ 3⌋"))
    return [
        *rms_norm("input_layernorm", "norm_before_attention", hidden_size),
        *inside("self_attn", grouped_query_attention(config, width=exact_head_dim(config))),
        *rms_norm("post_attention_layernorm", "norm_before_ffn", hidden_size),
        *inside("mlp", gated_ffn(config, width=width)),
    ]


def only_layers(config: Config) -> Tensors:
    """A stack of layers without anything around it."""
    return only(layer_ids(config), inside("layers.*", transformer_layer(config)))


def local_layers(config: Config) -> Tensors:
    """Layers over bytes, and the attention between bytes and patches: after every layer, or after one."""
    hidden_size = config.length("hidden_size")
    crossing = [
        *rms_norm("q_norm", "norm_before_cross_attention", hidden_size),
        *rms_norm("k_norm", "norm_before_cross_attention", hidden_size),
        *grouped_query_attention(config, width=exact_head_dim(config)),
    ]
    crossing = [replace(tensor, role=CROSS_ROLES.get(tensor.role, tensor.role)) for tensor in crossing]
    everywhere = config.gives_or_defaults("cross_attn_all_layers") and config.flag("cross_attn_all_layers")
    return [*only_layers(config), *only(layer_ids(config) if everywhere else (0,), inside("cross_attn_layers.*", crossing))]


def patch_projection(config: Config, read: Length) -> Tensors:
    """From a patch to the k vectors of length d that bytes attend to."""
    several = config.length("cross_attn_k") * config.length("hidden_size")
    return linear("patch_embedding_projection", "other", "byte_patch_projection", read, several)


def token_projection(config: Config, encoder: Config, model: Config) -> Tensors:
    """From what the encoder gives to the length of the global model, where they differ."""
    given, width = config.length("cross_attn_k") * encoder.length("hidden_size"), model.length("hidden_size")
    if given.value == width.value:
        return []
    return linear("token_embedding_projection", "embedding", "embedding_projection", given, width)


PATCHER_ROLES = {"embedding": "patcher_table", "attention": "patcher_attention", "ffn": "patcher_ffn", "norm": "patcher_norm"}


def patcher(config: Config) -> Tensors:
    """A small language model of bytes whose surprise ends a patch, if patches are made on the way."""
    if not (config.gives_or_defaults("patch_in_forward") and config.flag("patch_in_forward")):
        return []
    small = config.apart("patcher_config")
    hidden_size, vocab_size = small.length("hidden_size"), small.length("vocab_size")
    tensors = [
        *embedding("embed_tokens", "token_embedding", vocab_size, small),
        *only_layers(small),
        *rms_norm("norm", "final_norm", hidden_size),
        *linear("lm_head", "lm_head", "lm_head", hidden_size, vocab_size),
    ]
    return inside("model.patcher", [in_patcher(tensor) for tensor in tensors])


def in_patcher(tensor: Tensor) -> Tensor:
    """A tensor of the patcher, told apart from the model's own."""
    return replace(tensor, part="other", role=PATCHER_ROLES.get(tensor.part, "patcher_head"), input_bands=(), output_bands=())
