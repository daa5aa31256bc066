"""What the package counts of a model, for comparison with the quiz: the one place of these tests that asks it."""

from calc.compute.flops import matmul_flops_per_token
from calc.mixing.kv_cache import kv_bytes_per_token
from calc.model import Model, catalogue_model


def parameters(config):
    return Model(config).parameters


def parameters_by_part(name):
    return catalogue_model(name).parameters_by_part


def matmul_flops(config):
    return matmul_flops_per_token(Model(config))


def cache_bytes_of_a_token(config):
    return kv_bytes_per_token(Model(config).mixing)
