"""The list of GPUs: facts that hold together, and names as people write them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from calc.errors import ConfigError
from calc.gpus import BRANDS, find_gpu, gpus

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
    ("RTX A6000", 48, 768, 154.8),
    ("H20", 96, 4000, 148),
    ("RTX 4080", 16, 717, 97.4),
    ("RTX 3060 12GB", 12, 360, 25.4),
    ("RTX 5080", 16, 960, 112.6),
    ("MI355X", 288, 8000, 2500),
    ("MI250X", 128, 3277, 383),
    ("Gaudi 3", 128, 3700, 1677),
    ("TPU v5p", 95, 2760, 459),
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
    if {"bf16", "fp16"} <= set(peaks):
        assert peaks["bf16"] == peaks["fp16"]
    for faster, slower in (("fp8", "bf16"), ("fp4", "fp8")):
        if faster in peaks:
            times = 1 if gpu.name == "Gaudi 3" else 4 if faster == "fp4" and gpu.maker == "GeForce" else 2
            assert peaks[faster] == pytest.approx(times * peaks[slower], rel=0.02)
    assert native or not peaks
    assert (gpu.maker == "Apple") == gpu.name.startswith("Apple") and not (gpu.maker == "Apple" and native)


def test_the_list_is_of_what_people_own():
    makers = [gpu.maker for gpu in gpus().values()]
    assert list(dict.fromkeys(makers)) == ["NVIDIA", "GeForce", "AMD", "Intel", "Google", "Apple"]
    assert len(makers) - makers.count("Apple") >= 60 and makers == sorted(makers, key=list(dict.fromkeys(makers)).index)
    called = [name.lower() for gpu in gpus().values() for name in (gpu.name, *gpu.aliases)]
    assert len(called) == len(set(called))
    assert all(find_gpu(BRANDS.sub("", gpu.name.lower().replace(" ", ""))) is gpu for gpu in gpus().values())


@pytest.mark.parametrize("gpu", gpus().values(), ids=lambda gpu: gpu.name)
def test_shares_powers_and_prices_are_possible(gpu):
    if gpu.unified_share:
        least, most = gpu.unified_share
        assert Fraction(1, 2) < least < most < 1 and "unified memory" in gpu.caveat
    assert bool(gpu.unified_share) >= (gpu.maker == "Apple")
    assert gpu.power_watts is None or 50 <= gpu.power_watts <= 1500
    if gpu.list_price:
        assert gpu.list_price.currency == "USD" and 2016 <= gpu.list_price.year <= 2026 and 200 <= gpu.list_price.amount < 50_000


def test_a_name_says_its_memory_where_a_chip_is_sold_with_several():
    sizes = {gpu.name: gpu.memory_gb for gpu in gpus().values() if gpu.name.endswith("GB")}
    assert all(name.endswith(f"{memory}GB") for name, memory in sizes.items()) and len(sizes) > 50
    assert {memory for name, memory in sizes.items() if name.startswith("Apple M3 Ultra")} == {96, 256, 512}


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
        ("apple m3 max", "Apple M3 Max 128GB"),
        ("M4 Max 64 GB", "Apple M4 Max 64GB"),
        ("3060", "RTX 3060 12GB"),
        ("a6000", "RTX A6000"),
        ("dgx spark", "DGX Spark (GB10)"),
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
