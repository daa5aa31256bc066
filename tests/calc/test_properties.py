"""What holds for every model, whatever its sizes. Each law is known from the architecture, not from the code."""

import ast
import math

from config_strategies import GENERAL_NAMES, valid_configs
from hypothesis import given
from hypothesis import strategies as st

from calc import PARTS, Model, parameters, parameters_by_part
from calc.parts_list import layer_parameters, layer_tensors

LLAMA_LIKE = ("llama", "mistral", "qwen2", "qwen3", "gemma", "phi3")


def total(config, **changes):
    return Model.of(config | changes).parameters


def value_of(formula, symbols):
    """A formula worked out by hand: symbols replaced by sizes, × and · read as times."""
    tree = ast.parse(formula.replace("×", "*").replace("·", "*"), mode="eval")

    def worked(node):
        match node:
            case ast.Expression(body=body):
                return worked(body)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return worked(left) * worked(right)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return worked(left) + worked(right)
            case ast.Name(id=name):
                return symbols[name]
            case ast.Constant(value=int(number)):
                return number
        raise ValueError(f"{formula}: {ast.dump(node)}")

    return worked(tree)


def symbols_of(config):
    """The symbols of the formulas with the config's own numbers."""
    general = {GENERAL_NAMES.get(name, name): value for name, value in config.items()}
    d, n_h = general["hidden_size"], general["num_attention_heads"]
    return {
        "d": d,
        "d_ff": general["intermediate_size"],
        "L": general["num_hidden_layers"],
        "n_h": n_h,
        "n_kv": general.get("num_key_value_heads"),
        "head_dim": general.get("head_dim") or d // n_h,
        "V": general["vocab_size"],
        "n_ctx": general.get("max_position_embeddings"),
    }


@given(valid_configs())
def test_formula_and_numbers_give_the_count(config):
    for tensor in Model.of(config).tensors:
        assert value_of(tensor.formula, symbols_of(config)) == tensor.count, tensor.formula
        assert value_of(tensor.numbers, {}) == tensor.count, tensor.numbers
        assert math.prod(tensor.shape) == tensor.count, tensor.name


@given(valid_configs())
def test_the_total_is_the_sum_of_its_parts_and_of_its_tensors(config):
    tensors = Model.of(config).tensors
    by_part = parameters_by_part(tensors)
    assert tuple(by_part) == PARTS
    by_hand = sum(len(tensor.layers or (0,)) * math.prod(tensor.shape) for tensor in tensors if not tensor.tied_to)
    assert parameters(tensors) == sum(by_part.values()) == by_hand
    assert all(parameters(t for t in tensors if t.part == part) == by_part[part] for part in PARTS)


@given(valid_configs())
def test_no_name_stands_twice_and_each_can_be_found(config):
    parts_list = Model.of(config).parts_list
    names = [tensor.name for tensor in parts_list.tensors]
    assert len(set(names)) == len(names)
    assert all(parts_list.named(tensor.name) is tensor for tensor in parts_list.tensors)


@given(valid_configs())
def test_bands_fill_the_side_they_divide(config):
    for tensor in Model.of(config).tensors:
        for bands, length in ((tensor.input_bands, tensor.input), (tensor.output_bands, tensor.output)):
            assert not bands or sum(band.length for band in bands) == length.value, tensor.name


@given(valid_configs())
def test_data_flows_into_matrices_of_its_own_length(config):
    """What comes in from the stream, and what goes back to it, has length d."""
    parts_list = Model.of(config).parts_list
    d = parts_list.sizes["hidden_size"]
    for tensor in layer_tensors(parts_list):
        if tensor.kind == "matrix":
            assert d in (tensor.input.value, tensor.output.value), tensor.name


@given(valid_configs(), st.integers(1, 60))
def test_layers_are_worth_the_same_each(config, more):
    field = "n_layer" if config["model_type"] == "gpt2" else "num_hidden_layers"
    parts_list = Model.of(config).parts_list
    assert total(config, **{field: config[field] + more}) - total(config) == more * layer_parameters(parts_list)
    outside = total(config) - config[field] * layer_parameters(parts_list)
    assert outside == parameters(tensor for tensor in parts_list.tensors if tensor.layers is None)
    assert parts_list.num_hidden_layers == config[field]


@given(valid_configs())
def test_tying_saves_exactly_one_table(config):
    d = config.get("hidden_size") or config["n_embd"]
    untied, tied = (total(config, tie_word_embeddings=flag) for flag in (False, True))
    assert untied - tied == config["vocab_size"] * d


@given(valid_configs())
def test_a_row_of_vocabulary_costs_d_where_tied_and_else_2d(config):
    d = config.get("hidden_size") or config["n_embd"]
    row = total(config, vocab_size=config["vocab_size"] + 1) - total(config)
    assert row == (d if config["tie_word_embeddings"] else 2 * d)


@given(valid_configs(types=("llama", "mistral", "qwen2", "gemma", "phi3")), st.integers(1, 6))
def test_splitting_the_same_columns_into_other_heads_changes_nothing(config, times):
    """32 heads of 128 are one matrix of 4096 columns, as are 16 of 256."""
    heads, width = config["num_attention_heads"], 12 * times
    many = config | {"num_attention_heads": heads * times, "num_key_value_heads": heads * times, "head_dim": 12}
    few = config | {"num_attention_heads": heads, "num_key_value_heads": heads, "head_dim": width}
    assert total(many) == total(few)


@given(valid_configs(types=LLAMA_LIKE))
def test_as_many_kv_heads_as_heads_is_multi_head_attention(config):
    """Query, key and value are then alike, and each d × n_h·head_dim."""
    config |= {"num_key_value_heads": config["num_attention_heads"]}
    symbols = symbols_of(config)
    width = symbols["n_h"] * symbols["head_dim"]
    matrices = [t for t in layer_tensors(Model.of(config).parts_list) if t.part == "attention" and t.kind == "matrix"]
    assert sum(tensor.count for tensor in matrices) == 4 * symbols["d"] * width


@given(valid_configs(types=LLAMA_LIKE))
def test_a_kv_head_costs_its_columns_of_key_and_value_in_every_layer(config):
    symbols = symbols_of(config)
    d, width = symbols["d"], symbols["head_dim"]
    biased = config["model_type"] == "qwen2" or (config["model_type"] != "mistral" and config.get("attention_bias"))
    one_head = 2 * symbols["L"] * (d + bool(biased)) * width
    fewest = total(config, num_key_value_heads=1, head_dim=width)
    assert total(config) - fewest == (symbols["n_kv"] - 1) * one_head


@given(valid_configs(types=LLAMA_LIKE))
def test_a_gated_ffn_has_three_matrices_and_its_width_costs_three_rows(config):
    symbols = symbols_of(config)
    d, biases = symbols["d"], 2 if config.get("mlp_bias") else 0
    wider = total(config, intermediate_size=config["intermediate_size"] + 1)
    assert wider - total(config) == symbols["L"] * (3 * d + biases)


@given(valid_configs(types=("gpt2",)))
def test_gpt2_from_its_paper(config):
    """12·d² + 13·d a layer at the usual width 4·d, two tables, one final norm."""
    config |= {"n_inner": None, "add_cross_attention": False, "tie_word_embeddings": True}
    d, layers = config["n_embd"], config["n_layer"]
    by_hand = layers * (12 * d * d + 13 * d) + (config["vocab_size"] + config["n_positions"]) * d + 2 * d
    assert total(config) == by_hand


@given(valid_configs(types=("llama",)))
def test_mistral_and_phi3_hold_what_a_llama_without_biases_holds(config):
    config |= {"attention_bias": False, "mlp_bias": False, "head_dim": symbols_of(config)["head_dim"]}
    plain = total(config)
    assert total(config, model_type="mistral") == total(config, model_type="phi3") == plain


@given(valid_configs(types=("llama",)))
def test_qwen_adds_biases_or_norms_to_a_llama(config):
    symbols = symbols_of(config)
    config |= {"attention_bias": False, "mlp_bias": False, "head_dim": symbols["head_dim"]}
    layers, width = symbols["L"], symbols["head_dim"]
    biases = (symbols["n_h"] + 2 * symbols["n_kv"]) * width
    assert total(config, model_type="qwen2") - total(config) == layers * biases
    assert total(config, model_type="qwen3") - total(config) == layers * 2 * width


@given(valid_configs())
def test_the_deciding_values_alone_give_the_same_model(config):
    noise = {"rope_theta": 1e4, "use_cache": True, "n_ctx": 5, "torch_dtype": "bfloat16", "initializer_range": float("nan")}
    decided = Model.of(noise | config).deciding_values
    assert decided == config
    assert Model.of(decided).parts_list == Model.of(noise | config).parts_list
