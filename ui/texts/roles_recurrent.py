"""Roles of linear attention, state-space mixers, short convolutions and layers run several times."""

TEXTS = {
    # linear attention and gated recurrences
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
    # state-space mixers and short convolutions
    "role.norm_before_mixer": {"zh": "混合层前的归一化", "en": "norm before the mixer"},
    "role.norm_before_mixer.does": {
        "zh": "先把向量缩放到稳定的大小，再送进本层的注意力或代替注意力的模块：每个分量乘一个学到的系数。",
        "en": "Scales the vector to a steady size before attention, or what stands in for it: one learned factor for each element.",
    },
    "role.norm_after_mixer": {"zh": "混合层后的归一化", "en": "norm after the mixer"},
    "role.norm_after_mixer.does": {
        "zh": "注意力或卷积算完之后再缩放一次，然后才加回主干：每个分量一个系数。",
        "en": "Scales what attention or the convolution gives once more before it is added: one factor for each element.",
    },
    "role.state_space_input": {"zh": "状态空间的输入矩阵", "en": "state-space input matrix"},
    "role.state_space_input.does": {
        "zh": "把长 {input} 的向量变成两份，共 {out}：一份送进卷积和状态，另一份作门控，最后与结果逐元素相乘。",
        "en": "Turns {input} numbers into two halves, {out} in all: one goes through the convolution and the state, the other is the gate that multiplies the result.",
    },
    "role.state_space_inputs": {
        "zh": "状态空间的合并输入矩阵（Mamba-2）",
        "en": "state-space input matrix, all in one (Mamba-2)",
    },
    "role.state_space_inputs.does": {
        "zh": "一次乘出 {out} 个数：门控、要写入的值、怎样写（B）、怎样读（C），以及每个头的步长。",
        "en": "Makes {out} numbers at once: the gate, the value, how to write it (B), how to read it (C), and a step size for each head.",
    },
    "role.convolution": {"zh": "短卷积（convolution）", "en": "short convolution"},
    "role.convolution.does": {
        "zh": "{out} 个通道各有一个长 {input} 的卷积核，只看最近 {input} 个 token，让相邻的 token 先互通消息。",
        "en": "Each of {out} channels has a kernel of its own and looks at the last {input} tokens, so that neighbours mix first.",
    },
    "role.state_space_selection": {"zh": "选择矩阵（步长、B 与 C）", "en": "selection matrix (step size, B and C)"},
    "role.state_space_selection.does": {
        "zh": "由当前 token 决定往状态里写什么、读什么、步子迈多大：Mamba 的“选择”就在这里。",
        "en": "Lets the token decide what is written to the state, what is read from it, and how big the step is: Mamba's selection.",
    },
    "role.time_step": {"zh": "步长矩阵（Δ）", "en": "step-size matrix (Δ)"},
    "role.time_step.does": {
        "zh": "把 {input} 个数展开成 {out} 个步长：步子大就多记新的、多忘旧的。",
        "en": "Spreads {input} numbers into {out} step sizes: a big step takes in more of the new and forgets more of the old.",
    },
    "role.time_step_norm": {"zh": "步长的归一化", "en": "norm on the step size"},
    "role.time_step_norm.does": {
        "zh": "展开步长之前先归一化，共 {out} 个系数。",
        "en": "Normalises the step size before it is spread; {out} factors.",
    },
    "role.state_write_norm": {"zh": "写入方向 B 的归一化", "en": "norm on what is written (B)"},
    "role.state_write_norm.does": {
        "zh": "对写入状态的 {out} 个数归一化。",
        "en": "Normalises the {out} numbers that are written to the state.",
    },
    "role.state_read_norm": {"zh": "读出方向 C 的归一化", "en": "norm on what is read (C)"},
    "role.state_read_norm.does": {
        "zh": "对读出状态的 {out} 个数归一化。",
        "en": "Normalises the {out} numbers that read the state.",
    },
    "role.state_decay": {"zh": "衰减率（A_log）", "en": "decay rates (A_log)"},
    "role.state_decay.does": {
        "zh": "{out} 个通道各有 {input} 个状态数，每个数按自己的速度淡忘；存的是速度的对数。",
        "en": "Each of {out} channels keeps {input} numbers of state, each fading at its own rate; the logarithm is stored.",
    },
    "role.state_decay_of_heads": {"zh": "每个头的衰减率（A_log）", "en": "decay rate of each head (A_log)"},
    "role.state_decay_of_heads.does": {
        "zh": "{out} 个头各有一个淡忘的速度；存的是速度的对数。",
        "en": "Each of {out} heads fades at a rate of its own; the logarithm is stored.",
    },
    "role.state_skip": {"zh": "直通系数（D）", "en": "skip factors (D)"},
    "role.state_skip.does": {
        "zh": "{out} 个通道各有一个系数，让输入绕过状态直接加到结果上。",
        "en": "A factor for each of {out} channels: how much of the input passes by the state straight to the result.",
    },
    "role.state_skip_of_heads": {"zh": "每个头的直通系数（D）", "en": "skip factor of each head (D)"},
    "role.state_skip_of_heads.does": {
        "zh": "{out} 个头各有一个系数，让输入绕过状态直接加到结果上。",
        "en": "A factor for each of {out} heads: how much of the input passes by the state straight to the result.",
    },
    "role.mixer_norm": {"zh": "输出前的归一化", "en": "norm before the output"},
    "role.mixer_norm.does": {
        "zh": "状态读出的结果先归一化（{out} 个系数），再送进输出矩阵。",
        "en": "Normalises what was read from the state ({out} factors) before the output matrix.",
    },
    "role.mixer_output": {"zh": "混合层的输出矩阵", "en": "output matrix of the mixer"},
    "role.mixer_output.does": {
        "zh": "把 {input} 个数混合后变回长度 {out}，加回主干；它的位置相当于注意力的 W_o。",
        "en": "Mixes {input} numbers back to length {out}, to be added to the stream; it stands where attention has W_o.",
    },
    "role.short_convolution_input": {"zh": "短卷积的输入矩阵", "en": "input matrix of the short convolution"},
    "role.short_convolution_input.does": {
        "zh": "一次乘出三份，共 {out}：一份过卷积，另两份分别在卷积前后作门控。",
        "en": "Makes three parts at once, {out} in all: one passes the convolution, the others gate it before and after.",
    },
    "role.shared_block_output": {"zh": "共用块的输出矩阵", "en": "output matrix of the shared block"},
    "role.shared_block_output.does": {
        "zh": "几层共用同一个 Transformer 块；这个矩阵不共用，把块的结果变成本层要的样子。",
        "en": "Several layers share one transformer block; this matrix is each layer's own and fits the block's result to it.",
    },
    "role.shared_block_adapter_down": {"zh": "适配器的降维矩阵（LoRA）", "en": "adapter down-projection (LoRA)"},
    "role.shared_block_adapter_down.does": {
        "zh": "共用块每次使用都配一对小矩阵，这是第一个：把 {input} 压到 {out}。",
        "en": "Each use of the shared block has a pair of small matrices; this one presses {input} into {out}.",
    },
    "role.shared_block_adapter_up": {"zh": "适配器的升维矩阵（LoRA）", "en": "adapter up-projection (LoRA)"},
    "role.shared_block_adapter_up.does": {
        "zh": "再把 {input} 展开到 {out}，加到共用矩阵的结果上，让每次使用略有不同。",
        "en": "Spreads {input} to {out} and adds it to what the shared matrix gives, so that each use differs a little.",
    },
    "role.experts_latent_down": {"zh": "进专家前的降维矩阵", "en": "down-projection before the experts"},
    "role.experts_latent_down.does": {
        "zh": "先把 {input} 压到 {out}，专家都在这个较窄的向量上工作。",
        "en": "Presses {input} into {out}; the experts all work on this narrower vector.",
    },
    "role.experts_latent_up": {"zh": "出专家后的升维矩阵", "en": "up-projection after the experts"},
    "role.experts_latent_up.does": {
        "zh": "把专家的结果从 {input} 变回 {out}。",
        "en": "Widens what the experts give from {input} back to {out}.",
    },
    # layers run several times
    "role.initial_state": {"zh": "快层的初始状态", "en": "initial state of the fast stack"},
    "role.initial_state.does": {
        "zh": "快的那一组层第一遍开始时用的向量，长 {out}，每个 token 都一样。",
        "en": "The vector, {out} long and the same for every token, with which the fast stack starts its first pass.",
    },
}
