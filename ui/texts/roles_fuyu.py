"""Roles of Fuyu."""

TEXTS = {
    "role.patch_projection": {"zh": "图像块的投影矩阵", "en": "image patch projection"},
    "role.patch_projection.does": {
        "zh": "把一小块图像的 {input} 个数直接乘成长度 {out} 的向量，和词向量排在一起送进各层；没有单独的图像编码器。",
        "en": "Turns the {input} numbers of an image patch straight into a vector of length {out}, placed among the tokens' "
        "vectors; there is no image encoder.",
    },
}
