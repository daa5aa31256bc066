"""BERT and its relatives read as decoders: what AutoModelForCausalLM holds of an encoder's type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calc.blocks import Tensors, embedding, inside, layer_norm, layers
from calc.blocks.bert import bert_embeddings, bert_layer, prediction_head
from calc.config import Config
from calc.families.registry import family
from calc.lengths import Length


def bert_decoder(
    config: Config,
    prefix: str,
    embeddings: Tensors,
    layer: Sequence[Tensors],
    head: Tensors,
    *,
    widen: Tensors | None = None,
    final_norm: str | None = None,
) -> Tensors:
    """Embeddings, what widens them to d, layers, a norm at the end where `final_norm` names one, and the head."""
    return [
        *inside(f"{prefix}.embeddings", embeddings),
        *(widen or []),
        *layers(f"{prefix}.encoder.layer", config, *layer),
        *(layer_norm(final_norm, "final_norm", config.length("hidden_size")) if final_norm else []),
        *head,
    ]


def bert_head(config: Config, prefix: str, width: Length | None = None) -> Tensors:
    """`cls.predictions`, tied to the word embeddings."""
    return prediction_head(config, "cls.predictions", tied_to=f"{prefix}.embeddings.word_embeddings.weight", width=width)


def roberta_head(config: Config, prefix: str) -> Tensors:
    """`lm_head`: BERT's head with its parts named otherwise."""
    table = f"{prefix}.embeddings.word_embeddings.weight"
    return prediction_head(config, "lm_head", tied_to=table, transform=("dense", "layer_norm"))


@family("bert")
def bert(config: Config) -> Tensors:
    """BertLMHeadModel. Source: Devlin et al. 2018, arXiv:1810.04805. Its position ids are no stored buffer."""
    return bert_decoder(config, "bert", bert_embeddings(config), bert_layer(config), bert_head(config, "bert"))


@family("roberta")
def roberta(config: Config) -> Tensors:
    """RobertaForCausalLM: BERT with another head. Source: Liu et al. 2019, arXiv:1907.11692."""
    return bert_decoder(config, "roberta", bert_embeddings(config), bert_layer(config), roberta_head(config, "roberta"))


@family("camembert", "xlm-roberta")
def camembert(config: Config) -> Tensors:
    """CamembertForCausalLM and XLMRobertaForCausalLM: RoBERTa, but the checkpoint names the head before the table.

    So it is the table that is tied to the head, not the head to the table.
    """
    table, head = "roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight"
    tied = config.flag("tie_word_embeddings")
    owners = {table: head, head: None} if tied else {}
    return [replace(tensor, tied_to=owners.get(tensor.name, tensor.tied_to)) for tensor in roberta(config)]


@family("data2vec-text")
def data2vec_text(config: Config) -> Tensors:
    """Data2VecTextForCausalLM: RoBERTa. Source: Baevski et al. 2022, arXiv:2202.03555."""
    head = roberta_head(config, "data2vec_text")
    return bert_decoder(config, "data2vec_text", bert_embeddings(config), bert_layer(config), head)


@family("roberta-prelayernorm")
def roberta_prelayernorm(config: Config) -> Tensors:
    """RobertaPreLayerNormForCausalLM: the norms stand before the branches, and one at the end."""
    prefix = "roberta_prelayernorm"
    layer = bert_layer(config, attention_norm="LayerNorm", ffn_norm="intermediate.LayerNorm", pre_norm=True)
    head = roberta_head(config, prefix)
    return bert_decoder(config, prefix, bert_embeddings(config), layer, head, final_norm=f"{prefix}.LayerNorm")


@family("xlm-roberta-xl")
def xlm_roberta_xl(config: Config) -> Tensors:
    """XLMRobertaXLForCausalLM: norms before the branches, none after the embeddings. Source: Goyal et al. 2021."""
    layer = bert_layer(config, attention_norm="self_attn_layer_norm", ffn_norm="LayerNorm", pre_norm=True)
    embeddings, head = bert_embeddings(config, norm=False), roberta_head(config, "roberta")
    return bert_decoder(config, "roberta", embeddings, layer, head, final_norm="roberta.encoder.LayerNorm")


@family("megatron-bert")
def megatron_bert(config: Config) -> Tensors:
    """MegatronBertForCausalLM: norms before the branches. Source: Shoeybi et al. 2019, arXiv:1909.08053."""
    layer = bert_layer(config, attention_norm="ln", ffn_norm="ln", pre_norm=True)
    embeddings, head = bert_embeddings(config, norm=False), bert_head(config, "bert")
    return bert_decoder(config, "bert", embeddings, layer, head, final_norm="bert.encoder.ln")


@family("bert-generation")
def bert_generation(config: Config) -> Tensors:
    """BertGenerationDecoder: no token types, a bare head. Source: Rothe et al. 2019, arXiv:1907.12461."""
    table = "bert.embeddings.word_embeddings.weight"
    head = prediction_head(config, "lm_head", tied_to=table, transform=None)
    return bert_decoder(config, "bert", bert_embeddings(config, types=False), bert_layer(config), head)


@family("ernie")
def ernie(config: Config) -> Tensors:
    """ErnieForCausalLM: BERT, and with `use_task_id` a table of tasks. Source: Sun et al. 2019, arXiv:1907.12412."""
    tasks = []
    if config.flag("use_task_id"):
        tasks = embedding("task_type_embeddings", "task_embedding", config.length("task_type_vocab_size"), config)
    return bert_decoder(config, "ernie", bert_embeddings(config, tasks), bert_layer(config), bert_head(config, "ernie"))
