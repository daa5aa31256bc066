"""Roles of decoders with experts, latent attention and indexers."""

TEXTS = {
    "role.experts_gate": {"zh": "{experts} 个专家的 gate", "en": "gate of {experts} experts"},
    "role.experts_gate.does": {
        "zh": "{experts} 个专家叠成一摞，各把 {input} 变宽到 {out}，算出“开关”；一个 token 走其中 {chosen} 个。",
        "en": "A stack of {experts} experts, each widening {input} to {out} as a switch; a token goes through {chosen} of them.",
    },
    "role.router_zero.does": {
        "zh": "给 {out} 个选项各打一个分：{real} 个真正的专家，{zero} 个“零专家”。零专家没有参数，给它什么就原样交回什么；选中它的 token 少走一个专家。",
        "en": "Scores {out} choices: {real} experts and {zero} zero experts, which hold no parameters and hand back what they are given. "
        "A token that chooses one goes through one expert less.",
    },
    "role.experts_gate_up_zero.does": {
        "zh": "{real} 个专家各有自己的 gate 与 up（各宽 {band}），一个 token 最多走 {chosen} 个。transformers 的类给 {zero} 个零专家也留了位置，"
        "这里照数，但从不读取，公布的权重文件里也没有。",
        "en": "Each of {real} experts has its own gate and up ({band} wide each); a token goes through {chosen} at most. The class in "
        "transformers sets room aside for the {zero} zero experts too: counted here, never read, and not in the published checkpoint.",
    },
    "role.experts_down_zero.does": {
        "zh": "每个专家把自己的 {input} 变回 {out}；一个 token 最多走 {experts} 个里的 {chosen} 个，零专家没有这个矩阵。",
        "en": "Each expert narrows its {input} back to {out}; a token goes through {chosen} of the {experts} at most, and zero experts have "
        "no such matrix.",
    },
    "role.experts_up": {"zh": "{experts} 个专家的 up", "en": "up of {experts} experts"},
    "role.experts_up.does": {
        "zh": "每个专家自己的 up，与它的 gate 并排，把 {input} 变宽到 {out}；一个 token 走 {experts} 个里的 {chosen} 个。",
        "en": "Each expert's up, beside its gate, widens {input} to {out}; a token goes through {chosen} of the {experts}.",
    },
    "role.shared_expert_gate": {"zh": "共享专家的开关", "en": "gate of the shared expert"},
    "role.shared_expert_gate.does": {
        "zh": "给每个 token 算出一个数，决定共享专家的结果加进来多少。",
        "en": "One number for each token: how much of the shared expert's result is added.",
    },
    "role.expert_query": {"zh": "查询矩阵（每个专家一份）", "en": "query matrix, one for each expert"},
    "role.expert_query.does": {
        "zh": "注意力也有专家：{experts} 份查询矩阵，一个 token 用其中 {chosen} 份，键和值则大家共用。",
        "en": "Attention has experts too: {experts} query matrices, of which a token uses {chosen}; keys and values are shared.",
    },
    "role.expert_output": {"zh": "注意力的输出矩阵（每个专家一份）", "en": "attention output matrix, one for each expert"},
    "role.expert_output.does": {
        "zh": "与查询矩阵配对：把选中专家的注意力结果从 {input} 变回 {out}。",
        "en": "The partner of the query matrix: takes the chosen experts' attention from {input} back to {out}.",
    },
    "role.router_table": {"zh": "按 token 编号选专家的表（缓冲区）", "en": "table of experts by token id (a buffer)"},
    "role.router_table.does": {
        "zh": "最前几层不看内容，直接按 token 编号查出要走的 {out} 个专家；表是固定的，不算参数。",
        "en": "The first layers do not score: each token id has its {out} experts in this fixed table. No parameters.",
    },
    "role.ffn_scale": {"zh": "前馈网络的总系数", "en": "scale of the FFN"},
    "role.ffn_scale.does": {
        "zh": "一个学到的数，乘在前馈网络的结果上。",
        "en": "One learned number that the FFN's result is multiplied by.",
    },
    "role.attention_gate": {"zh": "注意力的输出门", "en": "output gate of attention"},
    "role.attention_gate.does": {
        "zh": "由输入算出 {out} 个门，乘在注意力的结果上，再交给输出矩阵：每个头、或每个分量一个。",
        "en": "Makes {out} gates out of the input, one for each head or each element; what attention gives is multiplied by them.",
    },
    "role.attention_sinks": {"zh": "注意力汇（sinks）", "en": "attention sinks"},
    "role.attention_sinks.does": {
        "zh": "每个查询头一个学到的分数，共 {out} 个：它和各 token 的分数一起过 softmax，却不交出任何值，"
        "于是一个头可以谁也不看。",
        "en": "One learned score for each of {out} heads: it enters the softmax beside the tokens' scores but hands over no value, "
        "so that a head may attend to nothing.",
    },
    "role.all_queries_norm": {"zh": "全部查询的归一化（QK-norm）", "en": "norm on all queries (QK-norm)"},
    "role.all_queries_norm.does": {
        "zh": "把所有查询头接在一起归一化，每个分量一个系数，共 {out} 个。",
        "en": "Normalises the query heads together, with one factor for each of their {out} elements.",
    },
    "role.all_keys_norm": {"zh": "全部键的归一化（QK-norm）", "en": "norm on all keys (QK-norm)"},
    "role.all_keys_norm.does": {
        "zh": "把所有键头接在一起归一化，每个分量一个系数，共 {out} 个。",
        "en": "Normalises the key heads together, with one factor for each of their {out} elements.",
    },
    "role.attention_result_norm": {"zh": "注意力结果的归一化", "en": "norm on what attention gives"},
    "role.attention_result_norm.does": {
        "zh": "线性注意力的结果大小不定，先缩放再乘上门控。",
        "en": "What linear attention gives varies in size: scaled here before the gate weighs it.",
    },
    "role.fixed_decay": {"zh": "各头遗忘的快慢（缓冲区）", "en": "how fast each head forgets (a buffer)"},
    "role.fixed_decay.does": {
        "zh": "线性注意力的每个头按固定的速度遗忘：这些数由头的序号算出，不学习，不算参数。",
        "en": "Each head of linear attention forgets at a fixed rate, computed from its place; nothing learned, no parameters.",
    },
    "role.query_up_gate": {"zh": "查询与输出门的升维矩阵（MLA）", "en": "query and output gate out of the latent (MLA)"},
    "role.query_up_gate.does": {
        "zh": "从潜向量同时展开出查询和输出门：{heads} 个头，每头共 {head_dim}。",
        "en": "Spreads the latent into queries and an output gate at once: {heads} heads, {head_dim} a head together.",
    },
    "role.norm_gate_down": {"zh": "归一化之后的门（降维）", "en": "gate after the norm, down"},
    "role.norm_gate_down.does": {
        "zh": "归一化之后先把 {input} 压到 {out}，好算出每个分量的门。",
        "en": "After the norm, presses {input} to {out}, out of which a gate for each element is made.",
    },
    "role.norm_gate_up": {"zh": "归一化之后的门（升维）", "en": "gate after the norm, up"},
    "role.norm_gate_up.does": {
        "zh": "再展开成 {out} 个门，逐个乘在归一化的结果上。",
        "en": "Spreads it into {out} gates, which multiply what the norm gave, element by element.",
    },
    "role.index_query": {"zh": "索引器的查询矩阵", "en": "query matrix of the indexer"},
    "role.index_query.does": {
        "zh": "索引器是一个很小的注意力，先挑出值得看的 token：这里算出它的 {heads} 个查询头，每个宽 {head_dim}。",
        "en": "The indexer is a small attention that picks the tokens worth reading: these are its {heads} query heads, {head_dim} wide.",
    },
    "role.index_key": {"zh": "索引器的键矩阵", "en": "key matrix of the indexer"},
    "role.index_key.does": {
        "zh": "索引器的键，所有头共用一个，长 {out}；它也要缓存。",
        "en": "The indexer's key, one for all its heads, of length {out}; it is cached too.",
    },
    "role.index_query_norm": {"zh": "索引器查询的归一化", "en": "norm on the indexer's queries"},
    "role.index_query_norm.does": {
        "zh": "每个索引查询头归一化，共用 {out} 个系数。",
        "en": "Normalises each index query head with {out} shared factors.",
    },
    "role.index_key_norm": {"zh": "索引器键的归一化", "en": "norm on the indexer's key"},
    "role.index_key_norm.does": {"zh": "对长 {out} 的索引键归一化。", "en": "Normalises the index key of length {out}."},
    "role.index_weights": {"zh": "索引器各头的权重矩阵", "en": "weights of the indexer's heads"},
    "role.index_weights.does": {
        "zh": "给索引器的 {out} 个头各算一个权重，加权后的总分决定挑哪些 token。",
        "en": "A weight for each of the indexer's {out} heads; the weighted sum of their scores decides which tokens are picked.",
    },
    "role.key_value": {"zh": "合并的 K、V 矩阵", "en": "key and value in one matrix"},
    "role.key_value.does": {
        "zh": "键和值并排放在一个矩阵里，一次乘完再切开。",
        "en": "Key and value side by side, multiplied at once and then cut apart.",
    },
    "role.single_key_value": {"zh": "键和值合一的矩阵", "en": "one head that is key and value"},
    "role.single_key_value.does": {
        "zh": "所有查询头共用一个长 {out} 的向量，它既当键又当值；缓存里只有它。",
        "en": "All query heads share one vector of length {out} that is key and value at once; only this is cached.",
    },
    "role.single_key_value_norm": {"zh": "键值的归一化", "en": "norm on the key-value"},
    "role.single_key_value_norm.does": {"zh": "对长 {out} 的键值归一化。", "en": "Normalises the key-value of length {out}."},
    "role.compressor_key_value": {"zh": "压缩器的键值矩阵", "en": "key-value matrix of the compressor"},
    "role.compressor_key_value.does": {
        "zh": "窗口以外的 token 每几个压成一个：这里算出要压的键值，长 {out}。",
        "en": "Beyond the window several tokens are pressed into one: this makes the key-values to be pressed, {out} long.",
    },
    "role.compressor_gate": {"zh": "压缩器的门", "en": "gate of the compressor"},
    "role.compressor_gate.does": {
        "zh": "决定被压的几个 token 各占多少，逐个分量算（{out} 个）。",
        "en": "Decides how much each of the pressed tokens counts, for each of {out} elements.",
    },
    "role.compressor_position": {"zh": "压缩器的位置偏置", "en": "place bias of the compressor"},
    "role.compressor_position.does": {
        "zh": "被压的 {input} 个 token 各有一行，加在门上：门由此知道先后。",
        "en": "A row for each of the {input} tokens pressed together, added to the gate: so it knows their order.",
    },
    "role.compressor_norm": {"zh": "压缩结果的归一化", "en": "norm on what was compressed"},
    "role.compressor_norm.does": {"zh": "对压成的向量归一化，长 {out}。", "en": "Normalises the pressed vector of length {out}."},
    "role.output_down": {"zh": "输出的降维矩阵（分组）", "en": "output down-projection, in groups"},
    "role.output_down.does": {
        "zh": "各头分成几组，每组 {input} 个数各自压缩，合起来长 {out}。",
        "en": "The heads form groups; each group's {input} numbers are pressed on their own, {out} in all.",
    },
    "role.output_up": {"zh": "输出的升维矩阵", "en": "output up-projection"},
    "role.output_up.does": {
        "zh": "把各组的结果合起来，回到长度 {out}。",
        "en": "Mixes the groups and comes back to length {out}.",
    },
    "role.stream_mixing": {"zh": "残差流的混合矩阵", "en": "mixing of the residual streams"},
    "role.stream_mixing.does": {
        "zh": "残差不是一条而是几条：它读全部 {input} 个数，算出 {out} 个系数，决定各条怎样混合。",
        "en": "There is not one residual stream but several: this reads all {input} numbers and gives the {out} weights that mix them.",
    },
    "role.stream_mixing_scale": {"zh": "混合系数的大小", "en": "scale of the mixing"},
    "role.stream_mixing_scale.does": {
        "zh": "学到的 {out} 个数，乘在混合系数上。",
        "en": "{out} learned numbers that the mixing weights are multiplied by.",
    },
    "role.relative_query": {"zh": "相对位置的查询矩阵", "en": "query matrix for relative positions"},
    "role.relative_query.does": {
        "zh": "每个 token 的每个头算出一小段向量，专门用来给距离打分。",
        "en": "Makes a short vector for each head of each token, used to score distances alone.",
    },
    "role.relative_scores": {"zh": "距离打分矩阵", "en": "scores of distances"},
    "role.relative_scores.does": {
        "zh": "把这段向量变成 {out} 个分数，前面每种距离一个，加到注意力分数上。",
        "en": "Turns that vector into {out} scores, one for each distance back, added to the attention scores.",
    },
    # hundreds of small experts
    "role.attention_gate_bias": {"zh": "注意力输出门的偏置", "en": "bias of attention's output gate"},
    "role.attention_gate_bias.does": {
        "zh": "每个头一个数，共 {out} 个：加到这个头所有的门上，再过 sigmoid。",
        "en": "One number for each of the {out} heads, added to all gates of the head before the sigmoid.",
    },
    # Zaya
    "role.stream_scale": {"zh": "主干的系数与偏移", "en": "factors of the residual stream"},
    "role.stream_scale.does": {
        "zh": "模块的结果加回主干时，{out} 个分量各乘一个学到的系数。",
        "en": "One learned factor for each of {out} elements when a block's result is added to the stream.",
    },
    "role.value_of_token": {"zh": "值矩阵：当前 token 的一半", "en": "value matrix: half from this token"},
    "role.value_of_token.does": {
        "zh": "值的前一半由当前 token 算出，{input} → {out}。",
        "en": "Half of the value comes from this token: {input} to {out}.",
    },
    "role.value_of_token_before": {"zh": "值矩阵：前一个 token 的一半", "en": "value matrix: half from the token before"},
    "role.value_of_token_before.does": {
        "zh": "值的后一半由前一个 token 算出，{input} → {out}。",
        "en": "The other half of the value comes from the token before: {input} to {out}.",
    },
    "role.convolution_of_heads": {"zh": "按头分组的卷积", "en": "convolution within heads"},
    "role.convolution_of_heads.does": {
        "zh": "每个头内部的通道彼此混合，同时看相邻的 token；{out} 个通道各有 {input} 个数。",
        "en": "Mixes the channels of each head with one another and with neighbouring tokens; {input} numbers for each of {out} channels.",
    },
    "role.key_temperature": {"zh": "键的温度", "en": "temperature of the keys"},
    "role.key_temperature.does": {
        "zh": "{out} 个键头各有一个数，决定注意力分得尖还是平。",
        "en": "One number for each of {out} key heads: whether attention is sharp or flat.",
    },
    "role.router_down": {"zh": "路由网络的降维矩阵", "en": "down-projection of the router network"},
    "role.router_down.does": {
        "zh": "路由不是一个矩阵，而是一个小网络：先把 {input} 压到 {out}。",
        "en": "The router is a small network, not one matrix: it first presses {input} into {out}.",
    },
    "role.router_inner": {"zh": "路由网络内部的矩阵", "en": "inner matrix of the router network"},
    "role.router_inner.does": {
        "zh": "在 {out} 个数之间再混合一次，之后过激活函数。",
        "en": "Mixes the {out} numbers once more, before the activation.",
    },
    "role.router_states_scale": {"zh": "承接上一层路由的系数", "en": "share of the router before"},
    "role.router_states_scale.does": {
        "zh": "{out} 个分量各有一个系数：上一层路由看到的内容带过来多少。",
        "en": "A factor for each of {out} elements: how much of what the router before saw is carried over.",
    },
    "role.norm_before_router": {"zh": "路由网络前的归一化", "en": "norm before the router network"},
    "role.norm_before_router.does": {
        "zh": "打分之前的缩放，共 {out} 个系数。",
        "en": "Scales the vector before the experts are scored; {out} factors.",
    },
}
