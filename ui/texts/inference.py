"""Texts of the page on inference."""

TEXTS = {
    "frame.page_inference": {"zh": "推理", "en": "Inference"},
    # the headline
    "inference.head_token": {"zh": "{gpu} 上每个 token 至少要这么久", "en": "a token at least, on one {gpu}"},
    "inference.head_ttft": {"zh": "首个 token 至少要等（TTFT）", "en": "to the first token at least (TTFT)"},
    "inference.head_rate": {"zh": "最多，批大小 {batch}", "en": "at most, batch {batch}"},
    "inference.head_request": {"zh": "一个请求；一天 {flops}", "en": "a request; {flops} a day"},
    # lower bounds
    "inference.title_bound": {"zh": "最短时间", "en": "Lower bounds of time"},
    "inference.note_bound": {
        "zh": "一遍计算至少要 max(FLOP ÷ 峰值, 字节 ÷ 带宽)。实际总是更慢：没有哪个核函数能同时达到两个极限。",
        "en": "A pass takes at least max(FLOPs ÷ peak, bytes ÷ bandwidth). Real servers are slower: no kernel reaches both limits.",
    },
    "inference.ttft": {"zh": "首个 token（TTFT），即预填充", "en": "time to first token: the prefill"},
    "inference.per_token": {"zh": "每个 token，缓存最长时", "en": "time a token, with the longest cache"},
    "inference.tokens_per_second": {"zh": "每秒 token 数，至多", "en": "tokens a second, at most"},
    "inference.request_seconds": {"zh": "整个请求", "en": "a whole request"},
    "inference.request_seconds_rule": {
        "zh": "预填充给出第 1 个 token，之后再过 {passes} 遍，每遍缓存长一格。",
        "en": "The prefill gives the first token; {passes} passes follow, each with a cache one longer.",
    },
    "inference.rule_floor": {"zh": "经验法则：权重字节 ÷ 带宽", "en": "rule of thumb: weight bytes ÷ bandwidth"},
    "inference.rule_floor_note": {
        "zh": "全部权重读一遍，词嵌入表也算在内，KV 缓存不算。混合专家模型解码时只读选中的专家，所以会快于这条法则。",
        "en": "All weights read once, the embedding table too, the KV cache not. A mixture of experts reads only those chosen, and can be faster.",
    },
    "inference.day_gpus": {"zh": "一天的请求至少要几块 GPU", "en": "GPUs for a day's requests, at least"},
    "inference.day_gpus_note": {
        "zh": "总是满批、没有空闲、没有高峰；每块 GPU 放得下整个模型。",
        "en": "Batches always full, never idle, no peaks; each GPU holds the whole model.",
    },
    "inference.reads_note": {
        "zh": "字节 = 权重 + KV 缓存（预填充时是写入的）",
        "en": "bytes = weights + KV cache (in a prefill, what is written)",
    },
    "inference.larger": {"zh": "取大的：{bound}", "en": "the larger holds: {bound}"},
    "inference.bound_memory": {"zh": "受显存带宽限制（memory-bound）", "en": "memory-bound"},
    "inference.bound_compute": {"zh": "受算力限制（compute-bound）", "en": "compute-bound"},
    # a request
    "inference.title_request": {"zh": "一个请求的 FLOP", "en": "FLOPs of a request"},
    "inference.note_request": {
        "zh": "预填充时输出头只算每个提示的最后一个 token，服务器就是这样做的。",
        "en": "In a prefill the head is applied to the last token alone, as servers do.",
    },
    "inference.rule_prefill": {"zh": "经验法则：预填充 2N·P", "en": "rule of thumb: prefill 2N·P"},
    "inference.rule_decode": {"zh": "经验法则：生成 2N·G", "en": "rule of thumb: generation 2N·G"},
    "inference.prefill_flops": {"zh": "预填充（prefill）", "en": "prefill"},
    "inference.decode_flops": {"zh": "逐个生成（decode）", "en": "decode"},
    "inference.request_flops": {"zh": "整个请求", "en": "a whole request"},
    "inference.day_flops": {"zh": "一天的请求", "en": "a day of requests"},
    "inference.prefill_rule": {
        "zh": "{tokens} 个 token 一起读，每个只看到自己为止；输出头只算最后一个。",
        "en": "{tokens} tokens at once, each attending to those up to itself; the head for the last alone.",
    },
    "inference.decode_rule": {
        "zh": "再过 {tokens} 遍，每遍一个 token，看全部缓存；MLA 用吸收形式。",
        "en": "{tokens} passes of one token, each attending to the whole cache; MLA in its absorbed form.",
    },
    # memory
    "inference.title_memory": {"zh": "显存与读取", "en": "Memory, and what is read"},
    "inference.note_memory": {
        "zh": "GB 是 10⁹ 字节，GiB 是 2³⁰。KV 缓存按每个数 16 位。框架自己还要占 1–2 GB。",
        "en": "GB is 10⁹ bytes, GiB 2³⁰. The KV cache takes 16 bits a number. The framework takes 1–2 GB more.",
    },
    "inference.weights": {"zh": "权重", "en": "weights"},
    "inference.cache": {"zh": "KV 缓存", "en": "KV cache"},
    "inference.cache_rule": {"zh": "{batch} 个请求，每个 {context} 个 token", "en": "{batch} requests of {context} tokens each"},
    "inference.needed": {"zh": "合计", "en": "together"},
    "inference.fits": {"zh": "一块 {gpu}（{memory}）放得下 {needed}。", "en": "One {gpu} ({memory}) holds the {needed}."},
    "inference.fits_not": {
        "zh": "一块 {gpu}（{memory}）放不下 {needed}：时间是假想放得下时的下限。",
        "en": "One {gpu} ({memory}) does not hold the {needed}: times are what it would take at least if it did.",
    },
    "inference.experts_least": {"zh": "每遍读的权重，最少", "en": "weights read a pass, least"},
    "inference.experts_expected": {"zh": "每遍读的权重，估计", "en": "weights read a pass, estimate"},
    "inference.experts_most": {"zh": "每遍读的权重，最多", "en": "weights read a pass, most"},
    "inference.experts_least_note": {
        "zh": "这一批的 token 都选同样的专家。",
        "en": "All tokens of the batch choose the same experts.",
    },
    "inference.experts_expected_note": {
        "zh": "每个 token 随机选专家，机会均等：不同的专家有 E × (1 − (1 − k ÷ E)^批大小) 个。这是估计，时间按它算。",
        "en": "Each token chooses at random, all equally likely: E × (1 − (1 − k ÷ E)^batch) experts. An estimate; the times use it.",
    },
    "inference.experts_most_note": {
        "zh": "没有两个 token 选同一个专家，直到选完。",
        "en": "No two tokens share an expert, as long as there are enough.",
    },
    # the roofline
    "inference.roofline": {"zh": "屋顶线（roofline）：{gpu}", "en": "Roofline: {gpu}"},
    "inference.roofline_alt": {
        "zh": "{title} 在 {gpu} 上的屋顶线图：横轴算术强度，纵轴能达到的 FLOP/s；标出预填充、解码和拐点。",
        "en": "Roofline of {title} on {gpu}: attainable FLOP/s against arithmetic intensity, with prefill, decode and the ridge.",
    },
    "inference.axis_intensity": {"zh": "算术强度（FLOP/B，对数刻度）", "en": "arithmetic intensity, FLOP/B, logarithmic"},
    "inference.axis_flops": {"zh": "能达到的 FLOP/s", "en": "attainable FLOP/s"},
    "inference.ridge_mark": {"zh": "拐点 {ridge} FLOP/B", "en": "ridge {ridge} FLOP/B"},
    "inference.point": {"zh": "{name} {intensity} FLOP/B", "en": "{name} {intensity} FLOP/B"},
    "inference.prefill": {"zh": "预填充", "en": "prefill"},
    "inference.decode": {"zh": "解码", "en": "decode"},
    "inference.prefill_compute": {
        "zh": "<b>预填充受算力限制</b>（compute-bound）：每读一个字节做 {intensity} FLOP，超过拐点 {ridge}。",
        "en": "<b>Prefill is compute-bound</b>: {intensity} FLOP for each byte, above the ridge at {ridge}.",
    },
    "inference.prefill_memory": {
        "zh": "<b>预填充受显存带宽限制</b>（memory-bound）：每读一个字节做 {intensity} FLOP，不到拐点 {ridge}，至多用上 {share}% 的算力。",
        "en": "<b>Prefill is memory-bound</b>: {intensity} FLOP for each byte, below the ridge at {ridge}: at most {share}% of the peak.",
    },
    "inference.decode_compute": {
        "zh": "<b>解码受算力限制</b>（compute-bound）：每读一个字节做 {intensity} FLOP，超过拐点 {ridge}。",
        "en": "<b>Decode is compute-bound</b>: {intensity} FLOP for each byte, above the ridge at {ridge}.",
    },
    "inference.decode_memory": {
        "zh": "<b>解码受显存带宽限制</b>（memory-bound）：每读一个字节做 {intensity} FLOP，不到拐点 {ridge}，至多用上 {share}% 的算力。加大批能改善。",
        "en": "<b>Decode is memory-bound</b>: {intensity} FLOP for each byte, below the ridge at {ridge}: at most {share}% of the peak. A larger batch helps.",
    },
    "inference.gpu_source": {
        "zh": "峰值（16 位、稠密）和带宽：{source}。{caveat}",
        "en": "Peak (16 bits, dense) and bandwidth: {source}. {caveat}",
    },
}
