"""Roles of decoders that read images or bytes."""

TEXTS = {
    # an image encoder before a decoder
    "role.image_patch": {"zh": "图像分块矩阵", "en": "image patch matrix"},
    "role.image_patch.does": {
        "zh": "把图像切成小块，每块的 {input} 个像素值变成一个长 {out} 的向量。",
        "en": "Cuts the image into patches and makes a vector of length {out} of the {input} pixel values of each.",
    },
    "role.image_class": {"zh": "整幅图像的向量", "en": "vector for the whole image"},
    "role.image_class.does": {
        "zh": "在各块的向量前面再加一个，共 {out} 个学到的数，用来汇总整幅图像。",
        "en": "One more vector in front of the patches, {out} learned numbers, to gather the whole image.",
    },
    "role.image_position": {"zh": "图像块的位置嵌入表", "en": "position table of image patches"},
    "role.image_position.does": {
        "zh": "每块在图像中的位置一行，共 {input} 行，查出后加到该块的向量上。",
        "en": "One row for each of {input} places in the image, added to the patch's vector.",
    },
    "role.image_frame": {"zh": "画面次序的向量", "en": "vector of a frame's place"},
    "role.image_frame.does": {
        "zh": "输入多幅画面时，每幅加上一个长 {out} 的向量，标出先后。",
        "en": "Where several frames come in, each gets a vector of length {out} added that tells its place.",
    },
    "role.image_norm": {"zh": "图像编码器的归一化", "en": "norm in the image encoder"},
    "role.image_norm.does": {
        "zh": "在图像编码器里把向量缩放到稳定的大小：每个分量一个系数。",
        "en": "Scales the vectors of the image encoder to a steady size: one factor for each element.",
    },
    "role.image_attention": {"zh": "图像编码器的注意力矩阵", "en": "attention matrix of the image encoder"},
    "role.image_attention.does": {
        "zh": "图像各块之间的注意力（{input} → {out}）；一幅图只算一次，不进 KV 缓存。",
        "en": "Attention among the patches ({input} → {out}); worked out once for an image, and not kept in the KV cache.",
    },
    "role.image_ffn": {"zh": "图像编码器的前馈矩阵", "en": "FFN matrix of the image encoder"},
    "role.image_ffn.does": {
        "zh": "图像编码器里前馈网络的一个矩阵（{input} → {out}）。",
        "en": "One matrix of the image encoder's FFN ({input} → {out}).",
    },
    "role.image_projection": {"zh": "图像到文字的投影矩阵", "en": "projection from image to text"},
    "role.image_projection.does": {
        "zh": "把图像的向量从 {input} 变成文字部分的长度 {out}，两者才能一起算。",
        "en": "Brings the image's vectors from {input} to the text's length {out}, so that both go through the same layers.",
    },
    # layers of a decoder that attend to an image
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
    # images without an encoder
    "role.patch_projection": {"zh": "图像块的投影矩阵", "en": "image patch projection"},
    "role.patch_projection.does": {
        "zh": "把一小块图像的 {input} 个数直接乘成长度 {out} 的向量，和词向量排在一起送进各层；没有单独的图像编码器。",
        "en": "Turns the {input} numbers of an image patch straight into a vector of length {out}, placed among the tokens' vectors; there is no image encoder.",
    },
    # bytes, read in patches
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
