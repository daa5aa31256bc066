"""Names and sentences of linear attention and recurrent mixers; see `ui.texts.roles`."""

TEXTS = {
    "role.query_and_gate": {"zh": "查询与门控合一的矩阵", "en": "query and gate in one matrix"},
    "role.query_and_gate.does": {
        "zh": "{heads} 个头，每个头 {head_dim} 列：一半是查询，另一半是门控，用来放大或压低这个头的输出。",
        "en": "{heads} heads of {head_dim} columns: half of each is the query, the other half a gate on what the head gives.",
    },
    "role.linear_query": {"zh": "线性注意力的查询矩阵", "en": "query matrix of linear attention"},
    "role.linear_query.does": {
        "zh": "算出用什么去读状态：{heads} 个头，每个宽 {head_dim}。",
        "en": "Makes what the state is read with: {heads} heads, {head_dim} wide each.",
    },
    "role.linear_key": {"zh": "线性注意力的键矩阵", "en": "key matrix of linear attention"},
    "role.linear_key.does": {
        "zh": "算出写到状态的什么地方：{heads} 个头，每个宽 {head_dim}。状态大小固定，没有越来越长的 KV 缓存。",
        "en": "Makes where in the state to write: {heads} heads, {head_dim} wide each. The state has a fixed size; no KV cache grows.",
    },
    "role.linear_value": {"zh": "线性注意力的值矩阵", "en": "value matrix of linear attention"},
    "role.linear_value.does": {
        "zh": "算出往状态里写什么：{heads} 个头，每个宽 {head_dim}。",
        "en": "Makes what is written to the state: {heads} heads, {head_dim} wide each.",
    },
    "role.linear_query_key_value": {
        "zh": "线性注意力合并的 Q、K、V 矩阵",
        "en": "query, key and value of linear attention in one matrix",
    },
    "role.linear_query_key_value.does": {
        "zh": "查询、键、值并排放在一个矩阵里，共 {out} 列，随后一起过短卷积。",
        "en": "Query, key and value side by side, {out} columns, which then pass the short convolution together.",
    },
    "role.linear_query_key_value_gate": {
        "zh": "线性注意力合并的 Q、K、V 与门控",
        "en": "query, key, value and gate of linear attention in one",
    },
    "role.linear_query_key_value_gate.does": {
        "zh": "查询、键、值和输出门控并排放在一个矩阵里，共 {out} 列，一次乘完再切开。",
        "en": "Query, key, value and the output gate side by side, {out} columns, multiplied at once and then cut apart.",
    },
    "role.linear_gate": {"zh": "输出门控矩阵", "en": "output gate matrix"},
    "role.linear_gate.does": {
        "zh": "算出 {out} 个开关，与读出的结果逐元素相乘。",
        "en": "Makes {out} switches that multiply what was read, element by element.",
    },
    "role.linear_gate_down": {"zh": "输出门控的降维矩阵", "en": "output gate down-projection"},
    "role.linear_gate_down.does": {
        "zh": "先把 {input} 压到 {out}，再由下一个矩阵展开成门控，省参数。",
        "en": "Presses {input} into {out}, which the next matrix spreads into the gate; saves parameters.",
    },
    "role.linear_write": {"zh": "写入强度矩阵（β）", "en": "write-strength matrix (β)"},
    "role.linear_write.does": {
        "zh": "给 {out} 个头各算一个数：这个 token 要往状态里写多少。",
        "en": "One number for each of {out} heads: how strongly this token is written to the state.",
    },
    "role.linear_decay": {"zh": "遗忘强度矩阵（α）", "en": "decay matrix (α)"},
    "role.linear_decay.does": {
        "zh": "由当前 token 算出 {out} 个数：旧的状态要忘掉多少。",
        "en": "Makes {out} numbers from the token: how much of the old state is forgotten.",
    },
    "role.linear_decay_down": {"zh": "遗忘强度的降维矩阵", "en": "decay down-projection"},
    "role.linear_decay_down.does": {
        "zh": "先把 {input} 压到 {out}，再由下一个矩阵展开成遗忘强度，省参数。",
        "en": "Presses {input} into {out}, which the next matrix spreads into the decay; saves parameters.",
    },
    "role.linear_write_and_decay": {"zh": "写入与遗忘强度合一的矩阵", "en": "write strength and decay in one matrix"},
    "role.linear_write_and_decay.does": {
        "zh": "给每个头各算两个数，共 {out} 个：写多少，忘多少。",
        "en": "Two numbers for each head, {out} in all: how much to write and how much to forget.",
    },
    "role.linear_value_norm": {"zh": "读出结果的归一化", "en": "norm on what is read"},
    "role.linear_value_norm.does": {
        "zh": "每个头读出的结果先归一化；所有头共用这 {out} 个系数。",
        "en": "Normalises what each head reads; all heads share these {out} factors.",
    },
    "role.time_mix": {"zh": "与前一个 token 的混合比例", "en": "share of the token before"},
    "role.time_mix.does": {
        "zh": "{out} 个分量各有一个比例：当前 token 占多少，前一个 token 占多少。",
        "en": "A share for each of {out} elements: how much comes from this token, how much from the one before.",
    },
    "role.recurrent_key": {"zh": "键矩阵（RWKV）", "en": "key matrix (RWKV)"},
    "role.recurrent_key.does": {
        "zh": "算出 {out} 个权重：这个 token 在累加平均里有多重要。",
        "en": "Makes {out} weights: how much this token counts in the running average.",
    },
    "role.recurrent_value": {"zh": "值矩阵（循环层）", "en": "value matrix (recurrent)"},
    "role.recurrent_value.does": {
        "zh": "算出 {out} 个数，这就是要记进循环状态里的内容。",
        "en": "Makes the {out} numbers that are taken into the recurrent state.",
    },
    "role.receptance": {"zh": "接收矩阵（receptance）", "en": "receptance matrix"},
    "role.receptance.does": {
        "zh": "算出 {out} 个 0 到 1 之间的开关，决定结果有多少能通过。",
        "en": "Makes {out} switches between 0 and 1: how much of the result may pass.",
    },
    "role.time_decay": {"zh": "遗忘的速度", "en": "rates of forgetting"},
    "role.time_decay.does": {
        "zh": "{out} 个通道各有一个学到的速度，越久以前的 token 影响越小。",
        "en": "Each of {out} channels has a learned rate; the longer ago a token, the less it counts.",
    },
    "role.time_first": {"zh": "当前 token 的额外权重", "en": "extra weight of the current token"},
    "role.time_first.does": {
        "zh": "{out} 个通道各给当前 token 一点额外的权重，不受遗忘影响。",
        "en": "Gives the current token an extra weight in each of {out} channels, untouched by forgetting.",
    },
    "role.recurrent_gate": {"zh": "循环块的门控矩阵", "en": "gate matrix of the recurrent block"},
    "role.recurrent_gate.does": {
        "zh": "算出 {out} 个开关，与循环那一支的结果逐元素相乘。",
        "en": "Makes {out} switches that multiply what the recurrent branch gives.",
    },
    "role.recurrent_input_gate": {"zh": "循环单元的输入门", "en": "input gate of the recurrent unit"},
    "role.recurrent_input_gate.does": {
        "zh": "决定新内容记多少；矩阵是块对角的：每个头只看自己的 {input} 个数。",
        "en": "Decides how much of the new is taken in; block-diagonal: each head reads only its own {input} numbers.",
    },
    "role.recurrent_forget_gate": {"zh": "循环单元的遗忘门", "en": "forget gate of the recurrent unit"},
    "role.recurrent_forget_gate.does": {
        "zh": "决定旧内容忘多少；矩阵是块对角的：每个头只看自己的 {input} 个数。",
        "en": "Decides how much of the old is forgotten; block-diagonal: each head reads only its own {input} numbers.",
    },
}
