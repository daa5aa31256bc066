"""Roles of an image encoder that stands before a decoder."""

TEXTS = {
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
}
