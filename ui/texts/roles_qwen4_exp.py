"""Names and sentences of what Qwen4-Exp adds; see `ui.texts.roles`."""

TEXTS = {
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
