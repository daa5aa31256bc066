"""Roles of heads that are no language model's, and of draft heads."""

TEXTS = {
    "role.score": {"zh": "打分矩阵", "en": "score matrix"},
    "role.score.does": {
        "zh": "代替输出头：把最后的向量从 {input} 变成 {out} 个分数，每个类别一个。",
        "en": "In place of the output head: turns the last vector, {input} long, into {out} scores, one for each label.",
    },
    "role.joined_states": {"zh": "合并大模型隐藏状态的矩阵", "en": "matrix that joins the large model's states"},
    "role.joined_states.does": {
        "zh": "把大模型三处的隐藏状态（共 {input}）合成一个长 {out} 的向量。",
        "en": "Makes of three hidden states of the large model, {input} numbers in all, one vector of {out}.",
    },
    "role.norm_of_states": {"zh": "合并状态的归一化", "en": "norm of the joined states"},
    "role.norm_of_states.does": {
        "zh": "把合并后的状态调到同样的大小，再和词元的嵌入并排送进注意力。",
        "en": "Brings the joined states to one scale, before they go into attention beside the token's embedding.",
    },
}
