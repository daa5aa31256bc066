"""The page on how the counting is done: its table against the published totals."""

from __future__ import annotations

import pytest

from calc.catalogue import catalogue

from .arithmetic import wrong_equations
from .screen import LANGUAGES, PUBLISHED, figures, is_chinese, opened, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_model_stands_there_with_its_published_totals(language):
    app = opened(lang=language)
    app.switch_page("pages/method.py").run()
    assert not app.exception
    rows = [[words(cell) for cell in row] for row in figures(app).iter("tr")]
    for model in catalogue().values():
        [row] = [row for row in rows if row[0] == model.title]
        published = PUBLISHED[model.hub_id]
        assert row[1] == f"{published['params_exact']:,}"
        assert row[3] == (f"{published['hub_total']:,}" if published["hub_total"] else "")
        extra = (published["hub_total"] or 0) - published["params_exact"]
        assert extra <= 0 or f"{extra:,}" in row[-1], "the extra of the Hub's total is explained"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_equation_in_its_text_is_wrong(language):
    app = opened(lang=language)
    app.switch_page("pages/method.py").run()
    said = [piece.value for piece in app.markdown]
    assert all(is_chinese(text) == (language == "zh") for text in said)
    assert [wrong for text in said for wrong in wrong_equations(text)] == []
