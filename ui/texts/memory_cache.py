"""Texts of the page on the KV cache, and what the pages on memory share."""

TEXTS = {
    "frame.page_kv_cache": {"zh": "KV 缓存", "en": "KV cache"},
    "memory.refused": {
        "zh": "还没有写明 {type} 的 token 之间怎样交互：算不了它的 KV 缓存，也就说不清放不放得下。权重的大小见“数的格式与权重”一页。",
        "en": "How the tokens of {type} meet is not described here, so its KV cache cannot be told. The size of its weights is on the page on formats.",
    },
    # what fills memory
    "memory.kind.weights": {"zh": "权重", "en": "weights"},
    "memory.kind.cache": {"zh": "KV 缓存", "en": "KV cache"},
    "memory.kind.activations": {"zh": "激活", "en": "activations"},
    "memory.kind.overhead": {"zh": "框架开销", "en": "framework overhead"},
    "memory.kind.free": {"zh": "剩余", "en": "left"},
    "memory.kind.frozen": {"zh": "冻结的权重", "en": "frozen weights"},
    "memory.kind.gradients": {"zh": "梯度", "en": "gradients"},
    "memory.kind.optimizer": {"zh": "优化器状态", "en": "optimizer states"},
    "memory.layers": {"zh": "{layers} 层", "en": "{layers} layers"},
    # fields
    "compute.field.batch": {"zh": "批大小 B（序列数）", "en": "batch B, sequences"},
    "compute.field.cache_dtype": {"zh": "KV 缓存的精度", "en": "precision of the KV cache"},
    "memory.cache_dtype.fp16": {"zh": "16 位", "en": "16 bit"},
    "memory.cache_dtype.fp8": {"zh": "8 位", "en": "8 bit"},
    "memory.cache_dtype.q8_0": {"zh": "q8_0：8.5 位", "en": "q8_0: 8.5 bit"},
    "memory.cache_dtype.int4": {"zh": "4 位", "en": "4 bit"},
    "memory.cache_dtype.q4_0": {"zh": "q4_0：4.5 位", "en": "q4_0: 4.5 bit"},
    # the headline
    "memory.cache_head": {
        "zh": "KV 缓存：{batch} 个序列，每个 {context} 个 token = {size}",
        "en": "KV cache of {batch} × {context} tokens = {size}",
    },
    "memory.cache_per_token_head": {"zh": "每多一个 token（窗口都没满时）", "en": "each token adds, while no window is full"},
    "memory.cache_reserved_head": {
        "zh": "按整页预留（每页 {page} 个 token）= {gib}",
        "en": "reserved in full pages of {page} tokens = {gib}",
    },
    "memory.cache_formula": {
        "zh": "每个 token：{symbols}·b ÷ 8 = {numbers}·{bits} ÷ 8",
        "en": "a token: {symbols}·b ÷ 8 = {numbers}·{bits} ÷ 8",
    },
    "memory.cache_state_head": {
        "zh": "循环层的状态，不随上下文变长 = {gib}",
        "en": "states of recurrent layers, whatever the context = {gib}",
    },
    # by kind of layer
    "memory.cache_kinds": {"zh": "每种层各存多少", "en": "By kind of layer"},
    "memory.cache_kinds_note": {
        "zh": "b 是每个数的位数，B 是序列数，T 是上下文（token）。",
        "en": "b bits a number, B sequences, T tokens of context. ",
    },
    "memory.cache_note.full": {
        "zh": "2 是键和值两份；查询头数和 FFN 宽度都不进这个式子。",
        "en": "2 stands for keys and values; query heads and the FFN's width play no part. ",
    },
    "memory.cache_note.sliding": {"zh": "滑动层最多存一个窗口。", "en": "Sliding layers keep a window at most. "},
    "memory.cache_note.latent": {
        "zh": "MLA 不分头存键和值：每个 token 只存一个潜向量 r_kv，加所有头共用的旋转部分 d_rope。",
        "en": "MLA keeps no keys and values by head: a token leaves one latent vector of r_kv, and d_rope rotated numbers that all heads share. ",
    },
    "memory.cache_note.state": {"zh": "循环层只存状态，大小固定。", "en": "Recurrent layers keep a state of fixed size. "},
    "memory.kept_entry": {
        "zh": "每层每个位置存 {numbers} 个数，存 {entries} 个位置",
        "en": "kept a layer and position: {numbers} numbers; {entries} positions",
    },
    "memory.kept_state": {
        "zh": "每层每个序列存 {numbers} 个数，与上下文无关",
        "en": "kept a layer and sequence: {numbers} numbers, whatever the context",
    },
    "memory.recurrence.mamba": {"zh": "Mamba 状态", "en": "Mamba state"},
    "memory.recurrence.mamba2": {"zh": "Mamba-2 状态", "en": "Mamba-2 state"},
    "memory.recurrence.gated_delta": {"zh": "门控 delta 状态", "en": "gated delta state"},
    "memory.recurrence.kimi_delta": {"zh": "Kimi delta 状态", "en": "Kimi delta state"},
    "memory.recurrence.lightning": {"zh": "lightning 线性注意力状态", "en": "lightning attention state"},
    "memory.recurrence.mlstm": {"zh": "mLSTM 状态", "en": "mLSTM state"},
    "memory.recurrence.rwkv": {"zh": "RWKV 状态", "en": "RWKV state"},
    "memory.recurrence.rg_lru": {"zh": "RG-LRU 状态", "en": "RG-LRU state"},
    "memory.recurrence.short_convolution": {"zh": "短卷积", "en": "short convolution"},
    "memory.recurrence.compressor": {"zh": "压缩器的状态", "en": "compressor state"},
    # sums
    "memory.cache_sums": {"zh": "理论值与实际预留", "en": "Theory, and what an engine reserves"},
    "memory.cache_sums_note": {
        "zh": "按整页预留：像 vLLM 那样分页、所有层共用一张页表的引擎，滑动窗口省不下显存。给滑动层单独分页的引擎更接近理论值。",
        "en": "Reserved: an engine with pages as in vLLM and one page table for all layers, so that windows save nothing. Engines with pages of their own for sliding layers come closer to theory.",
    },
    "memory.cache_per_token": {"zh": "每多一个 token", "en": "each token adds"},
    "memory.cache_per_token_rule": {"zh": "各种层相加，窗口都没满时", "en": "all kinds of layers, while no window is full"},
    "memory.cache_theory": {"zh": "理论值", "en": "in theory"},
    "memory.cache_theory_rule": {
        "zh": "上面各种层之和；滑动层只存窗口",
        "en": "the layers above, summed; sliding ones keep their window alone",
    },
    "memory.cache_reserved": {"zh": "按整页预留（{page} token 一页）", "en": "reserved in full pages of {page} tokens"},
    "memory.cache_reserved_rule": {
        "zh": "每层都为整个上下文留整页，每页 {page} 个 token",
        "en": "every layer gets whole pages of {page} tokens for the whole context",
    },
    "memory.cache_wasted": {"zh": "预留而用不上", "en": "reserved in vain"},
    "memory.cache_states": {"zh": "循环层的状态", "en": "states of recurrent layers"},
    "memory.cache_states_rule": {
        "zh": "状态本身按 32 位，卷积按 16 位，和 transformers 一样；与上下文无关。",
        "en": "States proper in 32 bits, convolutions in 16, as in transformers; whatever the context.",
    },
    # curve and table
    "memory.curve_title": {"zh": "随上下文增长，下面垫着权重（{format}）", "en": "Over the context, on the weights ({format})"},
    "memory.curve_alt": {
        "zh": "{title}：权重之上的 KV 缓存随上下文增长的曲线，批大小 {batch}；虚线是按整页预留。",
        "en": "{title}: the KV cache over the context on top of the weights, batch {batch}; dashed what full pages reserve.",
    },
    "memory.crossing": {
        "zh": "从 {context} 个 token 起，KV 缓存比权重还大。",
        "en": "From {context} tokens on the KV cache takes more than the weights.",
    },
    "memory.crossing_never": {
        "zh": "到模型的上限 {limit} 个 token，KV 缓存是权重的 {share}。",
        "en": "At the model's limit of {limit} tokens the KV cache is {share} of the weights.",
    },
    "memory.no_cache": {
        "zh": "这个模型没有 KV 缓存：只有大小固定的状态。",
        "en": "This model has no KV cache, only states of fixed size.",
    },
    "memory.reserved_line": {"zh": "按整页预留（每页 {page} 个 token）", "en": "reserved in pages of {page} tokens"},
    "memory.axis_context": {"zh": "上下文（token）", "en": "context, tokens"},
    "memory.axis_bytes": {"zh": "字节（GB = 10⁹）", "en": "bytes, GB = 10⁹"},
    "memory.table_title": {"zh": "换个上下文和位数（批大小 {batch}）", "en": "By context and bits, batch {batch}"},
    "memory.cache_column.context": {"zh": "上下文（token）", "en": "context, tokens"},
    "memory.cache_column.batch": {"zh": "批大小", "en": "batch"},
    "memory.cache_column.numbers": {"zh": "存的数", "en": "numbers kept"},
    "memory.cache_column.bits_16": {"zh": "16 位（B）", "en": "16 bit, B"},
    "memory.cache_column.bits_8": {"zh": "8 位（B）", "en": "8 bit, B"},
    "memory.cache_column.bits_4": {"zh": "4 位（B）", "en": "4 bit, B"},
    "memory.cache_column.reserved_16": {"zh": "16 位，按整页（B）", "en": "16 bit in full pages, B"},
    "memory.cache_column.state": {"zh": "状态（B）", "en": "states, B"},
    "memory.cache_bits": {"zh": "{bits} 位", "en": "{bits} bit"},
    "memory.cache_bits_reserved": {"zh": "16 位，按整页预留", "en": "16 bit, reserved in full pages"},
    "memory.cache_csv": {"zh": "按上下文 CSV", "en": "By context, CSV"},
}
