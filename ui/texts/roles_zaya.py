"""Names and sentences of what Zaya adds; see `ui.texts.roles`."""

TEXTS = {
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
