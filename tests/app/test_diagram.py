"""The parts diagram as a drawing: read back from its SVG, and measured against the model it is of."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

import pytest
from catalogue_sample import SAMPLE

from calc.catalogue import catalogue
from calc.model import Model
from calc.parts_list import keys, layer_kinds, stack_of
from ui.diagram.component import NARROW, WIDE
from ui.diagram.component import picture as picture_of
from ui.texts import text_in

from .recorded import configs, parts_lists
from .screen import LANGUAGES, is_chinese, whole_numbers

SVG = "{http://www.w3.org/2000/svg}"
PX = {"wide": WIDE, "narrow": NARROW}
WIDTHS = tuple(PX)
ROUNDING = 0.011
"""px: coordinates are written with two decimals."""

COLOURS = {
    "embedding": "#0072B2",
    "attention": "#E69F00",
    "ffn": "#009E73",
    "norm": "#8A8F98",
    "lm_head": "#CC79A7",
    "other": "#56B4E9",
}
"""As the design fixes them: Okabe and Ito's, and a grey."""

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "vocab_size": 32000,
}
UNUSUAL = {
    "one of everything": LLAMA | dict.fromkeys([key for key in LLAMA if key != "model_type"], 1),
    "two layers": LLAMA | {"num_hidden_layers": 2},
    "a vocabulary of ten": LLAMA | {"vocab_size": 10},
    "a hundred million tokens": LLAMA | {"vocab_size": 100_000_000},
    "a very wide FFN": LLAMA | {"intermediate_size": 200_000},
    "a narrow FFN": LLAMA | {"intermediate_size": 64},
    "wide heads": LLAMA | {"head_dim": 1024},
    "one kv head": LLAMA | {"num_key_value_heads": 1},
    "odd kv heads": LLAMA | {"num_attention_heads": 9, "num_key_value_heads": 3, "hidden_size": 576},
    "GPT-2 with a wide FFN": {"model_type": "gpt2", "n_inner": 10_000},
    "two stacks with the same ids": {"model_type": "hrm_text", "num_layers_per_stack": 3},
    "an encoder of images before the decoder": {"model_type": "git"},
    "biases beside experts": {"model_type": "jetmoe"},
    "a small Qwen3": {
        "model_type": "qwen3",
        "hidden_size": 256,
        "intermediate_size": 512,
        "num_hidden_layers": 2,
        "num_attention_heads": 16,
        "num_key_value_heads": 2,
        "head_dim": 128,
        "vocab_size": 151936,
    },
}

CASES = [*SAMPLE, *UNUSUAL]
EVERY_PICTURE = pytest.mark.parametrize(("case", "width", "language"), [*itertools.product(CASES, WIDTHS, LANGUAGES)])
EVERY_DRAWING = pytest.mark.parametrize(("case", "width"), [*itertools.product(CASES, WIDTHS)])


@dataclass(frozen=True)
class Box:
    """A rectangle in px."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def of(cls, rect: ElementTree.Element) -> Box:
        return cls(*(float(rect.get(name)) for name in ("x", "y", "width", "height")))

    def overlap(self, other: Box) -> float:
        """Area in px² that both cover."""
        wide = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        high = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0, wide) * max(0, high)

    def holds(self, other: Box, slack: float = 0) -> bool:
        return (
            self.x - slack <= other.x
            and self.y - slack <= other.y
            and other.x + other.width <= self.x + self.width + slack
            and other.y + other.height <= self.y + self.height + slack
        )


@cache
def parts_list(case: str):
    return Model.of(UNUSUAL[case]).parts_list if case in UNUSUAL else Model.of(case).parts_list


@cache
def picture(case: str, width: str, language: str = "zh") -> ElementTree.Element:
    """The drawing, parsed; a drawing that is not well-formed ends here."""
    title = catalogue()[case].title if case in catalogue() else case
    return ElementTree.fromstring(picture_of(parts_list(case), title, language, PX[width]))


def groups(svg: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """What can be chosen, by the tensor's key; where kinds of layer share a tensor, numbered from the second time on."""
    by_name: dict[str, ElementTree.Element] = {}
    for group in svg.iter(f"{SVG}g"):
        if key := group.get("data-tensor"):
            times = sum(name.partition("@")[0] == key for name in by_name)
            by_name[f"{key}@{times}" if times else key] = group
    return by_name


def tensor_of(case: str, name: str):
    """The tensor that a group of `groups` shows."""
    return keys(parts_list(case))[name.partition("@")[0]]


def is_flat(tensor) -> bool:
    """Whether it is drawn as a hairline."""
    return tensor.is_vector and not tensor.experts


def drawn_tensors(case: str) -> list[str]:
    """Keys of all tensors in the order they are to be drawn: before the layers, kind by kind of layer, after them; where
    there are several stacks of layers, what stands between two of them between them."""
    listed = parts_list(case)
    key_of = {id(tensor): key for key, tensor in keys(listed).items()}
    kinds = list(layer_kinds(listed))
    flow = []
    for tensor in listed.tensors:
        if tensor.layers is None:
            flow.append(tensor)
        elif any(tensor is held for kind in kinds for held in kind.tensors):
            stack = next(kind.stack for kind in kinds if any(tensor is held for held in kind.tensors))
            flow += [held for kind in kinds if kind.stack == stack for held in kind.tensors]
            kinds = [kind for kind in kinds if kind.stack != stack]
    drawn: list[str] = []
    for tensor in flow:
        key = key_of[id(tensor)]
        times = sum(name.partition("@")[0] == key for name in drawn)
        drawn.append(f"{key}@{times}" if times else key)
    return drawn


def matrix_boxes(svg: ElementTree.Element) -> dict[str, Box]:
    """The rectangles of the matrices, by tensor."""
    boxes = {}
    for name, group in groups(svg).items():
        rects = [rect for rect in group.iter(f"{SVG}rect") if rect.get("class") == "matrix"]
        if rects:
            boxes[name] = Box.of(rects[-1])  # behind it the sheets of a stack of experts
    return boxes


def is_broken(group: ElementTree.Element) -> bool:
    """Whether a break mark is drawn across it."""
    return any(path.get("class") == "paper" for path in group.iter(f"{SVG}path"))


def tints(group: ElementTree.Element) -> list[Box]:
    """The tinted runs of a matrix."""
    return [Box.of(rect) for rect in group.iter(f"{SVG}rect") if rect.get("class") is None]


def scale_of(case: str, svg: ElementTree.Element) -> float:
    """px per element: that of the largest rectangle that is not broken."""
    whole = [
        (box.width * box.height, tensor_of(case, name).input.value * tensor_of(case, name).output.value)
        for name, box in matrix_boxes(svg).items()
        if not is_broken(groups(svg)[name])
    ]
    area, count = max(whole)
    return math.sqrt(area / count)


def view(svg: ElementTree.Element) -> Box:
    return Box(*map(float, svg.get("viewBox").split()))


@EVERY_DRAWING
def test_every_tensor_is_drawn_once_in_each_kind_of_layer_that_holds_it(case, width):
    svg = picture(case, width)
    assert sorted(groups(svg)) == sorted(drawn_tensors(case))
    flat = {name for name in groups(svg) if is_flat(tensor_of(case, name))}
    assert groups(svg).keys() - matrix_boxes(svg).keys() == flat


@pytest.mark.parametrize("model_type", configs())
def test_every_tensor_of_every_declared_type_is_drawn(model_type):
    """Biases and buffers too: what the parts list holds can be pointed at in the picture, and nothing else."""
    for listed, width in itertools.product(parts_lists(model_type)[:2], WIDTHS):
        svg = ElementTree.fromstring(picture_of(listed, model_type, "en", PX[width]))
        drawn = [group.get("data-tensor") for group in svg.iter(f"{SVG}g") if group.get("data-tensor")]
        assert set(drawn) == set(keys(listed))
        targets = [rect for rect in svg.iter(f"{SVG}rect") if rect.get("class") == "target"]
        assert len(targets) == len(drawn) and all(min(Box.of(rect).width, Box.of(rect).height) >= 24 for rect in targets)


@pytest.mark.parametrize(
    ("model_type", "stacks"),
    [
        ("hrm_text", {"model.L_module": 16, "model.H_module": 16}),
        ("git", {"git.image_encoder.vision_model.encoder": 12, "git.encoder": 6}),
    ],
)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_layers_of_two_stacks_are_drawn_apart(model_type, stacks, width, language):
    listed = Model.of({"model_type": model_type}).parts_list
    svg = ElementTree.fromstring(picture_of(listed, model_type, language, PX[width]))
    labels = ["".join(label.itertext()) for label in svg.iter(f"{SVG}text")]
    for stack, layers in stacks.items():
        place = labels.index(text_in(language, "diagram.stack", stack=stack))
        assert f"× {layers} " in labels[place - 1], "how many layers, and below it of which stack"
    panels = [Box.of(rect) for rect in svg.iter(f"{SVG}rect") if rect.get("class") == "panel"]
    assert len(panels) == 3 * len(stacks)
    for stack, panel in zip(stacks, panels[2::3], strict=True):
        inside = {
            group.get("data-tensor")
            for group in svg.iter(f"{SVG}g")
            for rect in group.iter(f"{SVG}rect")
            if panel.holds(Box.of(rect), 4)
        }
        assert inside - {None} == {key for key, tensor in keys(listed).items() if stack_of(tensor) == stack}


@pytest.mark.parametrize("width", WIDTHS)
def test_query_heads_are_tinted_by_the_keys_of_the_layer_they_are_drawn_in(width):
    """MiMo has 4 kv heads in full layers and 8 in windows; one query matrix stands in the list for both."""
    listed = Model.of({"model_type": "mimo_v2_flash"}).parts_list
    svg = ElementTree.fromstring(picture_of(listed, "MiMo", "en", PX[width]))
    queries = [group for group in svg.iter(f"{SVG}g") if group.get("data-tensor") == "model.layers.*.self_attn.q_proj.weight"]
    kv_heads = [
        next(tensor for tensor in kind.tensors if tensor.role == "key").output_bands[0].heads for kind in layer_kinds(listed)
    ]
    assert [len(tints(group)) for group in queries] == [math.ceil(heads / 2) for heads in kv_heads] == [2, 4, 2]


@EVERY_DRAWING
def test_matrices_stand_in_the_order_data_flows(case, width):
    order = [name for name in drawn_tensors(case) if not is_flat(tensor_of(case, name))]
    assert list(matrix_boxes(picture(case, width))) == order


@pytest.mark.parametrize(("case", "width"), [*itertools.product(SAMPLE, WIDTHS)])
def test_rectangles_have_the_proportions_of_their_matrices(case, width):
    svg = picture(case, width)
    for name, box in matrix_boxes(svg).items():
        if not is_broken(groups(svg)[name]) and min(box.width, box.height) > 1:
            tensor = tensor_of(case, name)
            allowed = 0.01 + ROUNDING / box.width + ROUNDING / box.height
            proportion = tensor.output.value / tensor.input.value
            assert box.width / box.height == pytest.approx(proportion, rel=allowed), name


@EVERY_DRAWING
def test_one_scale_serves_all_rectangles(case, width):
    """A side thinner than a pixel may be drawn as one, so that it can be seen at all."""
    svg = picture(case, width)
    scale = scale_of(case, svg)
    for name, box in matrix_boxes(svg).items():
        tensor = tensor_of(case, name)
        for side, length in ((box.width, tensor.output.value), (box.height, tensor.input.value)):
            if not is_broken(groups(svg)[name]):
                assert side == pytest.approx(max(1, length * scale), rel=0.01, abs=ROUNDING), name


@EVERY_DRAWING
def test_only_a_table_or_the_head_is_broken_and_its_full_length_written(case, width):
    svg = picture(case, width)
    scale = scale_of(case, svg)
    for name, group in groups(svg).items():
        if not is_broken(group):
            continue
        tensor, box = tensor_of(case, name), matrix_boxes(svg)[name]
        assert tensor.layers is None
        sides = ((box.width, tensor.output.value), (box.height, tensor.input.value))
        cut = [length for side, length in sides if side < length * scale * 0.99 - ROUNDING]
        kept = [(side, length) for side, length in sides if length not in cut]
        assert len(cut) >= 1, f"{name} bears a break mark but is drawn whole"
        for side, length in kept:
            assert side == pytest.approx(max(1, length * scale), rel=0.01, abs=ROUNDING)
        written = whole_numbers(" ".join("".join(label.itertext()) for label in group.iter(f"{SVG}text")))
        assert set(cut) <= set(written)


@pytest.mark.parametrize(("case", "width"), [*itertools.product(SAMPLE, WIDTHS)])
def test_a_drawing_is_large_enough_to_see_what_it_shows(case, width):
    """The longest matrix of a layer takes at least a ninth of the width; the thinnest side is a visible line."""
    svg = picture(case, width)
    inside = [box for name, box in matrix_boxes(svg).items() if tensor_of(case, name).layers is not None]
    assert max(max(box.width, box.height) for box in inside) >= view(svg).width / 9
    assert min(min(box.width, box.height) for box in inside) >= 1


@EVERY_DRAWING
def test_no_two_matrices_overlap(case, width):
    for (one, first), (other, second) in itertools.combinations(matrix_boxes(picture(case, width)).items(), 2):
        assert first.overlap(second) == 0, f"{one} and {other}"


@EVERY_DRAWING
def test_no_two_targets_overlap(case, width):
    """So that a finger between two tensors cannot hit the wrong one by more than their margins."""
    targets = {
        name: Box.of(next(rect for rect in group.iter(f"{SVG}rect") if rect.get("class") == "target"))
        for name, group in groups(picture(case, width)).items()
    }
    for name, target in targets.items():
        assert target.width >= 24 and target.height >= 24, name
        box = matrix_boxes(picture(case, width)).get(name)
        assert box is None or target.holds(box), name
    for (one, first), (other, second) in itertools.combinations(targets.items(), 2):
        assert first.overlap(second) < 0.1 * min(first.width * first.height, second.width * second.height), f"{one}, {other}"


def points(path: str) -> list[tuple[float, float]]:
    """The places that an SVG path (M, L, h, v, Z) comes to."""
    at, places = (0.0, 0.0), []
    for command, numbers in re.findall(r"([MLhvZ])([^MLhvZ]*)", path):
        values = [float(number) for number in numbers.split()]
        if command in "ML":
            at = (values[0], values[1])
        elif command == "h":
            at = (at[0] + values[0], at[1])
        elif command == "v":
            at = (at[0], at[1] + values[0])
        places.append(at)
    assert places and re.fullmatch(r"[MLhvZ\d\s.-]*", path)
    return places


def text_box(label: ElementTree.Element) -> Box:
    """About where a label stands: half an em for a letter, an em for a Chinese character."""
    size = float(label.get("font-size"))
    width = sum(size if is_chinese(character) else size / 2 for character in "".join(label.itertext()))
    left = float(label.get("x")) - {"middle": width / 2, "end": width}.get(label.get("text-anchor"), 0)
    return Box(left, float(label.get("y")) - 0.8 * size, width, size)


@EVERY_PICTURE
def test_nothing_reaches_beyond_the_picture(case, width, language):
    svg = picture(case, width, language)
    assert float(svg.get("width")) == view(svg).width and float(svg.get("height")) == view(svg).height
    for rect in svg.iter(f"{SVG}rect"):
        assert view(svg).holds(Box.of(rect), slack=ROUNDING), ElementTree.tostring(rect)
    for path in svg.iter(f"{SVG}path"):
        for x, y in points(path.get("d")):
            assert view(svg).holds(Box(x, y, 0, 0), slack=ROUNDING), path.get("d")
    for label in svg.iter(f"{SVG}text"):
        assert view(svg).holds(text_box(label)), "".join(label.itertext())


@EVERY_PICTURE
def test_it_speaks_the_readers_language_and_says_what_it_shows(case, width, language):
    svg = picture(case, width, language)
    labels = ["".join(label.itertext()) for label in svg.iter(f"{SVG}text")]
    assert is_chinese(" ".join(labels)) == (language == "zh")
    for kind in layer_kinds(parts_list(case)):
        assert any(f"× {len(kind.layers):,}" in label for label in labels)
    total = sum(tensor.parameters for tensor in parts_list(case).tensors)
    assert total in whole_numbers("".join(labels))
    for name, group in groups(svg).items():
        tensor, spoken = tensor_of(case, name), group.get("aria-label")
        assert group.get("role") == "button" and tensor.short_name in spoken
        assert is_chinese(spoken) == (language == "zh")
        said = {tensor.output.value} if tensor.is_vector else {tensor.input.value, tensor.output.value, tensor.count}
        assert said <= set(whole_numbers(spoken)), spoken


@EVERY_DRAWING
def test_matrices_have_the_colour_of_their_part(case, width):
    for name, group in groups(picture(case, width)).items():
        for rect in group.iter(f"{SVG}rect"):
            if rect.get("class") == "matrix":
                colour = COLOURS[tensor_of(case, name).part]
                assert rect.get("fill") == rect.get("stroke") == colour


@pytest.mark.parametrize("width", WIDTHS)
class TestHeads:
    """Heads are stripes: columns of q, k and v, rows of o."""

    Q, K, V, OUT = (f"model.layers.*.self_attn.{name}_proj.weight" for name in "qkvo")

    def test_eight_kv_heads_make_four_tinted_runs(self, width):
        svg = picture("llama-3-8b", width)
        for name, columns in ((self.Q, 512), (self.K, 128), (self.V, 128)):
            runs, box = tints(groups(svg)[name]), matrix_boxes(svg)[name]
            assert len(runs) == 4
            for index, run in enumerate(runs):
                scale = box.height / 4096
                assert run.width == pytest.approx(columns * scale, rel=0.01, abs=ROUNDING)
                assert run.x - box.x == pytest.approx(2 * index * columns * scale, rel=0.01, abs=2 * ROUNDING)
                assert (run.y, run.height) == (box.y, box.height)
        runs, box = tints(groups(svg)[self.OUT]), matrix_boxes(svg)[self.OUT]
        assert len(runs) == 4 and all((run.x, run.width) == (box.x, box.width) for run in runs)
        assert sum(run.height for run in runs) == pytest.approx(box.height / 2, rel=0.01)

    def test_a_kv_head_for_each_query_head_makes_none(self, width):
        svg = picture("llama-2-7b", width)
        assert [tints(group) for group in groups(svg).values()] == [[]] * len(groups(svg))

    @pytest.mark.parametrize(
        ("case", "kv_heads"),
        [("llama-2-70b", 8), ("tinyllama-1.1b", 4), ("qwen2.5-0.5b", 2), ("smollm2-135m", 3), ("gemma-2b", 1), ("qwen3-0.6b", 8)],
    )
    def test_every_other_kv_head_is_tinted(self, case, kv_heads, width):
        svg = picture(case, width)
        for name in (self.Q, self.K, self.V, self.OUT):
            box = matrix_boxes(svg)[name]
            thin = (box.height if name == self.OUT else box.width) / kv_heads < 0.6
            assert len(tints(groups(svg)[name])) in ({0} if thin else set()) | {math.ceil(kv_heads / 2)}, name

    def test_a_fused_matrix_is_tinted_in_its_three_bands(self, width):
        """Phi-4-mini: 24 query heads, 8 kv heads, 128 wide, in one matrix of 3072 + 1024 + 1024 columns."""
        svg = picture("phi-4-mini", width)
        name = "model.layers.*.self_attn.qkv_proj.weight"
        runs, box = tints(groups(svg)[name]), matrix_boxes(svg)[name]
        assert len(runs) == 12
        starts = [(run.x - box.x) / box.width for run in runs]
        assert min(start for start in starts if start >= 0.599) == pytest.approx(3072 / 5120, abs=0.005)
        assert starts[8] == pytest.approx(4096 / 5120, abs=0.005)
        whole = [run.width / box.width for run in runs]
        assert whole == pytest.approx([384 / 5120] * 4 + [128 / 5120] * 8, abs=0.002)

    def test_hairlines_part_the_heads_where_they_can_be_seen(self, width):
        svg = picture("llama-2-7b", width)
        for name, step in ((self.Q, "v"), (self.OUT, "h")):
            lines = [path.get("d") for path in groups(svg)[name].iter(f"{SVG}path")]
            assert sum(line.count(step) for line in lines) == 31, "32 heads have 31 lines between them"

    def test_no_line_parts_what_has_no_heads(self, width):
        svg = picture("llama-2-7b", width)
        for name, group in groups(svg).items():
            if ".mlp." in name:
                assert list(group.iter(f"{SVG}path")) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_layer_lies_on_a_sheet_with_its_copies_behind_it(width):
    for case, sheets in (("llama-2-7b", 3), ("two layers", 2), ("one of everything", 1)):
        svg = picture(case, width)
        panels = [Box.of(rect) for rect in svg.iter(f"{SVG}rect") if rect.get("class") == "panel"]
        assert len(panels) == sheets
        for name, box in matrix_boxes(svg).items():
            inside = tensor_of(case, name).layers is not None
            assert panels[-1].holds(box) == inside, name


@pytest.mark.parametrize("width", WIDTHS)
def test_a_tied_head_is_drawn_paler_than_the_table_it_repeats(width):
    svg = picture("gpt2", width)

    def opacity(name: str) -> float:
        [rect] = [rect for rect in groups(svg)[name].iter(f"{SVG}rect") if rect.get("class") == "matrix"]
        return float(rect.get("fill-opacity"))

    assert opacity("lm_head.weight") < opacity("transformer.wte.weight")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hostile_title_is_text_in_the_drawing(language):
    title = "<script>alert(1)</script> & \"'</text></svg>]]>"
    for px in (WIDE, NARROW):
        root = ElementTree.fromstring(picture_of(parts_list("llama-2-7b"), title, language, px))
        assert {element.tag for element in root.iter()} == {f"{SVG}{tag}" for tag in ("svg", "g", "rect", "path", "text")}
        assert title.replace(" ", "") in "".join(root.itertext()).replace(" ", "")


@pytest.mark.parametrize("width", WIDTHS)
def test_it_needs_no_style_sheet(width):
    """A downloaded drawing is complete: colours are plain attributes, nothing refers to the page."""
    for element in picture("llama-3-8b", width).iter():
        for value in element.attrib.values():
            assert "var(" not in value and "url(" not in value and "light-dark" not in value
    svg = picture("llama-3-8b", width)
    assert all(label.get("fill", "").startswith("#") for label in svg.iter(f"{SVG}text"))
    assert "CJK" in svg.get("font-family")
