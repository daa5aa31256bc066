"""The pages on compute without a browser: their figures against published ones, what is typed, and what cannot be."""

from __future__ import annotations

import csv
import io

import pytest
from catalogue_sample import SAMPLE

from calc.compute.training import published_runs
from calc.gpus import gpus
from calc.model import Model
from ui.compute.charts import share_rows
from ui.compute.conventions import RULES, convention_lines, conventions, exact_per_token, gap_figure
from ui.compute.matrices import flops_bar, matrices, matrix_lines, pieces
from ui.compute.runs import run_steps, runs_csv, runs_table, utilisation_written
from ui.figures.worked import csv_headings, worked_csv
from ui.texts import TEXTS

from .screen import LANGUAGES, elements, figures, is_chinese, messages, of_class, words
from .token_pages import kept, page

PAGES = ("flops", "inference", "training")
REFUSED = '{"model_type": "cpmant"}'


def lines(app) -> dict[str, str]:
    """Label → figure as it is shown, of every line that opens; of equal labels the last."""
    found = {}
    for line in figures(app).iter("details"):
        label = [words(what) for what in of_class(line, "what")]
        if label:
            figure = of_class(line, "figure")[0]
            found[label[0]] = "".join([figure.text or "", *("" if part.tag == "small" else words(part) for part in figure)])
    return found


def headline(app) -> str:
    return words(of_class(figures(app), "headline")[0])


def captions(app) -> str:
    return " ".join(box.value.replace("\\", "") for box in app.caption)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("model", ["llama-2-7b", "gpt2", "deepseek-v3", "gemma-3-27b", "bloom"])
def test_every_page_runs_for_every_kind_of_model(name, model, language):
    app = page(name, lang=language, model=model)
    assert not app.error and app.query_params["model"] == model
    assert is_chinese(words(figures(app))) == (language == "zh")
    assert len(lines(app)) > 8


@pytest.mark.parametrize("name", SAMPLE)
def test_the_figures_of_a_token_are_well_formed_and_add_up(name):
    of = Model.of(name)
    context = min(4096, of.max_context or 4096)
    total = exact_per_token(of, context)
    assert sum(pieces(of, context).values()) == total
    listed = matrix_lines("en", of, context)
    assert sum(line.amount for line in listed) == total
    for language in LANGUAGES:
        html = conventions(language, of, context) + flops_bar(language, of, context) + matrices(language, of, context)
        assert len(of_class(elements(html + gap_figure(language, of, context)), "conventions")) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_llama_2_7b_costs_what_the_errata_say(language):
    app = page("flops", lang=language)
    [total] = [element for element in figures(app).iter() if element.get("data-total")]
    assert words(total) == "13,214,154,752"
    assert "2,147,483,648" in headline(app) and "1.140" in headline(app)
    shown = words(figures(app))
    for figure in (
        "6,738,415,616 FLOP",
        "13,476,831,232 FLOP",
        "40,430,493,696 FLOP",
        "1,074,003,968 FLOP",
        "39,642,464,256 FLOP",
    ):
        assert figure in shown
    assert "25,205" in captions(app)


def test_128_tokens_take_what_is_published_without_softmax_and_silu():
    """1,700.06 GFLOPs are published: one FLOP more for each number of softmax (32 · 32 · 128²) and SiLU (32 · 128 · 11008)."""
    app = page("flops", lang="en", context="128")
    shown = lines(app)["all pairs multiplied, then masked"]
    assert shown == "1,700,001,742,848 FLOP"
    assert round((1_700_001_742_848 + 32 * 32 * 128**2 + 32 * 128 * 11008) / 1e9, 2) == 1700.06


def test_each_convention_is_its_multiple_of_the_same_forward_pass():
    one, two, six = (
        [line.amount for line in convention_lines("en", Model.of("llama-2-7b"), 4096, rule) if line.unit == "FLOP"]
        for rule in RULES
    )
    assert [2 * amount for amount in one] == two and [3 * amount for amount in two] == six
    assert two == [13_476_831_232, 13_214_154_752, 524_288 * 4096, 524_288 * 4097 // 2]


def test_a_mixture_of_experts_has_the_rule_for_its_active_parameters_and_warns_of_the_other():
    app = page("flops", lang="en", model="deepseek-v3")
    shown = words(figures(app))
    assert "75,104,565,248 FLOP" in shown and "1,342,052,808,704 FLOP" in shown and "with all parameters: wrong" in shown
    assert "69,591,891,968 FLOP" in shown, "MLA absorbed"


def test_names_of_matrices_are_told_apart():
    listed = [line.label for line in matrix_lines("en", Model.of("deepseek-v3"), 4096)]
    assert {"shared_experts.gate_proj", "mlp.gate_proj"} <= set(listed) and len(set(listed)) == len(listed)


@pytest.mark.parametrize("kind", ["deepseek_v4", "gemma3n_text", "zamba2", "mamba2", "qwen3_next", "hrm_text", "whisper"])
def test_the_list_of_an_unusual_type_adds_up_too(kind):
    of = Model({"model_type": kind})
    assert sum(line.amount for line in matrix_lines("en", of, 400)) == exact_per_token(of, 400)


def test_a_windows_attention_stops_growing_and_never_outweighs():
    rows = share_rows("en", Model.of("mistral-7b-v0.1"))
    assert not [row for row in rows if row["kind"] == "mark"]
    shares = [row["share"] for row in rows if row.get("piece") == "attention, scores and weighing"]
    assert len(set(shares[-4:])) == 1 and shares[0] < shares[-1]


def test_shares_are_whole_at_each_context():
    rows = [row for row in share_rows("en", Model.of("llama-2-7b")) if row["kind"] == "share"]
    sums: dict[int, float] = {}
    for row in rows:
        sums[row["context"]] = sums.get(row["context"], 0) + row["share"]
    assert min(sums) == 128 and max(sums) == 2**20 and all(total == pytest.approx(1) for total in sums.values())


@pytest.mark.parametrize(("tokens", "flops", "prefixed"), [("1T", "4.04e22", "40.4 ZFLOP"), ("2e12", "8.09e22", "80.9 ZFLOP")])
def test_six_n_d(tokens, flops, prefixed):
    app = page("training", lang="en", tokens=tokens)
    assert flops in headline(app) and prefixed in headline(app)
    assert lines(app)["rule of thumb 6ND"] == f"{prefixed} · {flops}"


def test_the_days_on_one_a100_follow_from_its_peak():
    """8.086e22 ÷ (312e12 · 0.4) ÷ 86,400 s."""
    app = page("training", lang="en", tokens="2T", utilisation="40%")
    assert lines(app)["on one A100"] == "7,499 days" and "20.5 years" in headline(app)


def test_llama_2_7bs_own_run_comes_out_with_its_hours():
    """39.06 % of an A100's peak and 6ND: the 184,320 hours of the model card."""
    app = page("training", lang="en", tokens="2T", utilisation="39.0594%", gpus="1", price="1")
    assert lines(app)["GPU-hours, by 6ND"] == "184,313 GPU·h" and lines(app)["cost, by 6ND"] == "184,313"


def test_recomputation_is_counted_where_it_is_chosen():
    app = page("training", lang="en", recomputation="full")
    assert "1.14e23" in lines(app)["what the GPUs do"], "calc's own doctest figure, 1.1378e23"
    assert "what the GPUs do" not in lines(page("training", lang="en", recomputation="none"))


def test_the_slider_and_the_field_are_one_number():
    app = page("training", lang="en")
    app.select_slider(key="tokens_slider").set_value("1T").run()
    assert app.text_input(key="tokens").value == "1T" and kept(app, "tokens") == "1T" and "4.04e22" in headline(app)
    app.text_input(key="tokens").input("14.8e12").run()
    assert app.select_slider(key="tokens_slider").value == "15T" and kept(app, "tokens") == "14.8e12"


def test_published_runs_and_the_utilisation_they_imply():
    found = {name: utilisation_written("en", run) for name, run in published_runs().items()}
    assert (found["Llama-2-7B"], found["Llama-2-13B"], found["Llama-2-70B"]) == ("39.1%", "37.7%", "42.8%")
    for name in ("Llama-3-8B", "Llama-3-70B", "Llama-3.1-8B", "Llama-3.1-70B"):
        assert "%" not in found[name] and "floor" in found[name]
    assert "no hours" in found["GPT-3 175B"] and "–" in found["DeepSeek-V3"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_run_opens_into_its_calculation_its_remark_and_its_source(language):
    table = elements(runs_table(language, "llama-2-7b"))
    assert len(list(table.iter("details"))) == len(published_runs()) and len(of_class(table, "current")) == 1
    for run in published_runs().values():
        steps = run_steps(language, run)
        assert run.source in steps[-1]
        assert not run.note or is_chinese(TEXTS[f"run_note.{run.model}"]["zh"])
    for gpu in gpus().values():
        assert not gpu.caveat or is_chinese(TEXTS[f"gpu_caveat.{gpu.name}"]["zh"])


def test_the_laws_say_how_over_trained_a_model_is():
    """Llama-3-8B on 15T tokens: 93.4 times Chinchilla's, 91.2 times the corrected fit's."""
    app = page("training", lang="en", model="llama-3-8b")
    assert app.text_input(key="tokens").value == "15T"
    factors = [words(of_class(line, "figure")[0]) for line in figures(app).iter("details") if "over-trained" in words(line)]
    assert factors[:2] == ["93.4 ×", "91.2 ×"]
    assert {"arXiv:2203.15556", "arXiv:2404.10102"} <= {word.strip("();,:.") for word in captions(app).replace(",", " ").split()}


def test_a_token_on_a_t4_takes_what_idea_10_says():
    app = page("inference", lang="en", model="tinyllama-1.1b", gpu="T4")
    assert lines(app)["rule of thumb: weight bytes ÷ bandwidth"] == "6.88 ms"


def test_prefill_and_decode_of_llama_on_an_a100():
    app = page("inference", lang="en", prompt="1000", generated="100")
    found = lines(app)
    assert (
        found["rule of thumb: prefill 2N·P"] == "13,476,831,232,000 FLOP"
        and found["rule of thumb: generation 2N·G"] == "1,347,683,123,200 FLOP"
    )
    assert found["time to first token: the prefill"] == "≥ 42.4 ms"
    said = words(figures(app))
    assert "Prefill is compute-bound" in said and "Decode is memory-bound" in said
    larger = page("inference", lang="en", prompt="1000", generated="100", batch="256")
    assert float(lines(larger)["tokens a second, at most"].split()[0].replace(",", "")) > 1000 and "does not hold" in captions(
        larger
    )


def test_fewer_bits_are_read_sooner():
    found = [
        lines(page("inference", lang="en", weight_bits=bits))["rule of thumb: weight bytes ÷ bandwidth"]
        for bits in ("16", "8", "4")
    ]
    assert found == ["6.61 ms", "3.30 ms", "1.65 ms"]  # 13.4768 GB, 6.7384, 3.3692 ÷ 2.039 TB/s


BAD = {
    # page, field: what is typed, what the message names
    ("flops", "context"): [("0", ["0"]), ("-5", ["-5"]), ("many", ["many"]), ("4097", ["4097", "4096"]), ("1.5", ["1.5"])],
    ("inference", "prompt"): [("0", ["0"]), ("4096", ["4097", "4096"])],
    ("inference", "generated"): [("0", ["0"]), ("3097", ["4097", "4096"])],
    ("inference", "requests"): [("-1", ["-1"])],
    ("training", "tokens"): [("0", ["0"]), ("-2T", ["-2T"]), ("1e30", ["1e30"]), ("two", ["two"])],
    ("training", "context"): [("9999", ["9999", "4096"])],
    ("training", "utilisation"): [("140%", ["140%"]), ("40", ["40"]), ("0", ["0"])],
    ("training", "gpus"): [("0", ["0"])],
    ("training", "price"): [("-1", ["-1"])],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("where", "typed", "named"), [(where, *case) for where, cases in BAD.items() for case in cases])
def test_bad_input_is_answered_beside_its_field_and_stays_there(where, typed, named, language):
    name, field = where
    app = page(name, lang=language)
    before = headline(app)
    app.text_input(key=field).input(typed).run()
    [message] = messages(app)
    assert all(word in message for word in named) and is_chinese(message) == (language == "zh")
    assert app.text_input(key=field).label.split("（")[0] in message or field in ("prompt", "generated"), "the field is named"
    assert app.text_input(key=field).value == typed and kept(app, field) == typed
    assert headline(app) == before, "the figures are those of the default"
    again = page(name, lang=language, **{field: typed})
    assert messages(again) == [message] and again.text_input(key=field).value == typed
    app.text_input(key=field).input("").run()
    assert not messages(app) and kept(app, field) is None


@pytest.mark.parametrize("nonsense", ["x" * 5000, "%00", "nan", "inf", "1e999999", "<b>", "１２"])
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("flops", ["context"]),
        ("inference", ["prompt", "batch", "gpu", "weight_bits"]),
        ("training", ["tokens", "gpu", "law", "recomputation", "price"]),
    ],
)
def test_nonsense_in_the_address_breaks_nothing(name, fields, nonsense):
    app = page(name, lang="en", **dict.fromkeys(fields, nonsense))
    assert headline(app)


def test_a_gpu_without_a_published_peak_still_has_its_floor():
    app = page("inference", lang="en", gpu="Apple M2")
    assert "Apple M2" in messages(app)[0]
    assert lines(app)["rule of thumb: weight bytes ÷ bandwidth"] == "135 ms"  # 13.48 GB ÷ 100 GB/s
    assert "on one A100" in lines(page("training", lang="en", gpu="Apple M2"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_where_tokens_meet_in_an_unknown_way_the_rest_is_shown(name, language):
    app = page(name, lang=language, model="config")
    app.text_area(key="config_text").set_value(REFUSED).run()
    assert not app.exception and not app.error
    assert len(app.info) == 1 and "cpmant" in app.info[0].value
    assert len(lines(app)) >= 3


def test_what_if_changes_the_figures():
    app = page("flops", lang="en", num_hidden_layers="64")
    [total] = [element for element in figures(app).iter() if element.get("data-total")]
    assert int(total.get("data-total")) == 2 * 64 * 202_375_168 + 262_144_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_csv_holds_every_figure_with_its_derivation(language):
    of = Model.of("llama-2-7b")
    written = worked_csv(csv_headings(language), [("matrices", matrix_lines(language, of, 4096))])
    rows = list(csv.reader(io.StringIO(written, newline="")))[1:]
    assert sum(int(row[2]) for row in rows) == 13_214_154_752 + 524_288 * 4096
    assert all(row[3] == "FLOP" and row[4] for row in rows)
    runs = list(csv.DictReader(io.StringIO(runs_csv(language), newline="")))
    assert len(runs) == len(published_runs()) and is_chinese("".join(runs[0])) == (language == "zh")
