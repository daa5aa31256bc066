"""The documentation of calc is complete and true."""

import ast
import doctest
import importlib
import re
from pathlib import Path

import pytest

import calc
from calc.errors import MESSAGES

SOURCES = sorted(Path(calc.__file__).parent.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def module_name(path):
    parts = path.relative_to(Path(calc.__file__).parents[1]).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def public_definitions(body, prefix):
    """Every public function, class and method, as (dotted name, node)."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            name = f"{prefix}.{node.name}"
            yield name, node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node.body, name)


DEFINITIONS = dict(
    definition
    for path, tree in TREES.items()
    for definition in [(module_name(path), tree), *public_definitions(tree.body, module_name(path))]
)
PROMISES = {
    name: re.findall(r"Raises ConfigError: ([^.]*)\.", ast.get_docstring(node) or "") for name, node in DEFINITIONS.items()
}
RAISED = {
    argument.value
    for tree in TREES.values()
    for node in ast.walk(tree)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ConfigError"
    for argument in node.args[:1]
    if isinstance(argument, ast.Constant)
}


def test_the_search_sees_the_package():
    assert {"calc.model.Model", "calc.tensors.Tensor.formula", "calc.data.make_config_defaults"} <= set(DEFINITIONS)
    assert sum(map(bool, PROMISES.values())) >= 5 and len(RAISED) >= 15


@pytest.mark.parametrize("name", DEFINITIONS)
def test_everything_public_has_a_docstring(name):
    assert (ast.get_docstring(DEFINITIONS[name]) or "").strip()


@pytest.mark.parametrize("name", [name for name in PROMISES if PROMISES[name]])
def test_a_docstring_promises_only_codes_that_exist(name):
    pieces = [piece.split() for promise in PROMISES[name] for piece in re.split(r",", promise) if piece.strip()]
    referring = {"all", "and", "as", "for"}  # `all that read_hub raises`, `for an empty list`
    assert {first for first, *_ in pieces if first not in referring and "`" not in first} <= set(MESSAGES)
    assert any(first in MESSAGES or "raise" in (rest or [""])[-1] for first, *rest in pieces)


def test_every_message_is_raised_somewhere_and_every_code_raised_has_one():
    assert set(MESSAGES) == RAISED


@pytest.mark.parametrize("code", MESSAGES)
def test_a_message_is_one_sentence_on_one_line(code):
    assert len(MESSAGES[code].splitlines()) == 1
    assert MESSAGES[code].rstrip().endswith((".", "?"))


@pytest.mark.parametrize("name", [module_name(path) for path in SOURCES if ">>>" in path.read_text(encoding="utf-8")])
def test_the_examples_are_true(name):
    if name == "calc.data.make_config_defaults":
        pytest.importorskip("transformers", reason="transformers is in requirements-dev.txt")
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0, "see the report above"


def test_the_package_exports_what_it_lists():
    assert all(hasattr(calc, name) for name in calc.__all__)
    assert list(calc.__all__) == sorted(calc.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_notebook_lines_of_the_readme_are_true(readme):
    pytest.importorskip("pandas", reason="pandas comes with streamlit")
    text = (Path(calc.__file__).parents[1] / readme).read_text(encoding="utf-8")
    [lines] = re.findall(r"<!-- notebook -->\n```python\n(.*?)```", text, flags=re.DOTALL)
    example = doctest.DocTestParser().get_doctest(lines, {}, readme, readme, 0)
    assert len(example.examples) > 5 and doctest.DocTestRunner().run(example).failed == 0
