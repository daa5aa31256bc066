"""Families are imported when they are asked for: the record of where each stands is right, and does not have to be."""

import json
import subprocess
import sys

import pytest

from calc.data.make_family_modules import OUTPUT, modules
from calc.families import registry


def loaded_after(code):
    """The modules of calc that a fresh process has imported after `code`."""
    ask = f"{code}\nimport sys, json\nprint(json.dumps([name for name in sys.modules if name.startswith('calc.')]))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def families_in(loaded):
    """Of these modules, those that declare types."""
    return {name.removeprefix("calc.families.") for name in loaded if name.startswith("calc.families.")} & set(modules().values())


def test_the_record_is_what_the_modules_declare():
    assert json.loads(OUTPUT.read_text(encoding="utf-8")) == modules(), "run python -m calc.data.make_family_modules"


@pytest.mark.parametrize("model_type, more", [("gpt2", set()), ("qwen2", set()), ("deepseek_v3", {"experts", "llama"})])
def test_counting_a_model_imports_its_family_alone(model_type, more):
    count = f"from calc.model import Model\nModel({{'model_type': {model_type!r}}})"
    assert families_in(loaded_after(count)) <= {modules()[model_type], "wrappers", *more}


def test_a_type_that_is_not_in_the_record_is_found_all_the_same(monkeypatch):
    monkeypatch.setattr(registry, "family_modules", dict)
    fresh = registry.Families()
    assert "no_such_type" not in fresh
    ask = (
        "from calc.families import registry\nregistry.family_modules = dict\n"
        "assert 'gpt2' in registry.FAMILIES and registry.FAMILIES['gpt2'].declare and 'no_such_type' not in registry.FAMILIES"
    )
    assert families_in(loaded_after(ask)) == set(modules().values())


def test_counting_from_the_command_line_leaves_alone_what_reads_files_and_asks_the_hub(tmp_path):
    config = tmp_path / "config.json"
    config.write_text('{"model_type": "gpt2"}', encoding="utf-8")
    for model in ("gpt2", str(config), str(tmp_path)):
        loaded = loaded_after(f"from calc.__main__ import main\nmain(['count', {model!r}])")
        assert not {name for name in loaded if name.startswith("calc.checkpoint")}, model
