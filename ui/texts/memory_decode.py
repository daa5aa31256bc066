"""Texts of the page on the decode floor."""

TEXTS = {
    "frame.page_decode": {"zh": "解码下限", "en": "Decode floor"},
    "memory.floor_head": {
        "zh": "{gpu} 上每步至少这么久：批大小 {batch}，上下文 {context}",
        "en": "a step at least on one {gpu}: batch {batch}, context {context}",
    },
    "memory.floor_rate": {"zh": "至多，批大小 {batch}", "en": "at most, batch {batch}"},
    "memory.floor_alone": {"zh": "只算权重：{weights} ÷ {bandwidth}", "en": "by the weights alone: {weights} ÷ {bandwidth}"},
    "memory.floors_title": {"zh": "每一种 GPU，从快到慢", "en": "Every GPU, the fastest first"},
    "memory.floor_least": {
        "zh": "词嵌入表只读用到的那几行：{seconds}",
        "en": "with only the rows of the embedding table that are read: {seconds}",
    },
    "memory.floor_not_held": {
        "zh": "这块 GPU 放不下全部权重（{weights}）：时间是假想放得下时的下限。",
        "en": "This GPU does not hold all weights ({weights}): the time is what it would take at least if it did.",
    },
    "memory.not_held": {"zh": "放不下", "en": "too small"},
    "memory.read_title": {"zh": "每生成一步要读", "en": "What one step reads"},
    "memory.read_weights": {"zh": "读权重", "en": "weights"},
    "memory.read_experts": {
        "zh": "混合专家只读选中的（批大于 1 时取平均）；全部权重是 {all}。",
        "en": "Of experts those chosen alone (with a batch, the average); all weights are {all}.",
    },
    "memory.read_cache": {"zh": "读 KV 缓存和状态", "en": "KV cache and states"},
    "memory.read_cache_note": {
        "zh": "每个序列的整个缓存；滑动层只读窗口。",
        "en": "All of every sequence; sliding layers their window.",
    },
    "memory.read_all": {"zh": "合计", "en": "together"},
    "memory.read_least": {"zh": "至少（词嵌入表只读几行）", "en": "at least: a row of the embedding table a token"},
    "memory.read_least_note": {
        "zh": "经验法则把整张词嵌入表也算进去；实际每个 token 只查一行。",
        "en": "The rule of thumb counts the whole embedding table; a token reads one row of it.",
    },
    "memory.floor_note": {
        "zh": "秒 = (读的权重 + 读的缓存) ÷ 带宽。这是下限：没有引擎能跑满标称带宽，算力不够时还要更久。",
        "en": "seconds = (weights read + cache read) ÷ bandwidth. A floor: no engine reaches the bandwidth on the label, and arithmetic can take longer still.",
    },
    "memory.floor_curve": {"zh": "随上下文和格式变化，在 {gpu} 上", "en": "With context and format, on one {gpu}"},
    "memory.floor_curve_alt": {
        "zh": "{title} 在 {gpu} 上：每秒 token 数随上下文变化，每种格式一条线。",
        "en": "{title} on one {gpu}: tokens a second against context, a line a format.",
    },
    "memory.axis_rate": {"zh": "token/s，至多", "en": "token/s at most"},
    "memory.floors_csv": {"zh": "所有 GPU CSV", "en": "All GPUs, CSV"},
    "memory.floor_column.gpu": {"zh": "GPU", "en": "GPU"},
    "memory.floor_column.bandwidth": {"zh": "带宽（B/s）", "en": "bandwidth, B/s"},
    "memory.floor_column.weights": {"zh": "读权重（B）", "en": "weights read, B"},
    "memory.floor_column.cache": {"zh": "读缓存（B）", "en": "cache read, B"},
    "memory.floor_column.milliseconds": {"zh": "至少（ms）", "en": "at least, ms"},
    "memory.floor_column.rate": {"zh": "至多（token/s）", "en": "at most, token/s"},
    "memory.floor_column.least": {"zh": "词嵌入只读几行（ms）", "en": "embedding rows alone, ms"},
    "memory.floor_column.holds": {"zh": "放得下权重", "en": "holds the weights"},
}
