"""What the package counts of a model, for comparison with the quiz: the one place of these tests that asks it."""

from calc.build import build_parts_list
from calc.compute.flops import matmul_flops_per_token
from calc.mixing import mixing
from calc.mixing.kv_cache import kv_bytes_per_token


def parameters(config):
    return sum(tensor.parameters for tensor in build_parts_list(config).tensors)


def matmul_flops(config):
    return matmul_flops_per_token(build_parts_list(config).tensors)


def cache_bytes_of_a_token(config):
    return kv_bytes_per_token(mixing(config))
