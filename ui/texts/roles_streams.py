"""Roles of what enters the residual stream beside attention and FFN: a table for each layer, n-grams, several streams at once."""

TEXTS = {
    # Gemma 3n and Gemma 4
    "role.layer_embedding": {"zh": "逐层的词嵌入表", "en": "embedding table for the layers"},
    "role.layer_embedding.does": {
        "zh": "每个 token 一行，长 {out}，切开后每层得到自己的一小段；只查表，不做乘法，可以放在较慢的存储里。",
        "en": "One row of {out} numbers for each token, cut into a short piece for every layer; only looked up, so slow memory will do.",
    },
    "role.layer_embedding_of_hidden": {
        "zh": "由词向量算逐层嵌入的矩阵",
        "en": "matrix that makes layer embeddings of the token's vector",
    },
    "role.layer_embedding_of_hidden.does": {
        "zh": "由长 {input} 的词向量再算出同样多的 {out} 个数，与逐层表查出的相加。",
        "en": "Makes as many numbers, {out}, from the token's vector of {input}, and adds them to those looked up.",
    },
    "role.layer_embedding_norm": {"zh": "逐层嵌入的归一化", "en": "norm on the layer embeddings"},
    "role.layer_embedding_norm.does": {
        "zh": "每层那一小段先归一化；所有层共用这 {out} 个系数。",
        "en": "Normalises each layer's piece; all layers share these {out} factors.",
    },
    "role.layer_input_gate": {"zh": "逐层嵌入的门控矩阵", "en": "gate matrix of the layer embedding"},
    "role.layer_input_gate.does": {
        "zh": "把 {input} 压到 {out}，作为开关与本层的那一小段嵌入逐元素相乘。",
        "en": "Presses {input} into {out} switches that multiply this layer's piece of embedding.",
    },
    "role.layer_input_up": {"zh": "逐层嵌入的升维矩阵", "en": "up-projection of the layer embedding"},
    "role.layer_input_up.does": {
        "zh": "把 {input} 变回 {out}，加回主干。",
        "en": "Widens {input} back to {out}, to be added to the stream.",
    },
    "role.norm_after_layer_input": {"zh": "加入逐层嵌入前的归一化", "en": "norm on what the layer embedding adds"},
    "role.norm_after_layer_input.does": {
        "zh": "加回主干之前再缩放一次：每个分量一个系数。",
        "en": "Scales it once more before it is added: one factor for each element.",
    },
    "role.layer_scalar": {"zh": "整层的系数（缓冲区）", "en": "factor of the layer (a buffer)"},
    "role.layer_scalar.does": {
        "zh": "整层的输出乘这一个数；存作缓冲区，不算参数。",
        "en": "One number that multiplies the layer's output; stored as a buffer, no parameter.",
    },
    "role.norm_before_altup": {"zh": "AltUp 路由前的归一化", "en": "norm before AltUp's router"},
    "role.norm_before_altup.does": {
        "zh": "先把向量缩放到稳定的大小，再算各份状态的混合比例。",
        "en": "Scales the vector to a steady size before the shares of the copies are worked out.",
    },
    "role.altup_router": {"zh": "AltUp 路由", "en": "AltUp router"},
    "role.altup_router.does": {
        "zh": "主干同时保留 {out} 份状态；这里算出 {out} 个数，决定它们怎样混合。",
        "en": "The stream keeps {out} copies of its state; this makes the {out} numbers that decide how they mix.",
    },
    "role.altup_prediction": {"zh": "AltUp 预测系数", "en": "AltUp prediction"},
    "role.altup_prediction.does": {
        "zh": "由 {input} 个数算出一张 {input} × {input} 的表：先猜每份状态过完这一层会变成什么。",
        "en": "Makes a table of {input} × {input} from {input} numbers: a guess at what each copy will be after the layer.",
    },
    "role.altup_correction": {"zh": "AltUp 修正系数", "en": "AltUp correction"},
    "role.altup_correction.does": {
        "zh": "真正算过的只有一份；用它的结果按这 {out} 个系数修正其余各份的猜测。",
        "en": "Only one copy really goes through the layer; its result corrects the guesses of all {out} by these factors.",
    },
    "role.altup_scale": {"zh": "AltUp 输出的系数", "en": "AltUp output scale"},
    "role.altup_scale.does": {"zh": "{out} 个分量各乘一个系数。", "en": "One factor for each of {out} elements."},
    "role.altup_copy": {"zh": "造出一份状态的矩阵", "en": "matrix that makes a copy of the state"},
    "role.altup_copy.does": {
        "zh": "进入各层之前，由词向量造出另一份长 {out} 的状态；每份一个矩阵。",
        "en": "Makes another state of {out} numbers from the token's vector before the layers; one matrix for each copy.",
    },
    "role.altup_join": {"zh": "并回一份状态的矩阵", "en": "matrix that joins a copy of the state"},
    "role.altup_join.does": {
        "zh": "所有层之后，把这份状态变换一下，再与其余各份取平均。",
        "en": "After all layers, turns this copy so that it can be averaged with the others.",
    },
    "role.laurel_down": {"zh": "LAuReL 降维矩阵", "en": "LAuReL down-projection"},
    "role.laurel_down.does": {
        "zh": "注意力旁边的一条小路：先把 {input} 压到 {out}。",
        "en": "A narrow path beside attention: presses {input} into {out}.",
    },
    "role.laurel_up": {"zh": "LAuReL 升维矩阵", "en": "LAuReL up-projection"},
    "role.laurel_up.does": {
        "zh": "再把 {input} 变回 {out}，与注意力的结果相加。",
        "en": "Widens {input} back to {out}, to be added to attention's result.",
    },
    "role.norm_after_laurel": {"zh": "LAuReL 之后的归一化", "en": "norm after LAuReL"},
    "role.norm_after_laurel.does": {
        "zh": "相加之前的缩放：每个分量一个系数。",
        "en": "Scales the path's result before it is added: one factor for each element.",
    },
    "role.router_scale": {"zh": "路由输入的系数", "en": "factors of the router's input"},
    "role.router_scale.does": {
        "zh": "打分之前，{out} 个分量各乘一个系数。",
        "en": "One factor for each of {out} elements before the experts are scored.",
    },
    "role.expert_scale": {"zh": "每个专家的系数", "en": "factor of each expert"},
    "role.expert_scale.does": {
        "zh": "{out} 个专家各有一个系数，乘在它的权重上。",
        "en": "One factor for each of {out} experts, on its weight.",
    },
    "role.norm_before_experts": {"zh": "专家前的归一化", "en": "norm before the experts"},
    "role.norm_before_experts.does": {
        "zh": "送进专家之前的缩放：每个分量一个系数。",
        "en": "Scales the vector before the experts: one factor for each element.",
    },
    "role.norm_after_experts": {"zh": "专家后的归一化", "en": "norm after the experts"},
    "role.norm_after_experts.does": {
        "zh": "专家的结果与并排的前馈网络相加之前，先缩放一次。",
        "en": "Scales what the experts give before it is added to the FFN beside them.",
    },
    # Qwen4-Exp
    "role.hyper_connection_down": {"zh": "超连接的降维矩阵", "en": "hyper-connection down-projection"},
    "role.hyper_connection_down.does": {
        "zh": "主干同时保留几份状态，首尾相接共 {input} 个数；先压到 {out}。",
        "en": "The stream keeps several copies of its state, {input} numbers end to end; this presses them into {out}.",
    },
    "role.hyper_connection_up": {"zh": "超连接的升维矩阵", "en": "hyper-connection up-projection"},
    "role.hyper_connection_up.does": {
        "zh": "再展开成 {out} 个开关，决定各份状态怎样合成这个模块的输入。",
        "en": "Spreads them into {out} switches: how the copies make up the block's input.",
    },
    "role.hyper_connection_write": {"zh": "超连接的写回矩阵", "en": "hyper-connection write matrix"},
    "role.hyper_connection_write.does": {
        "zh": "算出 {out} 个数：模块的结果分别往 {out} 份状态里加多少。",
        "en": "Makes {out} numbers: how much of the block's result each of the {out} copies takes.",
    },
    "role.index_query_key": {"zh": "索引器的查询与键", "en": "index queries and key in one matrix"},
    "role.index_query_key.does": {
        "zh": "一个小注意力，先挑出值得看的 token 块；查询与唯一的键并排，共 {out} 列。",
        "en": "A small attention that picks the blocks of tokens worth looking at; queries and the one key side by side, {out} columns.",
    },
    "role.ngram_table": {"zh": "n 元词组嵌入表", "en": "n-gram embedding table"},
    "role.ngram_table.does": {
        "zh": "相邻几个 token 的编号合起来算出行号，在 {input} 行里查一行，得到长 {out} 的一段；只查表。",
        "en": "The ids of neighbouring tokens together give a row number; one of {input} rows is looked up, {out} numbers long.",
    },
    "role.ngram_hash": {"zh": "n 元词组的行号算法（缓冲区）", "en": "how n-grams find their rows (a buffer)"},
    "role.ngram_hash.does": {
        "zh": "算行号用的 {out} 个整数，固定不变，不算参数。",
        "en": "{out} fixed integers that the row number is worked out with; no parameters.",
    },
    "role.ngram_key": {"zh": "n 元词组的键矩阵", "en": "n-gram key matrix"},
    "role.ngram_key.does": {
        "zh": "由查出的 {input} 个数算出键，与当前状态比一比，决定收进多少。",
        "en": "Makes keys from the {input} numbers looked up; compared with the state, they decide how much is taken in.",
    },
    "role.ngram_value": {"zh": "n 元词组的值矩阵", "en": "n-gram value matrix"},
    "role.ngram_value.does": {
        "zh": "由查出的 {input} 个数算出要加进主干的 {out} 个数。",
        "en": "Makes the {out} numbers that are added to the stream from the {input} looked up.",
    },
    "role.ngram_key_norm": {"zh": "n 元词组键的归一化", "en": "norm on the n-gram keys"},
    "role.ngram_key_norm.does": {
        "zh": "比较之前对键归一化，共 {out} 个系数。",
        "en": "Normalises the keys before they are compared; {out} factors.",
    },
    "role.ngram_query_norm": {"zh": "n 元词组查询的归一化", "en": "norm on the n-gram queries"},
    "role.ngram_query_norm.does": {
        "zh": "比较之前对状态归一化，共 {out} 个系数。",
        "en": "Normalises the state before it is compared; {out} factors.",
    },
    "role.norm_before_convolution": {"zh": "卷积前的归一化", "en": "norm before the convolution"},
    "role.norm_before_convolution.does": {
        "zh": "送进短卷积之前的缩放，共 {out} 个系数。",
        "en": "Scales the vector before the short convolution; {out} factors.",
    },
}
