"""Roles of HRM-Text."""

TEXTS = {
    "role.initial_state": {"zh": "快层的初始状态", "en": "initial state of the fast stack"},
    "role.initial_state.does": {
        "zh": "快的那一组层第一遍开始时用的向量，长 {out}，每个 token 都一样。",
        "en": "The vector, {out} long and the same for every token, with which the fast stack starts its first pass.",
    },
}
