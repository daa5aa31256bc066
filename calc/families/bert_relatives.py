"""Relatives of BERT with parts of their own: narrow embeddings, rotary tables, sparse attention, adapters, glyphs, sounds."""

from __future__ import annotations

from calc.blocks import Tensors, embedding, inside, layer_norm, linear, lm_head
from calc.blocks.bert import bert_embeddings, bert_layer
from calc.config import Config
from calc.families.bert_decoders import bert_decoder, bert_head, roberta_head
from calc.families.registry import family
from calc.lengths import Length


@family("electra")
def electra(config: Config) -> Tensors:
    """ElectraForCausalLM: narrow embeddings, widened to d, and a head that comes back to their length.

    Source: Clark et al. 2020, arXiv:2003.10555.
    """
    hidden_size, narrow = config.length("hidden_size"), config.length("embedding_size")
    head = [
        *linear("generator_predictions.dense", "lm_head", "head_transform", hidden_size, narrow, bias=True),
        *layer_norm("generator_predictions.LayerNorm", "norm_before_lm_head", narrow),
        *lm_head("generator_lm_head", config, tied_to="electra.embeddings.word_embeddings.weight", bias=True, input=narrow),
    ]
    embeddings, widen = bert_embeddings(config, width=narrow), widening("electra.embeddings_project", narrow, hidden_size)
    return bert_decoder(config, "electra", embeddings, bert_layer(config), head, widen=widen)


def widening(name: str, narrow: Length, hidden_size: Length) -> Tensors:
    """The matrix from the length of the embeddings to d; none where they are as long."""
    if narrow.value == hidden_size.value:
        return []
    return linear(name, "embedding", "embedding_projection", narrow, hidden_size, bias=True)


@family("roformer")
def roformer(config: Config) -> Tensors:
    """RoFormerForCausalLM: a table of sines and cosines, stored though never trained; d ÷ n_h wide.

    Source: Su et al. 2021, arXiv:2104.09864.
    """
    hidden_size, heads = config.length("hidden_size"), config.size("num_attention_heads")
    narrow = config.length("embedding_size", otherwise=lambda: (hidden_size.value, "d"))
    narrow = hidden_size if narrow.value == hidden_size.value else narrow
    head_dim = config.length("head_dim", otherwise=lambda: (hidden_size.value // heads, "⌊d ÷ n_h⌋"))
    positions = config.length("max_position_embeddings")
    widen = [
        *widening("roformer.embeddings_project", narrow, hidden_size),
        *embedding("roformer.encoder.embed_positions", "rotary_table", positions, config, width=head_dim),
    ]
    embeddings = bert_embeddings(config, width=narrow, positions=False)
    return bert_decoder(config, "roformer", embeddings, bert_layer(config), bert_head(config, "roformer", narrow), widen=widen)


@family("rembert")
def rembert(config: Config) -> Tensors:
    """RemBertForCausalLM: narrow embeddings, a wide head, which is never tied. Source: Chung et al. 2020, arXiv:2010.12821."""
    hidden_size, vocab_size = config.length("hidden_size"), config.length("vocab_size")
    narrow, wide = config.length("input_embedding_size"), config.length("output_embedding_size")
    head = inside(
        "cls.predictions",
        linear("dense", "lm_head", "head_transform", hidden_size, wide, bias=True),
        layer_norm("LayerNorm", "norm_before_lm_head", wide),
        linear("decoder", "lm_head", "lm_head", wide, vocab_size, bias=True),
    )
    mapping = "rembert.encoder.embedding_hidden_mapping_in"
    widen = linear(mapping, "embedding", "embedding_projection", narrow, hidden_size, bias=True)
    return bert_decoder(config, "rembert", bert_embeddings(config, width=narrow), bert_layer(config), head, widen=widen)


@family("big_bird")
def big_bird(config: Config) -> Tensors:
    """BigBirdForCausalLM: sparse attention with BERT's matrices, and a pooler that a decoder does not use.

    Source: Zaheer et al. 2020, arXiv:2007.14062.
    """
    hidden_size = config.length("hidden_size")
    layer = bert_layer(config, qkv_bias=config.flag("use_bias"))
    head = [*linear("bert.pooler", "other", "pooler", hidden_size, hidden_size, bias=True), *bert_head(config, "bert")]
    return bert_decoder(config, "bert", bert_embeddings(config), layer, head)


@family("roc_bert")
def roc_bert(config: Config) -> Tensors:
    """RoCBertForCausalLM: beside the token its pronunciation and its written shape, joined by one matrix.

    The two tables are stored whether `enable_pronunciation` and `enable_shape` use them or not.
    Source: Su et al. 2022, RoCBert.
    """
    hidden_size = config.length("hidden_size")
    sound, shape = config.length("pronunciation_embed_dim"), config.length("shape_embed_dim")
    tables = [
        *embedding(
            "pronunciation_embed", "pronunciation_embedding", config.length("pronunciation_vocab_size"), config, width=sound
        ),
        *embedding("shape_embed", "shape_embedding", config.length("shape_vocab_size"), config, width=shape),
    ]
    fusion: Tensors = []
    if config.flag("concat_input"):
        joined = hidden_size
        if config.flag("enable_pronunciation"):
            joined = joined + sound
        if config.flag("enable_shape"):
            joined = joined + shape
        fusion = linear("map_inputs_layer", "embedding", "input_fusion", joined, hidden_size, bias=True)
    embeddings = bert_embeddings(config, tables, fusion)
    return bert_decoder(config, "roc_bert", embeddings, bert_layer(config), bert_head(config, "roc_bert"))


@family("xmod")
def xmod(config: Config) -> Tensors:
    """XmodForCausalLM: RoBERTa with an adapter for each language after every FFN.

    Source: Pfeiffer et al. 2022, arXiv:2205.06266. A token goes through the adapter of its own language alone.
    """
    hidden_size, pre_norm = config.length("hidden_size"), config.flag("pre_norm")
    factor = config.size("adapter_reduction_factor")
    width = Length("⌊d ÷ adapter_reduction_factor⌋", hidden_size.value // factor, f"⌊{hidden_size.numbers} ÷ {factor}⌋")
    own_norm = config.flag("adapter_layer_norm")
    norm = layer_norm("output.adapter_layer_norm", "norm_before_adapter", hidden_size) if own_norm else []
    adapters = [
        tensor
        for language in config.items("languages", str)
        for tensor in inside(
            f"output.adapter_modules.{language}",
            linear("dense1", "ffn", "language_adapter_down", hidden_size, width, bias=True),
            linear("dense2", "ffn", "language_adapter_up", width, hidden_size, bias=True),
        )
    ]
    layer = bert_layer(config, norm, adapters, pre_norm=pre_norm)
    final_norm = "roberta.encoder.LayerNorm" if pre_norm else None
    return bert_decoder(config, "roberta", bert_embeddings(config), layer, roberta_head(config, "roberta"), final_norm=final_norm)
