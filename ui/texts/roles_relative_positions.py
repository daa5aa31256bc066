"""Roles of early decoders that treat positions, segments or languages in a way of their own."""

TEXTS = {
    "role.language_embedding": {"zh": "语言嵌入表", "en": "language embedding table"},
    "role.language_embedding.does": {
        "zh": "标出 token 是哪种语言：{input} 行，查出后加到词向量上。",
        "en": "Says which language a token belongs to: {input} rows, added to the token's vector.",
    },
    "role.segment_embedding": {"zh": "段落嵌入表（segment）", "en": "segment embedding table"},
    "role.segment_embedding.does": {
        "zh": "标出 token 属于哪一段（提示、正文……）：{input} 行，查出后加到词向量上。",
        "en": "Says which segment a token belongs to (prompt, text …): {input} rows, added to the token's vector.",
    },
    "role.mask_embedding": {"zh": "待预测位置的向量（mask）", "en": "vector of a position to be predicted (mask)"},
    "role.mask_embedding.does": {
        "zh": "要预测的位置还不知道是什么词，就用这 {out} 个学到的数代替。",
        "en": "Where a token is still to be predicted, these {out} learned numbers stand in for it.",
    },
    "role.relative_key": {"zh": "相对位置的键矩阵", "en": "key matrix of distances"},
    "role.relative_key.does": {
        "zh": "把两个 token 的距离变成键（{input} → {out}），让查询也能按距离来找。",
        "en": "Makes a key of how far apart two tokens are ({input} → {out}), so that queries can look for distances too.",
    },
    "role.segment_key": {"zh": "段落的键", "en": "keys of segments"},
    "role.segment_key.does": {
        "zh": "两行键，各长 {out}：两个 token 同段时用一行，不同段时用另一行。",
        "en": "Two keys of length {out}: one for tokens of the same segment, one for tokens of different ones.",
    },
    "role.distance_bias": {"zh": "距离偏置表", "en": "table of distance biases"},
    "role.distance_bias.does": {
        "zh": "按两个 token 的距离和段落查出一行，{out} 个头各得一个数，加到注意力分数上；所有层共用。",
        "en": "Distance and segments of two tokens look up a row, one number for each of {out} heads, added to the attention scores in every layer.",
    },
    "role.distance_score": {"zh": "距离打分矩阵", "en": "matrix that scores distances"},
    "role.distance_score.does": {
        "zh": "从每个 token 的向量算出它对各种距离的偏好，共 {out} 个分数，加到注意力分数上。",
        "en": "Makes from each token's vector how it likes each distance: {out} scores, added to those of attention.",
    },
    "role.stream_embedding": {"zh": "预测流嵌入表", "en": "table of prediction streams"},
    "role.stream_embedding.does": {
        "zh": "同时预测后面 {input} 个 token，每一步预测用一行来区分。",
        "en": "{input} tokens are predicted ahead at once; each has a row of its own to tell it apart.",
    },
    "role.axial_position_embedding": {"zh": "轴向位置嵌入表", "en": "axial position table"},
    "role.axial_position_embedding.does": {
        "zh": "位置排成网格，每个轴一张小表：这张有 {input} 行，每行长 {out}，各轴的行首尾相接成一个位置的向量。",
        "en": "Positions lie on a grid with a small table for each axis: this one has {input} rows of length {out}; rows of all axes are joined.",
    },
    "role.query_key": {"zh": "查询与键共用的矩阵", "en": "matrix of query and key at once"},
    "role.query_key.does": {
        "zh": "查询和键用同一个矩阵算出（{heads} 个头，每个宽 {head_dim}），相似的 token 才会被哈希到一起。",
        "en": "Makes query and key alike ({heads} heads, {head_dim} wide each), so that similar tokens hash to the same place.",
    },
}
