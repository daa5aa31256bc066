"""What each tensor is called and does, by its role: `role.NAME` is the title, `role.NAME.does` one sentence."""

TEXTS = {
    "role.token_embedding": {"zh": "词嵌入表（embedding）", "en": "token embedding table"},
    "role.token_embedding.does": {
        "zh": "每个 token 编号对应表里的一行：查出这一行就得到长度 {out} 的向量，不做任何乘法。",
        "en": "Each token id has one row here: looking it up gives a vector of length {out}. Nothing is multiplied.",
    },
    "role.position_embedding": {"zh": "位置嵌入表（position embedding）", "en": "position embedding table"},
    "role.position_embedding.does": {
        "zh": "每个位置一行，共 {input} 行，查出后加到词向量上；序列不能比它更长。",
        "en": "One row for each of {input} positions, added to the token's vector; no sequence can be longer.",
    },
    "role.position_embedding_more.does": {
        "zh": "每个位置一行，查出后加到词向量上；共 {input} 行（{rows}），开头几行留给填充位（padding）。",
        "en": "One row for each position, added to the token's vector: {input} rows ({rows}), the first few set aside for padding.",
    },
    "role.norm_before_attention": {"zh": "注意力前的归一化", "en": "norm before attention"},
    "role.norm_before_attention.does": {
        "zh": "先把向量缩放到稳定的大小，再送进注意力：每个分量乘一个学到的系数。",
        "en": "Scales the vector to a steady size before attention, with one learned factor for each element.",
    },
    "role.query": {"zh": "查询矩阵 W_q（query）", "en": "query matrix W_q"},
    "role.query.does": {
        "zh": "算出每个 token 要找什么：{heads} 个头是这一个矩阵里的 {heads} 条竖条，每条宽 {head_dim}；切成头不增加参数。",
        "en": "Makes what each token looks for. The {heads} heads are {heads} stripes of this one matrix, {head_dim} wide; splitting adds no parameters.",
    },
    "role.key": {"zh": "键矩阵 W_k（key）", "en": "key matrix W_k"},
    "role.key.does": {
        "zh": "算出每个 token 拿什么给别人找：{heads} 个头，每个宽 {head_dim}，结果存进 KV 缓存。",
        "en": "Makes what each token can be found by: {heads} heads, {head_dim} wide each; the result goes into the KV cache.",
    },
    "role.key_shared": {"zh": "键矩阵 W_k（key）", "en": "key matrix W_k"},
    "role.key_shared.does": {
        "zh": "每 {group} 个查询头共用 1 个 kv 头（GQA），所以输出只有 {heads} × {head_dim} = {out}，KV 缓存也小到 1/{group}。",
        "en": "{group} query heads share one kv head (GQA), so only {heads} × {head_dim} = {out} come out, and the KV cache shrinks to 1/{group}.",
    },
    "role.or": {"zh": " 或 ", "en": " or "},
    "role.key_shared_by_layer.does": {
        "zh": "看是哪一层，每 {groups} 个查询头共用 1 个 kv 头（GQA），所以输出只有 {heads} × {head_dim} = {out}，KV 缓存也只存这些。",
        "en": "Depending on the layer, {groups} query heads share one kv head (GQA), so only {heads} × {head_dim} = {out} come out, and the KV cache holds no more.",
    },
    "role.value": {"zh": "值矩阵 W_v（value）", "en": "value matrix W_v"},
    "role.value.does": {
        "zh": "算出每个 token 被找到后交出什么：{heads} 个头，每个宽 {head_dim}，结果存进 KV 缓存。",
        "en": "Makes what each token hands over once found: {heads} heads, {head_dim} wide each; the result goes into the KV cache.",
    },
    "role.value_shared": {"zh": "值矩阵 W_v（value）", "en": "value matrix W_v"},
    "role.value_shared.does": {
        "zh": "与 W_k 同样变窄：每 {group} 个查询头共用 1 个 kv 头，输出 {heads} × {head_dim} = {out}。",
        "en": "As narrow as W_k: {group} query heads share one kv head, so {heads} × {head_dim} = {out} come out.",
    },
    "role.value_shared_by_layer.does": {
        "zh": "与 W_k 同样变窄：看是哪一层，每 {groups} 个查询头共用 1 个 kv 头，输出 {heads} × {head_dim} = {out}。",
        "en": "As narrow as W_k: depending on the layer, {groups} query heads share one kv head, so {heads} × {head_dim} = {out} come out.",
    },
    "role.query_key_value": {"zh": "合并的 Q、K、V 矩阵", "en": "query, key and value in one matrix"},
    "role.query_key_value.does": {
        "zh": "查询、键、值并排放在一个矩阵里，一次乘完再切开；参数量与分成三个矩阵时相同。",
        "en": "Query, key and value side by side, multiplied at once and then cut apart; as many parameters as three matrices.",
    },
    "role.query_norm": {"zh": "查询头的归一化（QK-norm）", "en": "norm on query heads (QK-norm)"},
    "role.query_norm.does": {
        "zh": "每个查询头算完后再归一化；所有头共用这 {out} 个系数。",
        "en": "Normalises each query head; all heads share these {out} factors.",
    },
    "role.key_norm": {"zh": "键头的归一化（QK-norm）", "en": "norm on key heads (QK-norm)"},
    "role.key_norm.does": {
        "zh": "每个键头算完后再归一化；所有头共用这 {out} 个系数。",
        "en": "Normalises each key head; all heads share these {out} factors.",
    },
    "role.attention_output": {"zh": "输出矩阵 W_o", "en": "output matrix W_o"},
    "role.attention_output.does": {
        "zh": "把 {heads} 个头的结果首尾相接（{heads} × {head_dim} = {heads_length}），混合后回到长度 {out}；头在这里是横条。",
        "en": "Takes the {heads} heads joined end to end ({heads} × {head_dim} = {heads_length}) and mixes them back to length {out}; here the heads are rows.",
    },
    "role.norm_before_ffn": {"zh": "前馈网络前的归一化", "en": "norm before the FFN"},
    "role.norm_before_ffn.does": {
        "zh": "注意力之后、前馈网络之前，再把向量缩放到稳定的大小：每个分量一个系数。",
        "en": "Between attention and the FFN, scales the vector to a steady size again: one factor for each element.",
    },
    "role.gate": {"zh": "门控矩阵（gate）", "en": "gate matrix"},
    "role.gate.does": {
        "zh": "把向量从 {input} 变宽到 {out}，算出“开关”：与 up 的结果逐元素相乘，再由 down 变回来。",
        "en": "Widens the vector from {input} to {out} and works as a switch: multiplied element by element with what up gives, then narrowed by down.",
    },
    "role.up": {"zh": "升维矩阵（up）", "en": "up matrix"},
    "role.up.does": {
        "zh": "与 gate 并排，同样把 {input} 变宽到 {out}；门控的前馈网络因此有三个矩阵，不是两个。",
        "en": "Beside gate, widens {input} to {out} as well; that is why a gated FFN has three matrices, not two.",
    },
    "role.gate_up": {"zh": "合并的 gate 与 up", "en": "gate and up in one matrix"},
    "role.gate_up.does": {
        "zh": "gate 与 up 并排放在一个矩阵里（各宽 {band}），一次乘完再切成两半。",
        "en": "Gate and up side by side ({band} wide each), multiplied at once and then cut in half.",
    },
    "role.down": {"zh": "降维矩阵（down）", "en": "down matrix"},
    "role.down.does": {
        "zh": "把 {input} 变回 {out}，好让下一层接着用：向量从头到尾都是长度 {out}。",
        "en": "Narrows {input} back to {out} for the next layer: the vector keeps length {out} all the way.",
    },
    "role.widen": {"zh": "前馈网络的第一个矩阵", "en": "first FFN matrix"},
    "role.widen.does": {
        "zh": "把向量从 {input} 变宽到 {out}，之后过激活函数；没有门控，所以前馈网络只有两个矩阵。",
        "en": "Widens the vector from {input} to {out}, before the activation; without a gate the FFN has two matrices only.",
    },
    "role.narrow": {"zh": "前馈网络的第二个矩阵", "en": "second FFN matrix"},
    "role.narrow.does": {"zh": "把 {input} 变回 {out}。", "en": "Narrows {input} back to {out}."},
    "role.router": {"zh": "路由（router）", "en": "router"},
    "role.router.does": {
        "zh": "给 {out} 个专家各打一个分，每个 token 只走分数最高的几个。",
        "en": "Scores each of the {out} experts; a token goes through the best few only.",
    },
    "role.router_correction": {"zh": "路由的均衡偏置（缓冲区）", "en": "router balance bias (a buffer)"},
    "role.router_correction.does": {
        "zh": "训练时用来平衡 {out} 个专家的负担；它不由梯度学习，存作缓冲区，不算参数。",
        "en": "Balances the load of the {out} experts in training; not learned by gradient, stored as a buffer, no parameter.",
    },
    "role.experts_gate_up": {"zh": "{experts} 个专家的 gate 与 up", "en": "gate and up of {experts} experts"},
    "role.experts_gate_up.does": {
        "zh": "{experts} 个专家叠成一摞，每个都有自己的 gate 与 up（各宽 {band}）；一个 token 只走其中 {chosen} 个。",
        "en": "A stack of {experts} experts, each with its own gate and up ({band} wide each); a token goes through {chosen} of them.",
    },
    "role.experts_down": {"zh": "{experts} 个专家的 down", "en": "down of {experts} experts"},
    "role.experts_down.does": {
        "zh": "每个专家把自己的 {input} 变回 {out}；一个 token 只走 {experts} 个里的 {chosen} 个。",
        "en": "Each expert narrows its {input} back to {out}; a token goes through {chosen} of the {experts}.",
    },
    "role.query_down": {"zh": "查询的降维矩阵（MLA）", "en": "query down-projection (MLA)"},
    "role.query_down.does": {
        "zh": "先把 {input} 压成长 {out} 的潜向量，再由下一个矩阵展开成各个头。",
        "en": "Presses {input} into a latent of length {out}, which the next matrix spreads into heads.",
    },
    "role.query_latent_norm": {"zh": "查询潜向量的归一化", "en": "norm on the query's latent"},
    "role.query_latent_norm.does": {"zh": "对长 {out} 的潜向量归一化。", "en": "Normalises the latent of length {out}."},
    "role.query_up": {"zh": "查询的升维矩阵（MLA）", "en": "query up-projection (MLA)"},
    "role.query_up.does": {
        "zh": "从潜向量展开出 {heads} 个查询头，每个宽 {head_dim}（一部分带位置）。",
        "en": "Spreads the latent into {heads} query heads, {head_dim} wide each (a part of it carries position).",
    },
    "role.key_value_down": {"zh": "键值的降维矩阵（MLA）", "en": "key-value down-projection (MLA)"},
    "role.key_value_down.does": {
        "zh": "键和值合压成一个潜向量（加上带位置的一小段，共 {out}）；缓存里只存它，所以 KV 缓存很小。",
        "en": "Presses keys and values into one latent (with a short piece that carries position, {out} in all); only this is cached, so the KV cache is small.",
    },
    "role.key_value_latent_norm": {"zh": "键值潜向量的归一化", "en": "norm on the key-value latent"},
    "role.key_value_latent_norm.does": {"zh": "对长 {out} 的潜向量归一化。", "en": "Normalises the latent of length {out}."},
    "role.key_value_up": {"zh": "键值的升维矩阵（MLA）", "en": "key-value up-projection (MLA)"},
    "role.key_value_up.does": {
        "zh": "从潜向量展开出 {heads} 个头的键和值，每头共 {head_dim}。",
        "en": "Spreads the latent into the keys and values of {heads} heads, {head_dim} a head together.",
    },
    "role.final_norm": {"zh": "最后的归一化", "en": "final norm"},
    "role.final_norm.does": {
        "zh": "全部 {layers} 层之后、输出头之前的最后一次缩放；整个模型只有一份。",
        "en": "The last scaling, after all {layers} layers and before the output head; the model has just one.",
    },
    "role.lm_head": {"zh": "输出头（lm_head）", "en": "output head (lm_head)"},
    "role.lm_head.does": {
        "zh": "把最后的向量变成 {out} 个分数，词表里每个 token 一个；分数最高的最可能是下一个。",
        "en": "Turns the last vector into {out} scores, one for each token of the vocabulary.",
    },
    "role.lm_head_tied": {"zh": "输出头（与词嵌入共用）", "en": "output head (tied)"},
    "role.lm_head_tied.does": {
        "zh": "没有自己的参数：直接用词嵌入表的 {out} 行算分数（tied）。参数只数一次，乘法照样要做。",
        "en": "Has no parameters of its own: the {out} rows of the embedding table serve again (tied). Counted once, multiplied all the same.",
    },
    "role.norm_before_cross_attention": {"zh": "交叉注意力前的归一化", "en": "norm before cross-attention"},
    "role.norm_before_cross_attention.does": {
        "zh": "交叉注意力之前的缩放：每个分量一个系数。",
        "en": "Scales the vector before cross-attention: one factor for each element.",
    },
    "role.cross_query": {"zh": "交叉注意力的查询矩阵", "en": "cross-attention query matrix"},
    "role.cross_query.does": {
        "zh": "从解码器这边算出查询，去问编码器的输出。",
        "en": "Makes the decoder's queries to the encoder's output.",
    },
    "role.cross_key_value": {"zh": "交叉注意力的 K、V 矩阵", "en": "cross-attention key and value matrix"},
    "role.cross_key_value.does": {
        "zh": "从编码器的输出算出键和值，两者并排放在一个矩阵里。",
        "en": "Makes keys and values from the encoder's output, side by side in one matrix.",
    },
    "role.cross_output": {"zh": "交叉注意力的输出矩阵", "en": "cross-attention output matrix"},
    "role.cross_output.does": {
        "zh": "把各头的结果接起来，混合后回到长度 {out}。",
        "en": "Joins the heads and mixes them back to length {out}.",
    },
    "role.bias": {"zh": "{title}的偏置（bias）", "en": "bias of the {title}"},
    "role.bias.does": {
        "zh": "加在输出上：每个输出一个数，共 {out} 个。",
        "en": "Added to the output: one number for each of the {out} outputs.",
    },
    "role.bias_of_experts.does": {
        "zh": "加在输出上：{experts} 个专家各有自己的一份，每份 {out} 个数。",
        "en": "Added to the output: each of the {experts} experts has its own {out} numbers.",
    },
}
