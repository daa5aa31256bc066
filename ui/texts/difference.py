"""Texts of the page on what makes the difference of two models."""

TEXTS = {
    "frame.page_difference": {"zh": "差在哪里", "en": "What differs"},
    "frame.plus": {"zh": " + ", "en": " + "},
    "difference.before": {"zh": "从", "en": "From"},
    "difference.after": {"zh": "到", "en": "To"},
    "difference.swap": {"zh": "对调", "en": "Swap"},
    "difference.total": {"zh": "{after} 减 {before}", "en": "{after} minus {before}"},
    "difference.share": {
        "zh": "{share}，即 {after} ÷ {before} = {ratio} 倍",
        "en": "{share}, or {after} ÷ {before} = {ratio} times",
    },
    "difference.times": {"zh": "{after} ÷ {before} = {ratio} 倍", "en": "{after} ÷ {before} = {ratio} times"},
    "difference.same": {"zh": "两者参数量相同", "en": "the same number of parameters"},
    "difference.by_part": {"zh": "按部分", "en": "By part"},
    "difference.by_part_note": {
        "zh": "每一步都是整数，加起来正好是总差。",
        "en": "Every step is a whole number, and they sum to the difference exactly.",
    },
    "difference.by_cause": {"zh": "按原因", "en": "By cause"},
    "difference.by_cause_note": {
        "zh": "把前一个模型的配置按上面的次序一个数一个数地改成后一个，每改一次重数一遍。两个改动相乘的部分算在后改的头上，所以次序也是答案的一部分。",
        "en": "The first config is changed into the second one number at a time, in the order above, and counted again after each. What two changes make together falls to the later one, so the order is part of the answer.",
    },
    "difference.none": {"zh": "两个配置里决定张量的数全都相同。", "en": "No number that shapes a tensor differs."},
    "difference.family": {
        "zh": "换成另一类型（偏置、归一化、前馈的种类……）",
        "en": "another type (biases, norms, kind of FFN …)",
    },
    "difference.other_fields": {"zh": "其余字段", "en": "other fields"},
    "difference.more_fields": {"zh": "还有 {number} 个字段", "en": "{number} more fields"},
    "difference.averaged": {"zh": "不分次序：对所有次序取平均", "en": "Without an order: averaged over all orders"},
    "difference.averaged_note": {
        "zh": "每个改动在所有次序下增量的平均（沙普利值 Shapley value）。它与次序无关，总和不变，但很少是整数。",
        "en": "Each change's step, averaged over all orders (the Shapley value). It depends on no order and keeps the sum, but is rarely a whole number.",
    },
    "difference.cause": {"zh": "原因", "en": "cause"},
    "difference.average": {"zh": "平均增量（个参数）", "en": "average step, parameters"},
    "difference.not_averaged": {
        "zh": "改动太多，或者有的组合构不成模型，所有次序平均不出来。",
        "en": "Too many changes, or combinations that make no model: there is no average over all orders.",
    },
    "difference.change": {"zh": "改动", "en": "change"},
    "difference.pictures": {"zh": "两份零件图，同一比例", "en": "Both parts diagrams, on one scale"},
    "difference.download": {"zh": "差额 CSV", "en": "Difference, CSV"},
    "difference.kind": {"zh": "分法", "en": "split"},
    "difference.step": {"zh": "步骤", "en": "step"},
    "difference.amount": {"zh": "增量（个参数）", "en": "difference (parameters)"},
    "difference.file": {"zh": "差额", "en": "difference"},
}
