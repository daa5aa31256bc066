"""Roles of decoders whose heads are normalised one by one, each with factors of its own."""

TEXTS = {
    "role.each_query_head_norm": {"zh": "逐头的查询归一化（QK-norm）", "en": "norm of each query head (QK-norm)"},
    "role.each_query_head_norm.does": {
        "zh": "每个查询头算完后再归一化；各头有自己的系数，互不共用。",
        "en": "Normalises each query head; every head has factors of its own, none are shared.",
    },
    "role.each_key_head_norm": {"zh": "逐头的键归一化（QK-norm）", "en": "norm of each key head (QK-norm)"},
    "role.each_key_head_norm.does": {
        "zh": "每个键头算完后再归一化；各头有自己的系数，互不共用。",
        "en": "Normalises each key head; every head has factors of its own, none are shared.",
    },
}
