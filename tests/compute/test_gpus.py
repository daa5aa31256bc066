"""The list of GPUs: facts that hold together, and names as people write them."""

from __future__ import annotations

import pytest

from calc.errors import ConfigError
from calc.gpus import find_gpu, gpus

SHEETS = [  # name, GB, GB/s, dense 16-bit TFLOPS: from the vendors' data sheets, sparse figures halved
    ("T4", 16, 320, 65),
    ("V100-SXM2-32GB", 32, 900, 125),
    ("A10", 24, 600, 125),
    ("L4", 24, 300, 121),
    ("L40S", 48, 864, 362),
    ("A100 40GB SXM", 40, 1555, 312),
    ("A100 80GB SXM", 80, 2039, 312),
    ("A100 80GB PCIe", 80, 1935, 312),
    ("H100 SXM", 80, 3350, 989),
    ("H100 PCIe", 80, 2000, 756.5),
    ("H200 SXM", 141, 4800, 989),
    ("MI300X", 192, 5300, 1307),
    ("RTX 4090", 24, 1008, 165.2),
    ("RTX 3090", 24, 936, 71),
]


@pytest.mark.parametrize(("name", "memory", "bandwidth", "tflops"), SHEETS)
def test_figures_are_those_of_the_sheets(name, memory, bandwidth, tflops):
    gpu = gpus()[name]
    assert (gpu.memory_gb, gpu.bandwidth_gb_per_second) == (memory, bandwidth)
    assert gpu.peak_flops_per_second() == tflops * 10**12
    assert (gpu.memory_bytes, gpu.bandwidth_bytes_per_second) == (memory * 10**9, bandwidth * 10**9)


@pytest.mark.parametrize("gpu", gpus().values(), ids=lambda gpu: gpu.name)
def test_figures_of_one_gpu_hold_together(gpu):
    peaks, native = gpu.dense_tflops, gpu.native
    assert gpu.source and 0 < gpu.memory_gb < 1000 and 0 < gpu.bandwidth_gb_per_second < 20_000
    assert set(peaks) <= {"fp16", "bf16", "fp8", "int8", "fp4"} and set(native) <= {"bf16", "fp8", "int8", "fp4"}
    for number_format in set(peaks) - {"fp16"}:
        assert native[number_format], "a format with a peak is multiplied"
    if "bf16" in peaks:
        assert peaks["bf16"] == peaks["fp16"]
    for faster, slower in (("fp8", "fp16"), ("fp4", "fp8")):
        if faster in peaks:
            assert peaks[faster] == pytest.approx(2 * peaks[slower], rel=0.02) or gpu.name == "RTX 5090"
    assert bool(peaks) == bool(native) == (not gpu.name.startswith("Apple"))


def test_formats_came_with_generations():
    """bf16 with Ampere, fp8 with Ada and Hopper, fp4 with Blackwell."""
    native = {name: {number_format for number_format, has in gpu.native.items() if has} for name, gpu in gpus().items()}
    assert native["V100-SXM2-32GB"] == set() and native["T4"] == {"int8"}
    assert native["A100 80GB SXM"] == native["RTX 3090"] == {"bf16", "int8"}
    assert native["H100 SXM"] == native["L4"] == {"bf16", "int8", "fp8"}
    assert native["B200 SXM"] == native["RTX 5090"] == {"bf16", "int8", "fp8", "fp4"}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("a100-80gb-sxm", "A100 80GB SXM"),
        ("A100", "A100 80GB SXM"),
        ("H100", "H100 SXM"),
        ("rtx4090", "RTX 4090"),
        ("RTX-5090", "RTX 5090"),
        ("apple m3 max", "Apple M3 Max"),
        ("GB200", "GB200 (per GPU)"),
        ("t4", "T4"),
    ],
)
def test_names_are_found_however_they_are_written(written, found):
    assert find_gpu(written).name == found


@pytest.mark.parametrize("name", gpus())
def test_every_gpu_is_found_by_its_own_name(name):
    assert find_gpu(name) is gpus()[name]


NOT_LISTED = [("H10O", "unknown_gpu_similar"), ("zx spectrum", "unknown_gpu"), ("", "unknown_gpu")]


@pytest.mark.parametrize(("written", "code"), NOT_LISTED)
def test_an_unknown_gpu_is_refused_by_name(written, code):
    with pytest.raises(ConfigError) as refusal:
        find_gpu(written)
    assert (refusal.value.code, refusal.value.field) == (code, "gpu")


def test_a_format_without_a_peak_is_refused():
    with pytest.raises(ConfigError) as refusal:
        find_gpu("A100").peak_flops_per_second("fp8")
    assert refusal.value.code == "gpu_without_peak" and "fp8" in str(refusal.value)
