"""Texts of the page on what fits."""

TEXTS = {
    "frame.page_fit": {"zh": "放得下吗", "en": "Does it fit"},
    # fields
    "compute.field.tensor_parallel": {"zh": "张量并行 GPU 数", "en": "GPUs, tensor parallel"},
    "compute.field.own_memory": {"zh": "显存（GB）", "en": "its memory, GB"},
    "compute.field.own_bandwidth": {"zh": "带宽（GB/s）", "en": "its bandwidth, GB/s"},
    "memory.own_gpu": {"zh": "自己填写 …", "en": "typed in …"},
    "memory.own_gpu_named": {"zh": "自填的 GPU", "en": "own GPU"},
    # the verdict
    "memory.verdict.fits": {"zh": "放得下", "en": "It fits"},
    "memory.verdict.tight": {"zh": "勉强", "en": "Tight"},
    "memory.verdict.does_not_fit": {"zh": "放不下", "en": "Does not fit"},
    "memory.fits": {"zh": "✓ 至少还剩 {left}", "en": "✓ {left} left at least"},
    "memory.tight": {"zh": "≈ 看框架开销：剩 {left} 或差 {lacks}", "en": "≈ the framework decides: {left} left or {lacks} short"},
    "memory.does_not_fit": {"zh": "× 至少差 {lacks}", "en": "× {lacks} short at least"},
    "memory.head_needed": {"zh": "每块 GPU 要用；它有 {capacity}", "en": "needed on each GPU, which has {capacity}"},
    "memory.head_context": {"zh": "最长上下文（token），批大小 {batch}", "en": "longest context in tokens, batch {batch}"},
    "memory.head_batch": {"zh": "最大批，每个 {context} token", "en": "largest batch of {context} tokens each"},
    "memory.at_limit": {"zh": "{limit}（模型上限）", "en": "{limit}, the model's limit"},
    "memory.none_fits": {"zh": "0：一个也放不下", "en": "0: not even 1"},
    "memory.unbounded": {"zh": "没有上限", "en": "no bound"},
    # lines
    "memory.in_memory": {"zh": "每块 GPU 的显存里有什么", "en": "In the memory of each GPU"},
    "memory.in_memory_note": {
        "zh": "开销是范围，不是系数：先按 1 GB，再按 2 GB，两个答案都给出。点一行看推导。",
        "en": "The overhead is a range, no factor: both ends are worked out. Open a line for its derivation.",
    },
    "memory.capacity": {"zh": "{gpu} 的显存", "en": "memory of one {gpu}"},
    "memory.basis.reported": {"zh": "驱动报告的大小", "en": "as its driver reports it"},
    "memory.basis.unified": {
        "zh": "统一内存：系统留给 GPU 的部分，macOS 是三分之二到四分之三",
        "en": "unified memory: what the system leaves the GPU, on macOS two thirds to three quarters",
    },
    "memory.basis.label": {"zh": "按标签：10⁹ 和 2³⁰ 两种读法", "en": "by its label, read as 10⁹ and as 2³⁰"},
    "memory.shared": {
        "zh": "这是 {gpus} 块 GPU 中每块的份额：整头均分；kv 头比 GPU 少时各存一份；归一化和路由器每块都有。",
        "en": "Each of {gpus} GPUs: heads are shared out whole, fewer kv heads than GPUs are copied, norms and routers are on every one.",
    },
    "memory.activations_note": {
        "zh": "提示分段读入，每段至多 2,048 个 token；注意力分数不写进显存（融合核）。",
        "en": "The prompt is read 2,048 tokens at a time at most; fused kernels never write attention's scores.",
    },
    "memory.overhead_note": {
        "zh": "驱动上下文、框架、核函数和碎片：见过的范围，不是公式。CUDA 上下文 0.3–0.6 GB，PyTorch 连同库约 1 GB，录制了图的引擎可达 2 GB。",
        "en": "Driver context, framework, kernels, holes: a range that is seen, no formula. A CUDA context takes 0.3–0.6 GB, PyTorch about 1, an engine with recorded graphs up to 2.",
    },
    "memory.longest_context": {"zh": "最长上下文", "en": "longest context"},
    "memory.largest_batch": {"zh": "最大批", "en": "largest batch"},
    "memory.halving": {
        "zh": "对半查找出来的：需要的显存随它只增不减。",
        "en": "Found by halving: what is needed only grows with it.",
    },
    "memory.token_costs": {
        "zh": "窗口没满时，每多一个 token 要 {bytes} B。",
        "en": "Each token adds {bytes} B while no window is full.",
    },
    "memory.bounds_range": {
        "zh": "前一个数按最大开销，后一个按最小开销。",
        "en": "The first number holds with the largest overhead, the second with the smallest.",
    },
    "memory.gpu_source": {"zh": "GPU 数据：{source}。{caveat}", "en": "Figures of the GPU: {source}. {caveat}"},
    # the story
    "memory.story_title": {"zh": "{title} 放进 {gpus} × {gpu}", "en": "{title} on {gpus} × {gpu}"},
    "memory.story_weights": {
        "zh": "权重按 {format} 占 {weights}；{gpu} 的显存是 {capacity}。",
        "en": "In {format} the weights take {weights}; one {gpu} has {capacity}.",
    },
    "memory.story_weights_shared": {
        "zh": "权重按 {format} 分给 {gpus} 块 GPU，每块 {weights}；每块 {gpu} 的显存是 {capacity}。",
        "en": "In {format} the weights take {weights} on each of {gpus} GPUs; one {gpu} has {capacity}.",
    },
    "memory.story_too_large": {"zh": "光是权重就放不下，差 {lacks}。", "en": "The weights alone do not fit: {lacks} short."},
    "memory.story_left": {"zh": "放下权重，还剩 {left}。", "en": "That leaves {left}."},
    "memory.story_overhead": {
        "zh": "框架再拿走 1–2 GB，剩 {low} 到 {high}。",
        "en": "The framework takes 1–2 GB of it, so that {low} to {high} remain.",
    },
    "memory.story_cache": {
        "zh": "KV 缓存每个 token 要 {per_token} B：{batch} × {context} 个 token 要 {cache}。最长上下文：{longest}。",
        "en": "The KV cache takes {per_token} B a token: {cache} for {batch} × {context} tokens. Longest context: {longest}.",
    },
    "memory.story_emulated": {
        "zh": "{gpu} 的矩阵单元不支持这种格式（{format}）：请改用 fp16。",
        "en": "The matrix units of the {gpu} do not multiply {format}: use fp16.",
    },
    "memory.story_no_bf16": {
        "zh": "{gpu} 不支持 bf16：bf16 的模型在这里要转成 fp16。",
        "en": "The {gpu} has no bf16: models in bf16 are run in fp16 here.",
    },
    "memory.story_formats": {"zh": "换成这些格式就放得下：{formats}。", "en": "Formats that make it fit: {formats}."},
    "memory.story_no_format": {
        "zh": "换成下面列出的格式，这块 GPU 也都放不下。",
        "en": "None of the formats listed makes it fit on this GPU.",
    },
    "memory.story_gpus": {
        "zh": "用张量并行，{gpus} 块 {gpu} 放得下，每块还剩 {left}。",
        "en": "With tensor parallelism {gpus} × {gpu} hold it, with {left} left on each.",
    },
    "memory.formats_fit": {"zh": "换一种格式，在 {gpus} × {gpu} 上", "en": "In other formats, on {gpus} × {gpu}"},
    "memory.all_gpus": {
        "zh": "每一种 GPU（条长是它的显存；放不下时，竖线处是显存的尽头）",
        "en": "Every GPU: a bar is its memory; where the model does not fit, the tick is where memory ends",
    },
    "memory.row_context": {"zh": "最长上下文 {context}", "en": "longest context {context}"},
    # downloads
    "memory.picture_title": {
        "zh": "{title}，{format}，{batch} × {context} token",
        "en": "{title}, {format}, {batch} × {context} tokens",
    },
    "memory.gpus_csv": {"zh": "所有 GPU CSV", "en": "All GPUs, CSV"},
    "memory.fit_csv": {"zh": "这块 GPU CSV", "en": "This GPU, CSV"},
    "memory.gpus_svg": {"zh": "图 SVG", "en": "Picture, SVG"},
    "memory.fit_column.gpu": {"zh": "GPU", "en": "GPU"},
    "memory.fit_column.weights": {"zh": "权重（B）", "en": "weights, B"},
    "memory.fit_column.cache": {"zh": "KV 缓存和状态（B）", "en": "KV cache and states, B"},
    "memory.fit_column.activations": {"zh": "激活（B）", "en": "activations, B"},
    "memory.fit_column.overhead_low": {"zh": "最小开销（B）", "en": "smallest overhead, B"},
    "memory.fit_column.overhead_high": {"zh": "开销再多（B）", "en": "more at largest, B"},
    "memory.fit_column.capacity": {"zh": "显存（B）", "en": "memory, B"},
    "memory.fit_column.verdict": {"zh": "结论", "en": "verdict"},
    "memory.fit_column.longest": {"zh": "最长上下文", "en": "longest context"},
}
