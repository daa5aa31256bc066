"""Roles of BLT, which reads bytes and thinks in patches of them."""

TEXTS = {
    "role.byte_group_embedding": {"zh": "字节组嵌入表", "en": "table of byte groups"},
    "role.byte_group_embedding.does": {
        "zh": "把每个字节和它前面的几个字节一起哈希成编号，查出一行（长 {out}），加到字节的向量上。",
        "en": "Each byte and the few before it are hashed to an id; its row (length {out}) is added to the byte's vector.",
    },
    "role.byte_patch_projection": {"zh": "字节块投影", "en": "projection of a patch"},
    "role.byte_patch_projection.does": {
        "zh": "把一个字节块（patch）的向量（长 {input}）变成几个局部向量，共 {out} 个数，供字节用交叉注意力来读。",
        "en": "Turns a patch's vector (length {input}) into the local vectors that bytes attend to, {out} numbers in all.",
    },
    "role.patcher_table": {"zh": "分块器的字节表", "en": "the patcher's table of bytes"},
    "role.patcher_table.does": {
        "zh": "分块器（patcher）自己的 {input} 行字节表。分块器是一个小的字节语言模型：下一个字节越难猜，越要开始新的一块。",
        "en": "The patcher's own table of {input} bytes. It is a small language model: where the next byte is hard to guess, a new patch starts.",
    },
    "role.patcher_attention": {"zh": "分块器的注意力矩阵", "en": "the patcher's attention matrix"},
    "role.patcher_attention.does": {
        "zh": "属于分块器的注意力：{input} → {out}。",
        "en": "Part of the patcher's attention: {input} → {out}.",
    },
    "role.patcher_ffn": {"zh": "分块器的 FFN 矩阵", "en": "the patcher's FFN matrix"},
    "role.patcher_ffn.does": {
        "zh": "属于分块器的前馈网络：{input} → {out}。",
        "en": "Part of the patcher's feed-forward network: {input} → {out}.",
    },
    "role.patcher_norm": {"zh": "分块器的归一化", "en": "norm of the patcher"},
    "role.patcher_norm.does": {
        "zh": "分块器里的归一化：每个分量一个系数。",
        "en": "A norm of the patcher: one factor for each element.",
    },
    "role.patcher_head": {"zh": "分块器的输出头", "en": "the patcher's head"},
    "role.patcher_head.does": {
        "zh": "给下一个字节打分；分数有多不确定，就决定在哪里分块。",
        "en": "Scores the next byte; how unsure the scores are decides where a patch ends.",
    },
}
