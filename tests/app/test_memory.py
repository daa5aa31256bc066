"""The pages on memory without a browser: published sizes, caches and floors read off the screen, and what a reader can type."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree

import pytest

from calc.gpus import gpus
from calc.model import Model
from calc.weights.formats import formats
from ui.memory.cache_lines import cache_csv_rows
from ui.memory.gpu_bars import GpuBar, Stretch, bars, bars_svg
from ui.memory.sizes import FAMILIES, formats_of
from ui.memory.titles import title_in
from ui.model.config_address import packed
from ui.texts import TEXTS

from .screen import LANGUAGES, PUBLISHED, elements, figures, is_chinese, messages, of_class, total, words
from .token_pages import kept, page

PAGES = ("formats", "kv_cache", "fit", "decode", "training_memory", "units")
LLAMA_2_7B, TINYLLAMA = 6_738_415_616, 1_100_048_384
T4_BYTES = 15_360 * 2**20
"""What the driver of a T4 reports."""


def data(app, name: str) -> str:
    """The one value of a `data-…` attribute on the page."""
    [value] = [element.get(f"data-{name}") for element in figures(app).iter() if element.get(f"data-{name}")]
    return value


def line(app, label: str) -> str:
    """The figure of the line with this label."""
    [found] = [
        words(of_class(row, "figure")[0])
        for row in figures(app).iter("summary")
        if of_class(row, "what") and words(of_class(row, "what")[0]) == label
    ]
    return found


def chosen_format(app, name: str):
    """The row of a format in the list."""
    [row] = [row for row in figures(app).iter("details") if row.get("data-format") == name]
    return row


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("model", ["llama-2-7b", "deepseek-v3", "pythia-70m", "gpt-oss-20b", "gemma-3-27b"])
def test_every_page_shows_every_kind_of_model(name, model, language):
    app = page(name, lang=language, model=model)
    assert not messages(app)
    written = words(figures(app))
    assert is_chinese(written) == (language == "zh") and "nan" not in written.lower().split()


# Formats


@pytest.mark.parametrize(("chosen", "published"), [("Q4_K_M", 4_081_004_224), ("Q6_K", 5_529_194_176), ("Q8_0", 7_161_089_728)])
def test_a_gguf_file_is_the_published_one_but_for_741056_bytes_of_metadata(chosen, published):
    app = page("formats", lang="en", format=chosen)
    assert published - total(app) == 741_056
    row = chosen_format(app, chosen)
    assert int(of_class(row, "figure")[0].get("data-amount")) == published - 741_056


def test_what_the_rule_of_thumb_leaves_out_is_named():
    row = chosen_format(page("formats", lang="en", format="Q4_K_M"), "Q4_K_M")
    assert "6,738,415,616 × 4 ÷ 8 = 3.37 GB · 3.14 GiB" in words(row)
    assert "21.10% more" in words(row)  # 4,080,263,168 against 3,369,207,808


@pytest.mark.parametrize(
    ("chosen", "derived"),
    [
        (
            "Q4_K_M",
            "(256 × 4 bit weight + 8 × 6 bit block scale + 8 × 6 bit block minimum + 16 bit scale + 16 bit minimum) ÷ 256 = 1,152 bit ÷ 256 = 4.5 bit",
        ),
        ("gptq-g128", "(128 × 4 bit weight + 16 bit scale + 4 bit zero point) ÷ 128 = 532 bit ÷ 128 = 4.15625 bit"),
        ("nf4-dq", "= 67,616 bit ÷ 16,384 = 4.126953125 bit"),
    ],
)
def test_bits_a_weight_are_derived_from_the_block(chosen, derived):
    [block] = of_class(figures(page("formats", lang="en", format=chosen)), "block")
    assert derived in words(block)


def test_a_float_shows_its_sign_exponent_and_mantissa():
    [block] = of_class(figures(page("formats", lang="en", format="bf16")), "block")
    assert [len(of_class(block, f"bit {part}".split()[1])) - 1 for part in ("exponent", "mantissa")] == [8, 7]
    assert "3.39e+38 at most" in words(block) and "1 + 1 ÷ 128" in words(block)


def test_which_tensors_stay_in_16_bits_and_why():
    app = page("formats", lang="en", model="llama-3-8b", format="awq-g128")
    assert line(app, "embedding") == line(app, "lm_head")  # 128,256 · 4,096 each, in 16 bits
    assert line(app, "embedding").startswith("1.05 GB")
    assert "rows are looked up, not multiplied" in words(figures(app)).lower()


@pytest.mark.parametrize(
    ("chosen", "way", "gpu"),
    [("bf16", "not in hardware", "T4"), ("fp8", "as it is", "H100 SXM"), ("Q4_K_M", "unpacked first", "T4")],
)
def test_which_gpus_compute_in_it(chosen, way, gpu):
    [ways] = of_class(figures(page("formats", lang="en", format=chosen)), "ways")
    [said] = [item for item in ways.iter("li") if words(item).startswith(way)]
    assert gpu in words(said.find("p")).split(", ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_format_is_listed_once_and_named_in_the_language(language):
    listed = [name for family in FAMILIES[:3] for name in formats_of(family)]
    assert len(listed) == len(set(listed)) > 55
    titles = [title_in(language, name) for name in listed]
    assert len(set(titles)) == len(titles)
    assert language == "zh" or not any(map(is_chinese, titles))
    app = page("formats", lang=language, family="gguf_blocks")
    assert len([row for row in figures(app).iter("details") if row.get("data-format")]) == len(formats_of("gguf_blocks"))


def needs_words(title):
    """Whether a title has English words, as `8 bit` or `one scale a row` do and `MXFP4` and `LLM.int8()` do not."""
    return re.search(r"(?<![.\w])[a-z]{2,}\b", title) is not None


def test_every_format_whose_title_needs_words_has_them_in_chinese():
    known = {name: number.title for name, number in formats().items() if number.family != "gguf"}
    named = {key.removeprefix("memory.format.") for key in TEXTS if key.startswith("memory.format.")}
    missing = sorted(name for name, title in known.items() if needs_words(title) and name not in named)
    assert not missing, (
        f"ui/texts/memory_formats.py, _FORMATS: add the titles of {missing}; until then the English ones are shown"
    )
    assert named <= set(known), f"ui/texts/memory_formats.py, _FORMATS: {sorted(named - set(known))} are no formats; delete them"


def test_a_format_without_a_chinese_title_has_its_english_one(monkeypatch):
    monkeypatch.delitem(TEXTS, "memory.format.nf4-dq")
    assert title_in("zh", "nf4-dq") == "NF4, double quantization"
    assert total(page("formats", lang="zh", format="nf4-dq")) > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_type_that_llama_cpp_is_not_known_to_convert_is_said(language):
    app = page("formats", lang=language, model="config", config=packed(Model({"model_type": "xglm"})), format="Q4_K_M")
    [said] = messages(app)
    assert "xglm" in said and is_chinese(said) == (language == "zh")


def test_tensor_by_tensor_sums_to_the_file():
    app = page("formats", lang="en", model="tinyllama-1.1b", format="Q4_K_M")
    assert int(data(app, "total")) == sum(
        int(words(row.findall("td")[4]).replace(",", "")) for row in tensor_table(app).iter("tr") if row.find("td") is not None
    )


def tensor_table(app):
    """The table under the panel that opens."""
    from calc.weights.weights import weights
    from ui.html import table
    from ui.memory.format_card import tensor_rows

    return elements(table([""] * 6, tensor_rows("en", weights(Model.of("tinyllama-1.1b"), kept(app, "format") or "Q4_K_M"))))


# KV cache

KV = {
    "llama-2-7b": 524_288,
    "llama-2-13b": 819_200,
    "llama-3-8b": 131_072,
    "tinyllama-1.1b": 22_528,
    "mixtral-8x7b": PUBLISHED["mistralai/Mixtral-8x7B-v0.1"]["kv_bytes_per_token_bf16_all_layers_full"],
}


@pytest.mark.parametrize("model", KV)
def test_bytes_a_token(model):
    app = page("kv_cache", lang="en", model=model, context="1000", batch="3")
    assert int(data(app, "per-token")) == KV[model]
    assert int(data(app, "total")) == 3000 * KV[model]
    assert int(data(app, "reserved")) == 3 * 1008 * KV[model]


def test_the_formula_is_on_the_screen():
    [formula] = of_class(figures(page("kv_cache", lang="en", model="llama-3-8b")), "formula")
    assert words(formula) == "a token: L·2·n_kv·head_dim·b ÷ 8 = 32·2·8·128·16 ÷ 8 = 131,072 B"


def test_windows_save_what_full_pages_do_not():
    app = page("kv_cache", lang="en", model="gemma-3-27b", context="131072")
    assert (int(data(app, "total")), int(data(app, "reserved"))) == (11_173_625_856, 66_571_993_088)
    assert line(app, "sliding window of 1,024 · 52 layers").startswith("436.21 MB")


def test_fewer_bits():
    totals = {bits: int(data(page("kv_cache", lang="en", cache_dtype=bits), "total")) for bits in ("fp16", "fp8", "int4", "q8_0")}
    assert totals["fp16"] == 2 * totals["fp8"] == 4 * totals["int4"] == totals["q8_0"] * 32 // 17 == 2**31


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_has_no_cache_and_an_unknown_type_one_clear_line(language):
    mamba = page("kv_cache", lang=language, model="config", config=packed(Model({"model_type": "mamba"})))
    assert int(data(mamba, "state")) == 3_538_944 and words(of_class(figures(mamba), "total")[0]) == "0 B"
    for name in ("kv_cache", "fit", "decode"):
        app = page(name, lang=language, model="config", config=packed(Model({"model_type": "reformer"})))
        assert len(app.info) == 1 and "reformer" in app.info[0].value and is_chinese(app.info[0].value) == (language == "zh")
        assert not figures(app).findall(".//section")
    assert not page("training_memory", lang=language, model="config", config=packed(Model({"model_type": "reformer"}))).info


def test_the_csv_of_the_cache_is_in_bytes():

    rows = {row[0]: row for row in cache_csv_rows(Model.of("llama-2-7b").mixing, 3000, 2)}
    assert rows[3000] == (3000, 2, 2 * 3000 * 262_144, 2 * 3000 * 524_288, 3000 * 524_288, 3000 * 262_144, 2 * 3008 * 524_288, 0)


# Does it fit


def test_the_story_of_a_7b_on_a_t4():
    app = page("fit", lang="en")
    assert data(app, "verdict") == "does_not_fit"
    [story] = of_class(figures(app), "story")
    assert "13.48 GB · 12.55 GiB; one T4 has 16.11 GB · 15.00 GiB" in words(story)
    assert "That leaves 2.63 GB." in words(story) and f"{(T4_BYTES - 2 * LLAMA_2_7B) / 1e9:.2f}" == "2.63"
    assert "no bf16" in words(story) and "GGUF Q4_K_M" in words(story)
    least, most = map(int, data(app, "left").split(","))
    assert most - least == 10**9
    assert line(app, "KV cache").startswith("2.15 GB")
    assert data(page("fit", lang="en", format="Q4_K_M"), "verdict") == "fits"


def test_the_longest_context_fits_and_one_more_does_not():
    shown = line(page("fit", lang="en"), "longest context")
    sure, possible = (int(part.replace(",", "")) for part in shown.split(" – "))
    at = {
        context: data(page("fit", lang="en", context=str(context)), "verdict")
        for context in (sure, sure + 1, possible, possible + 1)
    }
    assert list(at.values()) == ["fits", "tight", "tight", "does_not_fit"]


def test_the_largest_batch_fits_and_one_more_does_not():
    shown = line(page("fit", lang="en", format="Q4_K_M", context="1024"), "largest batch")
    sure, possible = (int(part.replace(",", "")) for part in shown.split(" – "))
    at = [
        data(page("fit", lang="en", format="Q4_K_M", context="1024", batch=str(batch)), "verdict")
        for batch in (sure, sure + 1, possible, possible + 1)
    ]
    assert at == ["fits", "tight", "tight", "does_not_fit"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_gpu_is_a_bar_with_what_fills_it_in_words(language):
    app = page("fit", lang=language, gpu="own", own_memory="20")
    rows = of_class(figures(app), "gpu-bars")[-1].findall("li")
    assert [words(of_class(row, "label")[0]) for row in rows[:-1]] == list(gpus())
    for row in rows:
        label = of_class(row, "memory")[0].get("aria-label")
        assert "13.48 GB" in label and is_chinese(label) == (language == "zh")


def test_two_gpus_hold_half_each():
    app = page("fit", lang="en", tensor_parallel="2")
    norms, half = 2 * 266_240, LLAMA_2_7B  # each GPU holds the norms whole, in 16 bits
    assert f"{(half + norms // 2) / 1e9:.2f} GB" in line(app, "weights")
    assert line(app, "KV cache").startswith("1.07 GB")


def test_the_fewest_gpus_that_hold_it_hold_it_and_half_of_them_do_not():
    app = page("fit", lang="en", model="deepseek-v3", format="fp8-block", gpu="H100 SXM")
    [fewest] = re.findall(r"With tensor parallelism (\d+) × H100 SXM hold it", words(of_class(figures(app), "story")[0]))
    shared = {"lang": "en", "model": "deepseek-v3", "format": "fp8-block", "gpu": "H100 SXM"}
    at = [data(page("fit", tensor_parallel=str(number), **shared), "verdict") for number in (int(fewest) // 2, int(fewest))]
    assert at == ["does_not_fit", "fits"]


def test_a_bar_ends_where_memory_ends_and_says_how_much_lacks():
    row = GpuBar("A", (Stretch("weights", 30), Stretch("overhead", 10, maybe=True)), 20, "does_not_fit", "20 B short")
    drawn = elements(bars("en", [row]))
    widths = [float(re.search(r"width:([\d.]+)%", piece.get("style"))[1]) for piece in of_class(drawn, "fill")]
    assert widths == [75, 25] and "left:50.0000%" in drawn.find(".//b").get("style")


def test_the_picture_to_save_is_whole():
    rows = [GpuBar("A & B", (Stretch("weights", 30), Stretch("free", 10)), 40, "fits", "10 B left", chosen=True)]
    drawing = ElementTree.fromstring(bars_svg("zh", "标题 <x>", rows, ("weights", "free")))
    space = "{http://www.w3.org/2000/svg}"
    written = [element.text for element in drawing.iter(f"{space}text")]
    assert written == ["标题 <x>", "权重", "剩余", "A & B", "10 B left"]
    weights, free = [float(rect.get("width")) for rect in list(drawing.iter(f"{space}rect"))[-2:]]
    assert weights == pytest.approx(3 * free)


# Decode


def test_tinyllama_on_a_t4():
    app = page("decode", lang="en", model="tinyllama-1.1b", context="1")
    assert "6.88 ms · 145 token/s" in words(figures(app))
    [row] = [row for row in figures(app).iter("details") if row.get("data-gpu") == "T4"]
    assert float(of_class(row, "figure")[0].get("data-amount")) == pytest.approx((2 * TINYLLAMA + 22_528) / 320e9)


def test_gpus_are_sorted_and_a_batch_of_experts_reads_more():
    rows = [row for row in figures(page("decode", lang="en", model="deepseek-v3")).iter("details") if row.get("data-gpu")]
    seconds = [float(of_class(row, "figure")[0].get("data-amount")) for row in rows]
    assert seconds == sorted(seconds) and len(rows) == len(gpus())
    read = {batch: line(page("decode", lang="en", model="deepseek-v3", batch=batch), "weights") for batch in ("1", "64")}
    assert read["1"].startswith("75.10 GB") and "TB" in read["64"]


# Training


def test_sixteen_bytes_a_parameter():
    app = page("training_memory", lang="en")
    assert int(data(app, "states")) == 16 * LLAMA_2_7B
    assert int(data(page("training_memory", lang="en", stage="3", gpus="8"), "states")) == 2 * LLAMA_2_7B


@pytest.mark.parametrize(("stage", "states"), [("0", 16), ("1", 4 + 12 / 64), ("2", 2 + 14 / 64), ("3", 16 / 64)])
def test_stages_of_zero_on_64_gpus(stage, states):
    shown = int(data(page("training_memory", lang="en", gpus="64", stage=stage), "states"))
    assert shown == pytest.approx(states * LLAMA_2_7B, abs=4)


def test_adapters_of_rank_16_are_counted_matrix_by_matrix():
    app = page("training_memory", lang="en", method="lora", rank="16")
    square, wide = 32 * 16 * (4096 + 4096), 32 * 16 * (4096 + 11008)
    assert f"{4 * square + 3 * wide:,}" in words(figures(app)) and 4 * square + 3 * wide == 39_976_960
    assert int(data(app, "states")) == 2 * LLAMA_2_7B + 16 * 39_976_960


# Units


def test_the_reference_table():
    rows = [
        [words(cell) for cell in row.findall("td")]
        for row in of_class(figures(page("units", lang="en")), "plain-table")[1].iter("tr")
    ]
    found = {(row[0], row[1]): row[3:] for row in rows if row}
    gb = {
        model: [found[model, width][0] for width in ("fp32", "fp16 / bf16", "int8", "int4")]
        for model in ("Llama-2-7B", "TinyLlama-1.1B")
    }
    assert gb == {
        "Llama-2-7B": ["26.95 GB", "13.48 GB", "6.74 GB", "3.37 GB"],
        "TinyLlama-1.1B": ["4.40 GB", "2.20 GB", "1.10 GB", "0.55 GB"],
    }
    assert found["Llama-2-7B", "fp16 / bf16"] == ["13.48 GB", "12.55 GiB", "12,852 MiB"]


@pytest.mark.parametrize(
    ("amount", "unit", "size"), [("13.48", "GB", 13_480_000_000), ("15360", "MiB", T4_BYTES), ("0.5", "GiB", 2**29)]
)
def test_the_converter(amount, unit, size):
    assert int(data(page("units", lang="en", amount=amount, unit=unit), "bytes")) == size


# What a reader types

FAULTS = [
    ("kv_cache", "context", "0"),
    ("kv_cache", "context", "4097"),
    ("kv_cache", "batch", "0"),
    ("fit", "context", "x"),
    ("fit", "batch", "1.5"),
    ("fit", "own_memory", "0"),
    ("fit", "tensor_parallel", "3"),
    ("fit", "tensor_parallel", "0"),
    ("decode", "own_bandwidth", "-1"),
    ("training_memory", "gpus", "0"),
    ("training_memory", "rank", "0"),
    ("units", "amount", "-2"),
    ("units", "amount", "GB"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "field", "typed"), FAULTS)
def test_a_fault_stands_beside_its_field_and_what_is_typed_stays(name, field, typed, language):
    app = page(name, lang=language, gpu="own", method="lora", **{field: typed})
    shown = app.text_input(key=field)
    [said] = messages(app)
    label = shown.label.replace("（", " ").split(" ")[0]
    assert shown.value == typed and typed in said.replace(",", "") and label in said
    assert is_chinese(said) == (language == "zh")
    assert figures(app).findall(".//*[@class]"), "figures of the default are shown meanwhile"
    good = {"tensor_parallel": "2"}.get(field, "1")
    app.text_input(key=field).input(good).run()
    assert not messages(app) and kept(app, field) == good


@pytest.mark.parametrize("name", ["formats", "fit"])
def test_an_unknown_format_or_gpu_in_the_address_is_the_first(name):
    app = page(name, lang="en", format="<b>", gpu="nonsense", imatrix="?", family="?", cache_dtype="?")
    assert not messages(app) and app.selectbox(key="format").value in ("Q4_K_M", "fp16")


def test_a_what_if_is_counted_too():
    app = page("kv_cache", lang="en", model="llama-2-7b", num_key_value_heads="8")
    assert int(data(app, "per-token")) == 131_072
    fewer = 2 * 32 * 4096 * (4096 - 1024)  # keys and values of 8 heads for 32
    assert total(page("formats", lang="en", model="llama-2-7b", num_key_value_heads="8", format="int8")) == LLAMA_2_7B - fewer


def test_csv_of_the_formats_reads_back():
    from ui.memory.formats_list import format_sizes, formats_csv

    sizes = format_sizes("en", "gguf_files", Model.of("llama-2-7b"), LLAMA_2_7B, False)
    rows = list(csv.reader(io.StringIO(formats_csv(["name", *"bdefg"], "en", sizes, LLAMA_2_7B))))
    [row] = [row for row in rows if row[0] == "GGUF Q4_K_M"]
    assert (row[3], row[5]) == ("4080263168", "3369207808") and float(row[4]) == pytest.approx(4.844, abs=1e-3)
