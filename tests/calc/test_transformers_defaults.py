"""What a config leaves out is filled in as the installed transformers does it."""

import json

import pytest
from config_strategies import FLAGS, GENERAL_NAMES, SIZES, TYPE_AND_FLAG, TYPE_AND_SIZE, TYPES, complete_config

from calc import Model
from calc.config import DEFAULTS_FILE

DEFAULTS = json.loads(DEFAULTS_FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def transformers():
    return pytest.importorskip("transformers", reason="transformers is in requirements-dev.txt")


@pytest.mark.parametrize("model_type", TYPES)
def test_the_recorded_defaults_are_those_of_the_installed_class(transformers, model_type):
    recorded = DEFAULTS["types"][model_type]
    config_class = transformers.CONFIG_MAPPING[model_type]
    assert recorded["class"] == config_class.__name__
    assert recorded["attribute_map"] == config_class.attribute_map
    built = config_class()
    for field in (*SIZES[model_type], *FLAGS[model_type]):
        declared = getattr(config_class, field, None)
        if field == "tie_word_embeddings" and declared is None:
            declared = built.tie_word_embeddings
        assert recorded["defaults"].get(field) == declared, field


def sizes_in_transformers(config):
    """The sizes of a transformers config, by general names, as its modules read them."""
    heads = config.num_attention_heads
    sizes = {
        "vocab_size": config.vocab_size,
        "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_hidden_layers,
        "num_attention_heads": heads,
        "tie_word_embeddings": config.tie_word_embeddings,
    }
    if config.model_type == "gpt2":
        inner = 4 * config.hidden_size if config.n_inner is None else config.n_inner
        own = {"max_position_embeddings": config.n_positions, "add_cross_attention": config.add_cross_attention}
        return sizes | own | {"intermediate_size": inner}
    flags = {flag: getattr(config, flag) for flag in FLAGS[config.model_type]}
    return (
        sizes
        | flags
        | {
            "intermediate_size": config.intermediate_size,
            "num_key_value_heads": config.num_key_value_heads,
            "head_dim": getattr(config, "head_dim", None) or config.hidden_size // heads,
        }
    )


@pytest.mark.parametrize(("model_type", "missing"), TYPE_AND_SIZE + TYPE_AND_FLAG)
def test_a_missing_field_resolves_as_in_transformers(transformers, model_type, missing):
    config = complete_config(model_type)
    del config[missing]
    theirs = transformers.AutoConfig.for_model(**config)
    assert dict(Model.of(config).parts_list.sizes) == sizes_in_transformers(theirs)


@pytest.mark.parametrize("general", sorted(set(GENERAL_NAMES.values()) - {"intermediate_size"}))
def test_a_general_name_is_read_as_in_transformers(transformers, general):
    own = next(name for name in GENERAL_NAMES if GENERAL_NAMES[name] == general)
    config = complete_config("gpt2")
    config[general] = config.pop(own) * 2
    theirs = transformers.AutoConfig.for_model(**config)
    assert dict(Model.of(config).parts_list.sizes) == sizes_in_transformers(theirs)


def test_the_whole_record_is_what_the_installed_classes_say(transformers):
    """Those of every declared type and of the configs inside them; a new version of transformers shows here first."""
    from calc.data.make_config_defaults import classes, describe

    said = {kind: json.loads(json.dumps(describe(config_class))) for kind, config_class in classes().items()}
    differing = sorted(kind for kind in said.keys() | DEFAULTS["types"].keys() if said.get(kind) != DEFAULTS["types"].get(kind))
    assert not differing
    assert DEFAULTS["transformers"] == transformers.__version__
