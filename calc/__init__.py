"""Takes a large language model apart, matrix by matrix: config in, exact parts list out.

>>> from calc import Model
>>> Model.of({"model_type": "gpt2"}).parameters
124439808
"""

from calc.errors import ConfigError
from calc.model import Model
from calc.parts_list import PartsList, parameters, parameters_by_part
from calc.read_config import read_config, read_config_file
from calc.tensors import PARTS, Tensor

__all__ = [
    "PARTS",
    "ConfigError",
    "Model",
    "PartsList",
    "Tensor",
    "parameters",
    "parameters_by_part",
    "read_config",
    "read_config_file",
]
