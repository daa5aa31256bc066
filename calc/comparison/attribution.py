"""From one config to another, one number at a time.

The start is the first config with every number written out, those that its class would derive or assume too, so that
a change of one number changes nothing else unseen. Each change is made to it and the model counted again; a change the
model cannot have alone (heads that would not divide the width) waits for the others, or is made together with one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from calc.comparison.fields import head_dim, intermediate_size, moe_intermediate_size, num_key_value_heads
from calc.errors import ConfigError
from calc.families.wrappers import LANGUAGE_FIELDS
from calc.model import Model

ORDER = (
    "vocab_size",
    "num_key_value_heads",
    "intermediate_size",
    "hidden_size",
    "num_attention_heads",
    "head_dim",
    "num_hidden_layers",
    "tie_word_embeddings",
    "moe_intermediate_size",
    "n_routed_experts",
    "num_experts",
    "num_local_experts",
    "num_experts_per_tok",
    "n_shared_experts",
    "first_k_dense_replace",
    "q_lora_rank",
    "kv_lora_rank",
    "qk_nope_head_dim",
    "qk_rope_head_dim",
    "v_head_dim",
)
"""The order in which changed numbers are attributed; all others follow in the order the model is built, lists last."""

SAME_THING = (
    ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts"),
    ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts"),
)
"""Fields that different types call differently."""

Changes = Mapping[str, object]
"""Generic field → the value it gets; None for a field the config is to leave empty."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The end of the way: whether it is of the first model's type, its numbers, the fields that cannot be set."""

    same_type: bool
    numbers: Mapping[str, object] = field(hash=False)
    fixed: frozenset[str]


def goal_for(before: Model, after: Model) -> Goal:
    """The second model's numbers as the first one can take them over.

    What the second type has no field for but its tensors have (GPT-2's kv heads) counts as its number, and the width of
    an expert is given to the field that is it in the first type: `intermediate_size` in Mixtral's, `moe_intermediate_size`
    in most others. Of a wrapper the numbers of the language model count one by one, never its config as a whole.
    """
    same, sizes = types_of(before) == types_of(after), after.parts_list.sizes
    numbers = {name: value for name, value in sizes.items() if name not in LANGUAGE_FIELDS}
    fixed = after.parts_list.derived
    if same:
        return Goal(same, numbers, fixed)
    for name, read in READ_FROM_TENSORS.items():
        cell = read(after)
        if name not in numbers and cell.value is not None:
            numbers[name] = cell.value
    theirs, own = expert_width_field(after), expert_width_field(before)
    if theirs and own and theirs != own:
        numbers[own] = numbers.pop(theirs)
    return Goal(same, numbers, fixed)


def types_of(model: Model) -> str:
    """The model's type; of a wrapper that may hold language models of several types, with the type it holds.

    >>> from calc.model import Model
    >>> types_of(Model.of({"model_type": "llava", "text_config": {"model_type": "mistral"}}, "mine"))
    'llava (mistral)'
    """
    inner = [values for name, values in model.parts_list.sizes.items() if name in LANGUAGE_FIELDS and isinstance(values, Mapping)]
    types = [values["model_type"] for values in inner if isinstance(values.get("model_type"), str)]
    return f"{model.model_type} ({', '.join(types)})" if types else model.model_type


READ_FROM_TENSORS = {"num_key_value_heads": num_key_value_heads, "head_dim": head_dim, "intermediate_size": intermediate_size}


def expert_width_field(model: Model) -> str | None:
    """The field that holds the width of the model's routed experts; None without any, or where no field does."""
    width, sizes = moe_intermediate_size(model).value, model.parts_list.sizes
    fields = ("moe_intermediate_size", "intermediate_size")
    return next((name for name in fields if width is not None and sizes.get(name) == width), None)


def start(model: Model) -> Model:
    """The config with every plain number, flag and word that its count rests on written out; it counts the same."""
    written = {
        name: value
        for name, value in model.parts_list.sizes.items()
        if name not in model.parts_list.derived and not isinstance(value, tuple | Mapping)
    }
    together = changed(model, written)
    if together and _same_count(together, model):
        return together
    for name, value in written.items():
        alone = changed(model, {name: value})
        if alone and _same_count(alone, model):
            model = alone
    return model


def changed(model: Model, changes: Changes) -> Model | None:
    """The model with these changes made; None where its family refuses them, or does not read them.

    A field that is to have no value is null, or left out where the family refuses null. A whole inner config is taken over
    only where it changes no number that has its own name.
    """
    written = model.changed_values(changes)
    empty = {name for name, value in changes.items() if value is None}
    for values in (written, {name: value for name, value in written.items() if name not in empty}) if empty else (written,):
        try:
            following = Model(values)
        except ConfigError:
            continue
        sizes = following.parts_list.sizes
        are_read = all(_agree(sizes.get(other_name(name, sizes) or ""), value) for name, value in changes.items())
        if are_read and not (_holds_a_config(changes) and _others_differ(model.parts_list.sizes, sizes, changes)):
            return following
    return None


def differing(model: Model, goal: Goal) -> dict[str, object]:
    """The changes that give the model the goal's numbers, under its own names, in ORDER.

    Between two types these are the numbers both have; see `of_the_goal_alone` for the rest.
    """
    sizes = model.parts_list.sizes
    numbers = {name: goal.numbers[theirs] for name in sizes if (theirs := other_name(name, goal.numbers)) is not None}
    if goal.same_type:
        gone = (name for name in sizes if other_name(name, goal.numbers) is None and not isinstance(sizes[name], Mapping))
        numbers |= dict.fromkeys(gone) | of_the_goal_alone(model, goal)
    fixed = model.parts_list.derived | goal.fixed
    changes = {name: value for name, value in numbers.items() if name not in fixed and not _agree(sizes.get(name), value)}
    return dict(sorted(changes.items(), key=lambda change: place(*change)))


def of_the_goal_alone(model: Model, goal: Goal) -> dict[str, object]:
    """The goal's numbers that the model has not read: it may read them once they are written."""
    sizes = model.parts_list.sizes
    return {name: value for name, value in goal.numbers.items() if other_name(name, sizes) is None and value is not None}


def place(name: str, value: object = None) -> int:
    """The rank of a change in the order of attribution."""
    if name in ORDER:
        return ORDER.index(name)
    return len(ORDER) + isinstance(value, tuple) + 2 * isinstance(value, Mapping)


def other_name(name: str, numbers: Mapping[str, object]) -> str | None:
    """What these numbers call a field: its own name, or another one for the same thing; None without it.

    >>> other_name("num_experts", {"num_local_experts": 8})
    'num_local_experts'
    """
    if name in numbers:
        return name
    names = next((names for names in SAME_THING if name in names), ())
    return next((other for other in names if other in numbers), None)


def _holds_a_config(changes: Changes) -> bool:
    return any(isinstance(value, Mapping) for value in changes.values())


def _others_differ(before: Mapping[str, object], after: Mapping[str, object], changes: Changes) -> bool:
    names = (name for name in before if name not in changes and not isinstance(before[name], Mapping))
    return any(not _agree(after.get(name), before[name]) for name in names)


def _agree(value: object, other: object) -> bool:
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _same_count(one: Model, other: Model) -> bool:
    return one.parameters_by_part == other.parameters_by_part
