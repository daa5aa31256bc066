"""Roles of decoders between GPT-2 and Llama: one norm for two branches, norms after a branch, cross-attention."""

TEXTS = {
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
}
