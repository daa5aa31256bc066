"""GB, GiB and MiB."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.catalogue import catalogue
from calc.errors import ConfigError
from calc.weights.byte_units import UNITS, in_unit, nvidia_smi_mib, to_bytes, written
from calc.weights.formats import flat_bytes


def test_one_size_in_three_units():
    """Llama-2-7B in 16 bits: 13.48 GB = 12.55 GiB, 12,852 MiB in nvidia-smi. Llama-3-8B: 16.06 GB = 14.96 GiB."""
    size = flat_bytes(catalogue()["llama-2-7b"].parameters, 16)
    assert (written(size, "GB"), written(size, "GiB"), nvidia_smi_mib(size)) == ("13.48 GB", "12.55 GiB", 12_852)
    size = flat_bytes(catalogue()["llama-3-8b"].parameters, 16)
    assert (written(size, "GB"), written(size, "GiB")) == ("16.06 GB", "14.96 GiB")


def test_the_embedding_table_of_llama_2():
    """262 MB (250 MiB) in fp16, 524 MB (500 MiB) in fp32."""
    table = 32000 * 4096
    sizes = [written(table * size, unit, 0) for size in (2, 4) for unit in ("MB", "MiB")]
    assert sizes == ["262 MB", "250 MiB", "524 MB", "500 MiB"]


@pytest.mark.parametrize(("decimal", "binary", "ratio"), [("kB", "KiB", 1.024), ("MB", "MiB", 1.0486), ("GB", "GiB", 1.0737)])
def test_how_far_the_units_are_apart(decimal, binary, ratio):
    assert round(UNITS[binary] / UNITS[decimal], 4) == ratio


@given(st.integers(0, 10**15), st.sampled_from(sorted(UNITS)))
def test_there_and_back(size, unit):
    assert to_bytes(in_unit(size, unit), unit) == size
    assert in_unit(size, unit) * UNITS[unit] == Fraction(size)


@given(st.integers(0, 10**14))
def test_nvidia_smi_cuts_off(size):
    assert nvidia_smi_mib(size) * 2**20 <= size < (nvidia_smi_mib(size) + 1) * 2**20


@pytest.mark.parametrize("of", [in_unit, to_bytes])
def test_an_unknown_unit_is_refused(of):
    with pytest.raises(ConfigError) as fault:
        of(1, "Gb")
    assert (fault.value.code, fault.value.field) == ("not_among", "unit")
