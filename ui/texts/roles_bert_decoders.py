"""Roles of BERT and its relatives, and of decoders that read an encoder's output with matrices of their own."""

TEXTS = {
    "role.token_embedding_tied": {"zh": "词嵌入表（与输出头共用）", "en": "token embedding table (tied)"},
    "role.token_embedding_tied.does": {
        "zh": "每个 token 编号查出一行，长 {out}；数值与另一个表共用（tied），参数只数一次。",
        "en": "Each token id looks up a row of length {out}; the numbers are those of another tensor (tied), counted once.",
    },
    "role.token_type_embedding": {"zh": "句段嵌入表（token type）", "en": "token type embedding table"},
    "role.token_type_embedding.does": {
        "zh": "标出 token 属于第几句：{input} 行，查出后加到词向量上。",
        "en": "Says which segment a token belongs to: {input} rows, added to the token's vector.",
    },
    "role.task_embedding": {"zh": "任务嵌入表", "en": "task embedding table"},
    "role.task_embedding.does": {
        "zh": "标出正在做哪一种任务：{input} 行，查出后加到词向量上。",
        "en": "Says which task is at hand: {input} rows, added to the token's vector.",
    },
    "role.cross_key": {"zh": "交叉注意力的键矩阵", "en": "cross-attention key matrix"},
    "role.cross_key.does": {
        "zh": "从编码器的输出（长 {input}）算出键，供解码器的查询来找。",
        "en": "Makes keys from the encoder's output (length {input}), for the decoder's queries to find.",
    },
    "role.cross_value": {"zh": "交叉注意力的值矩阵", "en": "cross-attention value matrix"},
    "role.cross_value.does": {
        "zh": "从编码器的输出（长 {input}）算出值，即被找到后交出的内容。",
        "en": "Makes values from the encoder's output (length {input}): what is handed over once found.",
    },
    "role.norm_after_cross_attention": {"zh": "交叉注意力之后的归一化", "en": "norm after cross-attention"},
    "role.norm_after_cross_attention.does": {
        "zh": "放在交叉注意力之后（post-norm）：每个分量一个系数。",
        "en": "Stands after cross-attention (post-norm): one factor for each element.",
    },
    "role.head_transform": {"zh": "输出头里的变换矩阵", "en": "transform in the output head"},
    "role.head_transform.does": {
        "zh": "BERT 一类的输出头先乘这个矩阵（{input} → {out}），过激活函数和归一化，再给词表打分。",
        "en": "Heads like BERT's multiply by this matrix first ({input} → {out}), then activate, normalise and score the vocabulary.",
    },
    "role.norm_before_lm_head": {"zh": "输出头里的归一化", "en": "norm in the output head"},
    "role.norm_before_lm_head.does": {
        "zh": "给词表打分之前的最后一次归一化：每个分量一个系数。",
        "en": "The last norm before the vocabulary is scored: one factor for each element.",
    },
    "role.rotary_table": {"zh": "旋转位置的正弦、余弦表", "en": "table of rotary sines and cosines"},
    "role.rotary_table.does": {
        "zh": "{input} 个位置各一行，长 {out}，是算好的正弦和余弦；随模型保存，但不训练。",
        "en": "One row of length {out} for each of {input} positions: sines and cosines, stored with the model but never trained.",
    },
    "role.sinusoid_table": {"zh": "正弦位置表", "en": "table of position sines"},
    "role.sinusoid_table.does": {
        "zh": "{input} 个位置各一行，长 {out}，是算好的正弦和余弦，查出后加到词向量上；随模型保存，但不训练。",
        "en": "One row of length {out} for each of {input} positions, added to the token's vector: sines and cosines, stored but never trained.",
    },
    "role.pooler": {"zh": "池化矩阵（pooler）", "en": "pooler matrix"},
    "role.pooler.does": {
        "zh": "把第一个 token 的向量变成整句的向量，分类时才用；预测下一个 token 用不到它。",
        "en": "Turns the first token's vector into one for the whole text, for classifying; predicting a next token does not use it.",
    },
    "role.pronunciation_embedding": {"zh": "读音嵌入表", "en": "pronunciation embedding table"},
    "role.pronunciation_embedding.does": {
        "zh": "每种读音一行，共 {input} 行，每行长 {out}：同音字查到同一行。",
        "en": "One row of length {out} for each of {input} sounds: characters that sound alike look up the same row.",
    },
    "role.shape_embedding": {"zh": "字形嵌入表", "en": "glyph embedding table"},
    "role.shape_embedding.does": {
        "zh": "每种字形一行，共 {input} 行，每行长 {out}：看着像的字向量也相近。",
        "en": "One row of length {out} for each of {input} written shapes: characters that look alike get similar vectors.",
    },
    "role.input_fusion": {"zh": "字、音、形的合并矩阵", "en": "matrix that joins token, sound and shape"},
    "role.input_fusion.does": {
        "zh": "把词向量、读音向量、字形向量接成长 {input} 的一条，再变回长度 {out}。",
        "en": "Takes the vectors of token, sound and shape joined to length {input}, and brings them back to {out}.",
    },
    "role.norm_before_adapter": {"zh": "适配器前的归一化", "en": "norm before the adapters"},
    "role.norm_before_adapter.does": {
        "zh": "进入适配器之前先归一化：每个分量一个系数。",
        "en": "Normalises the vector before the adapters: one factor for each element.",
    },
    "role.language_adapter_down": {"zh": "适配器的降维矩阵", "en": "adapter matrix, narrowing"},
    "role.language_adapter_down.does": {
        "zh": "每种语言一个适配器：先把向量从 {input} 压到 {out}；只有本语言的 token 经过它。",
        "en": "Each language has an adapter: it narrows {input} to {out} first. Only tokens of that language pass through.",
    },
    "role.language_adapter_up": {"zh": "适配器的升维矩阵", "en": "adapter matrix, widening"},
    "role.language_adapter_up.does": {
        "zh": "把适配器里的 {input} 变回 {out}，加回原来的向量。",
        "en": "Widens the adapter's {input} back to {out}, which is added to the vector.",
    },
}
