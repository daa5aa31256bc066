"""The arithmetic of the lessons, against numbers worked out apart and against plain floating-point loops."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.learn.attention_steps import EXAMPLE, attention_steps, made_up_vectors, made_up_weights, real_shapes, softmax, times
from calc.learn.ffn_width import ffn_width, gated, other_ffn
from calc.learn.formula import Symbol, exp, sqrt
from calc.learn.models import sizes
from calc.learn.vector_product import DoesNotFit, vector_product


class TestVectorProduct:
    def test_the_example_cell_by_cell(self):
        product = vector_product([1, 2, 3], [[0, 1], [2, 3], [4, 5]])
        assert [cell.worked for cell in product.cells] == ["1·0 + 2·2 + 3·4 = 16", "1·1 + 2·3 + 3·5 = 22"]
        assert (product.parameters, product.multiplications, product.additions, product.flops) == (6, 6, 4, 12)

    def test_negative_numbers_stand_in_brackets(self):
        assert vector_product([-1, 2], [[3], [-4]]).cells[0].worked == "(−1)·3 + 2·(−4) = −11"

    def test_a_vector_that_is_too_short_gives_numpys_own_words(self):
        with pytest.raises(DoesNotFit) as error:
            vector_product([1, 2], [[0, 1], [2, 3], [4, 5]])
        assert error.value.numpy_error == (
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
            "(size 3 is different from 2)"
        )

    def test_ragged_rows_are_refused(self):
        with pytest.raises(ValueError, match="equally long"):
            vector_product([1, 2], [[0, 1], [2]])


class TestFfnWidth:
    @pytest.mark.parametrize(
        ("model", "multiple", "multiplier"),
        [
            ("llama-2-7b", 256, "1"),
            ("llama-2-13b", 256, "1"),
            ("tinyllama-1.1b", 256, "1"),
            ("llama-2-70b", 4096, "1.3"),
            ("llama-3-8b", 1024, "1.3"),
        ],
    )
    def test_published_widths_follow_from_the_rule(self, model, multiple, multiplier):
        published = sizes(model)
        derived = ffn_width(published.hidden_size, multiple, Fraction(multiplier))
        assert derived.width == published.intermediate_size
        assert derived.width - multiple < derived.widened <= derived.width

    def test_the_lines_of_llama_2_7b(self):
        derived = ffn_width(4096, 256)
        assert (derived.two_of_4d, derived.whole, derived.multiples, derived.width) == (134217728, 10922, 43, 11008)
        assert round(float(derived.balanced), 2) == 10922.67 and round(float(derived.gain) * 100, 2) == 0.78
        assert derived.parameters == 135266304

    def test_what_if(self):
        wide, two = other_ffn(4096, 11008, 32, 16384), other_ffn(4096, 11008, 32, 11008, matrices=2)
        assert (wide.a_block, wide.more_a_block, wide.all_blocks, wide.more_in_all) == (
            201326592,
            66060288,
            6442450944,
            2113929216,
        )
        assert (two.a_block, two.more_a_block, two.all_blocks) == (90177536, -45088768, 2885681152)

    def test_the_gate(self):
        gate, up = (tuple(map(Fraction, text.split())) for text in ("-2 -1 0 1 2", "1 2 3 -1 0.5"))
        assert [round(float(number), 3) for number in gated(gate, up)] == [-0.238, -0.538, 0, -0.731, 0.881]


class TestAttention:
    def test_the_example_without_and_with_the_mask(self):
        free, causal = (attention_steps(*EXAMPLE, causal=mask).heads[0] for mask in (False, True))
        assert free.scaled == ((Fraction("0.43"), Fraction("0.18")), (Fraction("0.15"), Fraction("0.52")))
        assert [[round(float(weight), 3) for weight in row] for row in free.weights] == [[0.562, 0.438], [0.409, 0.591]]
        assert [[round(float(weight), 3) for weight in row] for row in causal.weights] == [[1, 0], [0.409, 0.591]]
        assert causal.masked[0][1] is None and causal.mixed[0] == EXAMPLE[2][0]

    def test_without_scaling_the_weights_harden(self):
        weights = attention_steps(*EXAMPLE, causal=False, scaling=False).heads[0].weights
        assert [[round(float(weight), 3) for weight in row] for row in weights] == [[0.622, 0.378], [0.323, 0.677]]
        assert [round(float(weight), 3) for weight in softmax([Fraction("4.8648"), Fraction("2.0365")])] == [0.944, 0.056]

    @pytest.mark.parametrize(("heads", "kv_heads"), [(2, 2), (2, 1), (4, 2), (1, 1)])
    @pytest.mark.parametrize("causal", [True, False])
    def test_against_floating_point_loops(self, heads, kv_heads, causal):
        rows = made_up_vectors(3, 5)
        weights = made_up_weights(3, 4, heads, kv_heads, 2)
        q, k, v = (times(rows, matrix) for matrix in (weights.query, weights.key, weights.value))
        steps = attention_steps(q, k, v, heads, kv_heads, causal, output=weights.output)
        assert [head.kv_head for head in steps.heads] == [head // (heads // kv_heads) for head in range(heads)]
        expected = plain_attention(q, k, v, heads, kv_heads, 2, causal)
        assert [float(number) for row in steps.joined for number in row] == pytest.approx(expected)
        assert steps.out and [len(row) for row in steps.out] == [4] * 5

    def test_a_cut_that_does_not_divide_is_refused(self):
        with pytest.raises(ValueError, match="heads"):
            attention_steps(*EXAMPLE, heads=3)
        with pytest.raises(ValueError, match="tokens"):
            made_up_vectors(1, 7)

    def test_shapes_of_llama_3_8b_and_of_qwen3_4b(self):
        shapes = {step.step: step.shape for step in real_shapes(4096, 32, 8, 128, 2)}
        assert shapes["x"] == shapes["output"] == (1, 2, 4096) and shapes["k"] == (1, 2, 1024)
        assert shapes["q_heads"] == (1, 32, 2, 128) and shapes["scores"] == (1, 32, 2, 2)
        assert {step.step: step.shape for step in real_shapes(2560, 32, 8, 128, 2)}["joining"] == (1, 2, 4096)

    @given(st.lists(st.fractions(-20, 20, max_denominator=100), min_size=1, max_size=6))
    def test_softmax_adds_up_to_one_and_agrees_with_floats(self, scores):
        weights = softmax(scores)
        total = sum(math.exp(score) for score in scores)
        assert [float(weight) for weight in weights] == pytest.approx([math.exp(score) / total for score in scores])
        assert sum(weights) == 1


def plain_attention(q, k, v, heads, kv_heads, head_dim, causal):
    """The same in floating point, written out."""
    out = []
    for token in range(len(q)):
        for head in range(heads):
            kv = head // (heads // kv_heads)
            seen = range(token + 1 if causal else len(q))
            scores = [
                sum(float(q[token][head * head_dim + i]) * float(k[other][kv * head_dim + i]) for i in range(head_dim))
                / math.sqrt(head_dim)
                for other in seen
            ]
            powers = [math.exp(score) for score in scores]
            for i in range(head_dim):
                out.append(
                    sum(
                        power / sum(powers) * float(v[other][kv * head_dim + i])
                        for power, other in zip(powers, seen, strict=True)
                    )
                )
    return out


class TestFormula:
    def test_brackets_stand_where_they_matter(self):
        a, b, c = Symbol("a"), Symbol("b"), Symbol("c")
        assert ((a + b) * c).symbols == "(a + b) × c"
        assert (a - (b - c)).symbols == "a − (b − c)" and (a - b - c).symbols == "a − b − c"
        assert (a / (b * c)).symbols == "a ÷ (b × c)" and ((a * b) ** 2).symbols == "(a × b)²"
        assert (a * b).numbers({"a": -2, "b": 3}) == "(−2) × 3"

    @given(st.integers(-50, 50), st.integers(1, 50), st.integers(1, 50))
    def test_values_are_those_of_the_same_arithmetic(self, a, b, c):
        x, y, z = Symbol("x"), Symbol("y"), Symbol("z")
        given_numbers = {"x": a, "y": b, "z": c}
        assert ((x + y) * z / y - 3 * x).value(given_numbers) == Fraction((a + b) * c, b) - 3 * a
        assert float(exp(x / y).value(given_numbers)) == pytest.approx(math.exp(a / b))
        assert float(sqrt(1 * y).value(given_numbers)) == pytest.approx(math.sqrt(b))
