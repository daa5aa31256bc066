"""Roles of Llama 3.2 Vision's layers that attend to an image."""

TEXTS = {
    "role.cross_attention_gate": {"zh": "交叉注意力的门", "en": "gate of cross-attention"},
    "role.cross_attention_gate.does": {
        "zh": "一个数：决定交叉注意力的结果有多少加进来；训练从 0 开始，不打扰原来的语言模型。",
        "en": "One number: how much of what cross-attention gives is added. Training starts at 0, so that the language model is left as it was.",
    },
    "role.cross_ffn_gate": {"zh": "交叉注意力层里 FFN 的门", "en": "gate of the FFN in a cross-attention layer"},
    "role.cross_ffn_gate.does": {
        "zh": "一个数：决定这一层 FFN 的结果有多少加进来；训练从 0 开始。",
        "en": "One number: how much of what this layer's FFN gives is added. Training starts at 0.",
    },
}
