"""Takes a large language model apart, matrix by matrix: config in, exact parts list out.

>>> from calc import build_parts_list, parameters
>>> parameters(build_parts_list({"model_type": "gpt2"}).tensors)
124439808
"""

from calc.build import build_parts_list
from calc.errors import ConfigError
from calc.parts_list import PartsList, parameters, parameters_by_part
from calc.read_config import read_config, read_config_file
from calc.tensors import PARTS, Tensor

__all__ = [
    "PARTS",
    "ConfigError",
    "PartsList",
    "Tensor",
    "build_parts_list",
    "parameters",
    "parameters_by_part",
    "read_config",
    "read_config_file",
]
