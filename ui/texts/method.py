"""Texts of the page on how the counting is done, what it rests on, and which wrong figures circulate."""

TEXTS = {
    "method.title": {"zh": "怎么数的", "en": "How it is counted"},
    "method.intro": {
        "zh": "会做乘法，就能把一个大模型拆开：它只是一张零件清单，每个零件是一个矩阵，参数量 = 进 × 出。",
        "en": "Whoever can multiply can take a large model apart: it is a list of parts, each a matrix, each in × out numbers.",
    },
    "method.rules": {"zh": "规则", "en": "The rules"},
    "method.rule.shape": {
        "zh": "**形状**：进来的向量多长，矩阵就有多少行；出去的向量多长，就有多少列。检查点里多半存成转置 [出, 进]，GPT-2 存成 [进, 出]。",
        "en": "**Shape.** As many rows as the vector that goes in is long, as many columns as the one that comes out. "
        "Checkpoints mostly store the transpose [out, in]; GPT-2 stores [in, out].",
    },
    "method.rule.lookup": {
        "zh": "**词嵌入是查表**：V 行、d 列，查一行不做乘法，但每个数都是参数。",
        "en": "**The embedding is a lookup**: V rows, d columns; nothing is multiplied, yet every number is a parameter.",
    },
    "method.rule.tied": {
        "zh": "**共用（tied）只数一次**：GPT-2 的输出头就是词嵌入表本身。配置里没写时，按 transformers 里那个类的默认值。",
        "en": "**Tied counts once**: GPT-2's output head is the embedding table itself. Where a config does not say, the class's default decides.",
    },
    "method.rule.vectors": {
        "zh": "**归一化和偏置也算**：每个分量一个数。缓冲区（buffer，如 inv_freq、因果掩码）不是参数，不算。",
        "en": "**Norms and biases count**, one number for each element. Buffers (inv_freq, causal masks) are no parameters and do not.",
    },
    "method.rule.units": {
        "zh": "**单位**：GB = 10⁹ 字节，GiB = 2³⁰ 字节；fp16 每个参数 2 字节。",
        "en": "**Units.** GB is 10⁹ bytes, GiB is 2³⁰; fp16 takes 2 bytes a parameter.",
    },
    "method.symbols": {"zh": "符号", "en": "Symbols"},
    "method.symbol": {"zh": "符号", "en": "symbol"},
    "method.field": {"zh": "配置里的字段", "en": "field of the config"},
    "method.meaning": {"zh": "意思", "en": "meaning"},
    "method.types": {"zh": "能数的 {number} 种模型类型", "en": "The {number} model types that can be counted"},
    "method.types_note": {
        "zh": "缺的字段按 transformers {version} 里对应类的默认值补上，并在页面上列出。不认识的类型不会硬猜。",
        "en": "Missing fields take the default of the class in transformers {version} and are listed on the page. An unknown type is never guessed.",
    },
    "method.checked": {"zh": "与公布的数核对", "en": "Held against published figures"},
    "method.checked_note": {
        "zh": "每一行都是现算的。“Hub 总数”是 Hugging Face 统计的 safetensors 元素数，比参数多的部分写明了原因。",
        "en": "Each row is counted as you look. The Hub's total is the number of elements in the safetensors files; where it is larger, the cause is named.",
    },
    "method.model": {"zh": "模型", "en": "model"},
    "method.exact": {"zh": "参数量（精确）", "en": "parameters, exact"},
    "method.published": {"zh": "公布值", "en": "published"},
    "method.hub": {"zh": "Hub 总数", "en": "Hub total"},
    "method.gap": {"zh": "多出的是", "en": "the extra is"},
    "method.errata": {"zh": "流传的错误", "en": "Wrong figures in circulation"},
    "method.erratum.norms": {
        "zh": "Llama-2-7B 是 6,738,149,376？漏了 65 个 RMSNorm（266,240）。对的是 6,738,415,616。",
        "en": "Llama-2-7B is 6,738,149,376? The 65 RMSNorms (266,240) are missing. Right is 6,738,415,616.",
    },
    "method.erratum.llama3": {
        "zh": "Llama-3-8B 比 Llama-2-7B 多 1,291,845,632：词表两端 +788,529,152，前馈 +1,308,622,848，注意力 −805,306,368。常说的前馈“+0.5B”加不起来。",
        "en": "Llama-3-8B against Llama-2-7B is +1,291,845,632: vocabulary ends +788,529,152, FFN +1,308,622,848, attention −805,306,368. "
        "The often quoted FFN “+0.5B” does not add up.",
    },
    "method.erratum.two_thirds": {
        "zh": "“前馈总占一层的三分之二”只对 Llama-2 的 7B 和 13B 成立：70B 占 82.4%，Llama-3-8B 占 80.8%，TinyLlama 占 78.6%。",
        "en": "“The FFN is always two thirds of a layer” holds for Llama-2 7B and 13B only: it is 82.4% in 70B, 80.8% in Llama-3-8B, 78.6% in TinyLlama.",
    },
    "method.erratum.layers": {
        "zh": "32 × 202,375,168 = 6,476,005,376，即 6,476.0M，不是 6,476.8M。",
        "en": "32 × 202,375,168 is 6,476,005,376, so 6,476.0M, not 6,476.8M.",
    },
    "method.erratum.width": {
        "zh": "11008 不是随便取的：两个宽 4d 的矩阵有 8d² 个参数，三个宽 w 的有 3dw 个，相等时 w = ⌊8d/3⌋ = 10922，再凑成 256 的倍数。",
        "en": "11008 is not arbitrary: two matrices of width 4d hold 8d² numbers, three of width w hold 3dw; equal at w = ⌊8d/3⌋ = 10922, "
        "rounded up to a multiple of 256.",
    },
    "method.erratum.hub": {
        "zh": "Hub 上 Llama-2-7B 的总数 6,738,417,664 把 32 × 64 个 inv_freq 缓冲区也算进去了。",
        "en": "The Hub's total for Llama-2-7B, 6,738,417,664, counts 32 × 64 stored inv_freq buffers.",
    },
}
