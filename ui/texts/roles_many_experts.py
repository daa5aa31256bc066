"""Roles of decoders with hundreds of small experts."""

TEXTS = {
    "role.attention_gate_bias": {"zh": "注意力输出门的偏置", "en": "bias of attention's output gate"},
    "role.attention_gate_bias.does": {
        "zh": "每个头一个数，共 {out} 个：加到这个头所有的门上，再过 sigmoid。",
        "en": "One number for each of the {out} heads, added to all gates of the head before the sigmoid.",
    },
}
