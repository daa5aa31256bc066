"""Chinese beside English, and nine more languages: how many tokens the same meaning takes, and what they cost."""

import streamlit as st

from calc.errors import ConfigError
from calc.tokens.parallel_texts import TOPICS, ParallelText, texts_of
from calc.tokens.vocabularies import tokenizer_of_model
from ui.frame.charts import show_chart
from ui.frame.errors import plain, show_error
from ui.frame.fields import ask_some
from ui.frame.language import current, text
from ui.frame.page import start_page
from ui.model.picker import pick_model
from ui.tokens.choice import Chosen, can_cut, choose_tokenizers, chosen_of, show_licences
from ui.tokens.language_cost import cost_table, language_costs
from ui.tokens.languages import chart_height, counts_by_tokenizer, pair_table, ratio_chart, ratio_rows, sentences
from ui.tokens.text_field import text_field

FIRST = ("llama-2", "llama-3", "qwen3", "o200k")
FIRST_PAIR = ("I ate an apple", "我吃了一个苹果")


def main() -> None:
    """The page from top to bottom."""
    st.markdown(text("languages.intro"))
    if not can_cut():
        return
    chosen = choose_tokenizers(FIRST)
    texts = texts_of(choose_topics())
    if chosen:
        try:
            show_ratios(texts, chosen)
            st.html(sentences(current(), texts, chosen))
            st.subheader(text("languages.own_pair"))
            show_own_pair(chosen)
        except ConfigError as error:  # a tokenizer of the reader's own that gave up
            show_error(error)
    st.subheader(text("languages.cost"))
    show_cost(texts, chosen)
    show_licences(chosen)


def choose_topics() -> list[str]:
    """The topics that count; none chosen means all."""
    label = text("languages.topics")
    return ask_some("topics", TOPICS, lambda topic: text(f"languages.topic.{topic}"), label, label_visibility="visible")


def show_ratios(texts: tuple[ParallelText, ...], chosen: list[Chosen]) -> None:
    """The chart."""
    counts = counts_by_tokenizer(texts, chosen)
    titles = text("frame.comma").join(each.title for each in chosen)
    rows = ratio_rows(current(), counts, chosen)
    show_chart(ratio_chart, rows, alt=text("languages.chart_alt", titles=titles), height=chart_height(chosen), key="ratio_chart")


def show_own_pair(chosen: list[Chosen]) -> None:
    """Two texts of the reader's own."""
    left, right = st.columns(2, gap="medium")
    with left:
        first = text_field("first", text("languages.first"), FIRST_PAIR[0], lines=2)
    with right:
        second = text_field("second", text("languages.second"), FIRST_PAIR[1], lines=2)
    st.html(pair_table(current(), (first, second), chosen))


def show_cost(texts: tuple[ParallelText, ...], chosen: list[Chosen]) -> None:
    """What the same texts take of a model's memory and arithmetic, by language."""
    choice = pick_model()
    if choice is None:
        return
    natural = tokenizer_of_model(choice.name)
    if natural:
        by, said = chosen_of(natural.name), text("languages.cost_by", model=choice.full_title, tokenizer=natural.title)
    elif chosen:
        by, said = chosen[0], text("languages.cost_instead", model=choice.full_title, tokenizer=chosen[0].title)
    else:
        return
    st.caption(plain(said))
    try:
        costs = language_costs(choice.model, counts_by_tokenizer(texts, [by])[by.name])
    except ConfigError as error:
        show_error(error)
        return
    st.html(cost_table(current(), costs))


start_page()
main()
