"""Roles of decoders that are not quite Llama: norms in other places, an encoder to read, positions of another kind."""

TEXTS = {
    # between GPT-2 and Llama
    "role.norm_before_attention_and_ffn": {"zh": "注意力与前馈网络共用的归一化", "en": "norm before attention and FFN"},
    "role.norm_before_attention_and_ffn.does": {
        "zh": "注意力和前馈网络并排算，读的是同一个归一化后的向量，所以一层只要一个归一化。",
        "en": "Attention and FFN run side by side on the same normalised vector, so a layer needs one norm only.",
    },
    "role.norm_after_embedding": {"zh": "嵌入之后的归一化", "en": "norm after the embeddings"},
    "role.norm_after_embedding.does": {
        "zh": "查表得到的向量在进第一层之前先归一化：每个分量一个系数。",
        "en": "Normalises what the tables give before the first layer: one factor for each element.",
    },
    "role.norm_after_attention": {"zh": "注意力之后的归一化", "en": "norm after attention"},
    "role.norm_after_attention.does": {
        "zh": "放在注意力之后（post-norm），而不是之前：每个分量一个系数。",
        "en": "Stands after attention (post-norm), not before it: one factor for each element.",
    },
    "role.norm_after_ffn": {"zh": "前馈网络之后的归一化", "en": "norm after the FFN"},
    "role.norm_after_ffn.does": {
        "zh": "放在前馈网络之后（post-norm），而不是之前：每个分量一个系数。",
        "en": "Stands after the FFN (post-norm), not before it: one factor for each element.",
    },
    "role.embedding_projection": {"zh": "嵌入的投影矩阵", "en": "embedding projection"},
    "role.embedding_projection.does": {
        "zh": "词嵌入只有 {input} 长，乘这个矩阵变成各层所用的长度 {out}。",
        "en": "The embeddings are {input} long; this matrix brings them to length {out}, which the layers use.",
    },
    "role.head_projection": {"zh": "输出头前的投影矩阵", "en": "projection before the output head"},
    "role.head_projection.does": {
        "zh": "把最后的向量从 {input} 变回词嵌入的长度 {out}，再送进输出头。",
        "en": "Brings the last vector from {input} back to the embeddings' length {out}, before the output head.",
    },
    # relatives of Llama
    "role.norm_before_attention_output": {"zh": "输出矩阵前的归一化", "en": "norm before the output matrix"},
    "role.norm_before_attention_output.does": {
        "zh": "各头的结果接起来以后、乘 W_o 之前再归一化：{out} 个系数，让只有三种取值的权重也算得稳。",
        "en": "Normalises the joined heads before W_o: {out} factors, which keep weights of only three values steady.",
    },
    "role.norm_before_down": {"zh": "降维矩阵前的归一化", "en": "norm before the down matrix"},
    "role.norm_before_down.does": {
        "zh": "gate 与 up 相乘以后、降维之前再归一化：加宽后的每个分量一个系数，共 {out} 个。",
        "en": "Normalises the product of gate and up before it is narrowed: one factor for each of its {out} elements.",
    },
    "role.difference_weight": {"zh": "差分注意力的 λ 向量", "en": "λ vector of differential attention"},
    "role.difference_weight.does": {
        "zh": "一层算两份注意力再相减，后一份乘 λ；λ 由四个这样的向量（各长 {out}）算出。",
        "en": "Two attentions are subtracted, the second times λ; four vectors like this one, {out} long, give λ.",
    },
    "role.activation_slope": {"zh": "激活函数的斜率（xIELU）", "en": "slope of the activation (xIELU)"},
    "role.activation_slope.does": {
        "zh": "激活函数自己也学：正数一侧、负数一侧各一个斜率，每层各有自己的。",
        "en": "The activation learns too: one slope for positive and one for negative inputs, in each layer.",
    },
    "role.activation_constant": {"zh": "激活函数的常数（xIELU）", "en": "constant of the activation (xIELU)"},
    "role.activation_constant.does": {
        "zh": "激活函数里固定的一个数；随模型保存，但不训练，不算参数。",
        "en": "A fixed number of the activation: stored with the model, never trained, no parameter.",
    },
    "role.mask_projection": {"zh": "动态掩码的矩阵", "en": "matrix of the dynamic mask"},
    "role.mask_projection.does": {
        "zh": "从每个 token 的值（长 {input}）给 {out} 个 kv 头各算一个分数，决定这个 token 要不要被看到。",
        "en": "Scores each token from its values (length {input}), once for each of {out} kv heads: whether it is to be seen.",
    },
    "role.mask_scale": {"zh": "动态掩码的系数", "en": "factors of the dynamic mask"},
    "role.mask_scale.does": {
        "zh": "每个 kv 头一个系数，共 {out} 个，乘在掩码的分数上。",
        "en": "One factor for each of {out} kv heads, multiplied with the mask's scores.",
    },
    "role.residual_scale": {"zh": "残差的系数", "en": "factors of the residual"},
    "role.residual_scale.does": {
        "zh": "绕过这一步的旧向量先逐个分量乘上这 {out} 个系数，再与新结果相加。",
        "en": "The vector that goes around the branch is multiplied by these {out} factors before the two are added.",
    },
    "role.expert_input_row": {"zh": "小专家的输入行（共 {experts} 个）", "en": "input rows of {experts} small experts"},
    "role.expert_input_row.does": {
        "zh": "每个专家只有一行，长 {out}：与向量相乘得一个数。每个 token 只用 {experts} 个里的 {chosen} 个。",
        "en": "Each expert is a single row of length {out} that gives one number; a token uses {chosen} of {experts}.",
    },
    "role.expert_output_row": {"zh": "小专家的输出行（共 {experts} 个）", "en": "output rows of {experts} small experts"},
    "role.expert_output_row.does": {
        "zh": "选中的 {chosen} 个专家各把自己的一行（长 {out}）乘上那个数，加到结果里。",
        "en": "Each of the {chosen} chosen experts adds its own row of length {out}, times that number.",
    },
    # norms of single heads
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
    # BERT and its relatives, and decoders that read an encoder
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
    # positions, segments, languages
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
