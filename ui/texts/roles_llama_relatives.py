"""Roles of Llama's close relatives: norms inside a branch, learned activations, weighed attention, one-row experts."""

TEXTS = {
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
}
