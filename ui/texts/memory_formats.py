"""Texts of the page on number formats and the size of the weights."""

_FORMATS = {
    "fp8": ("FP8（每个矩阵一个缩放）", "FP8 (one scale a matrix)"),
    "fp8-channel": ("FP8（每行一个缩放）", "FP8 (one scale a row)"),
    "fp8-block": ("FP8（128 × 128 分块，FP32 缩放）", "FP8 (128 × 128 blocks, FP32 scale)"),
    "fp8-block-bf16": ("FP8（128 × 128 分块，BF16 缩放）", "FP8 (128 × 128 blocks, BF16 scale)"),
    "int8": ("INT8（只有数）", "INT8 (numbers alone)"),
    "int8-channel": ("INT8（每行一个缩放）", "INT8 (one scale a row)"),
    "int4": ("INT4（只有数）", "INT4 (numbers alone)"),
    "nf4-dq": ("NF4（双重量化）", "NF4 (double quantization)"),
    **{
        f"{name}-{bits}g{group}": (f"{title} {width} 位（每组 {group} 个）", f"{title} {width} bit (groups of {group})")
        for name, title, bits, width, groups in (
            ("gptq", "GPTQ", "", 4, (128, 64, 32)), ("gptq", "GPTQ", "8-", 8, (128,)), ("awq", "AWQ", "", 4, (128, 64, 32)),
            ("hqq", "HQQ", "4-", 4, (64,)), ("hqq", "HQQ", "3-", 3, (64,)), ("hqq", "HQQ", "2-", 2, (64,)),
        )
        for group in groups
    },
}  # fmt: skip
_NOUNS = {
    "weight": ("权重", "weight"), "scale": ("缩放", "scale"), "zero": ("零点", "zero point"), "minimum": ("最小值", "minimum"),
    "block_scale": ("小块缩放", "block scale"), "block_minimum": ("小块最小值", "block minimum"), "second_scale": ("二级缩放", "second scale"),
    "offset": ("偏移", "offset"), "sum": ("和", "sum"), "grid_index": ("码本下标", "grid index"), "sign_index": ("符号下标", "sign index"),
    "sign": ("符号", "sign"), "shift_sign": ("平移符号", "shift sign"), "ternary_byte": ("三进制数字", "ternary digits"),
}  # fmt: skip
_KEPT = {
    "norm": ("归一化", "norms", "只有一行，几乎不占地方，却缩放经过的每一个数。", "One row: it holds next to nothing, and scales every number that passes."),
    "bias": ("偏置", "biases", "只有一行，几乎不占地方，乘完才加。", "One row: it holds next to nothing, and is added after the product."),
    "router": ("路由器", "routers", "很小；分数略有差错，token 就会被送给别的专家。", "Small, and a slightly wrong score sends a token to another expert."),
    "embedding": (
        "词嵌入表", "embedding", "按行查表，不做乘法，位数少也不省时间；误差却会穿过整个模型。",
        "Rows are looked up, not multiplied, so that fewer bits save no time; every error goes through the whole model.",
    ),
    "position": ("位置嵌入", "position embedding", "按行查表，不做乘法。", "Rows are looked up, not multiplied."),
    "lm_head": (
        "输出头 lm_head", "lm_head", "token 就是按它给的分数选的，这里舍入比任何一层都伤。",
        "Its scores are what a token is chosen by; rounding hurts here more than in any layer.",
    ),
    "small": ("小张量", "small tensors", "很小，也不是普通的矩阵乘法。", "Small, and no plain matrix product."),
    "not_an_expert": (
        "专家以外", "all but experts", "这种格式只给专家用，权重几乎都在专家里。", "The format is for the experts, which hold nearly all of the weights."
    ),
    "rule": ("按 llama.cpp 的规则", "by llama.cpp's rules", "llama.cpp 不量化它。", "llama.cpp does not quantize it."),
}  # fmt: skip

TEXTS = {
    "frame.section_memory": {"zh": "显存", "en": "Memory"},
    "frame.page_formats": {"zh": "数的格式与权重", "en": "Formats and weights"},
    **{f"memory.format.{name}": {"zh": zh, "en": en} for name, (zh, en) in _FORMATS.items()},
    **{f"memory.noun.{name}": {"zh": zh, "en": en} for name, (zh, en) in _NOUNS.items()},
    **{f"memory.kept.{name}": {"zh": zh, "en": en} for name, (zh, en, _, _) in _KEPT.items()},
    **{f"memory.reason.{name}": {"zh": zh, "en": en} for name, (_, _, zh, en) in _KEPT.items()},
    "memory.per_row": {"zh": "另外每行（每个输出）一次：{fields}", "en": "and once a row (an output): {fields}"},
    "memory.per_matrix": {"zh": "另外每个矩阵一次：{fields}", "en": "and once a matrix: {fields}"},
    # fields
    "memory.field.format": {"zh": "权重的格式", "en": "format of the weights"},
    "compute.field.imatrix": {"zh": "重要性矩阵（imatrix）", "en": "importance matrix (imatrix)"},
    "memory.imatrix.no": {"zh": "不用", "en": "without"},
    "memory.imatrix.yes": {"zh": "用", "en": "with"},
    "compute.field.family": {"zh": "列出", "en": "list"},
    "memory.family.float": {"zh": "浮点与整数", "en": "floats, integers"},
    "memory.family.group": {"zh": "分组 4 位", "en": "groups of 4 bit"},
    "memory.family.gguf_files": {"zh": "GGUF 文件", "en": "GGUF files"},
    "memory.family.gguf_blocks": {"zh": "GGUF 块", "en": "GGUF blocks"},
    # the headline
    "memory.head_file": {"zh": "字节：.safetensors 文件，含文件头", "en": "bytes: .safetensors files, headers included"},
    "memory.head_gguf": {"zh": "字节：.gguf 的全部张量", "en": "bytes: all tensors of the .gguf"},
    "memory.head_numbers": {
        "zh": "字节：只有数，没有缩放（下界，没有这样的文件）",
        "en": "bytes: numbers alone, no scales (a bound, no file)",
    },
    "memory.head_units": {"zh": "= {units}（nvidia-smi 按 MiB 计）", "en": "= {units} (nvidia-smi counts MiB)"},
    "memory.head_bits": {"zh": "平均每个权重", "en": "a weight, on average"},
    "memory.head_naive": {"zh": "比“参数量 × {bits} ÷ 8”（{naive}）", "en": "against parameters × {bits} ÷ 8 ({naive})"},
    # the list
    "memory.formats_note": {
        "zh": "条：这个模型的张量；斜纹：留在 16/32 位的部分；竖线：“参数量 × 位数 ÷ 8”到这里为止。点一行看推导。",
        "en": "Bar: this model's tensors; hatched: what stays in 16 or 32 bits; tick: where parameters × bits ÷ 8 ends. Open a row for its derivation. ",
    },
    "memory.formats_blocks_note": {
        "zh": "一个块里存了什么，每个权重就摊到多少位。文件会混用几种块。",
        "en": "What a block stores gives its bits a weight. Files mix several of them. ",
    },
    "memory.gguf_version": {
        "zh": "混合规则按 {version}；更早的文件会不同（2023 年的 Q2_K 每个权重 3.35 位，如今 3.00）。",
        "en": "Mixed by the rules of {version}; older files differ (Q2_K of 2023 took 3.35 bits a weight, today's 3.00).",
    },
    "memory.main_block": {"zh": "主要类型 {type}：", "en": "most tensors are {type}: "},
    "memory.row_bytes": {
        "zh": "本模型：{bytes} B，平均每个权重 {bits} bit",
        "en": "this model: {bytes} B, {bits} bit a weight on average",
    },
    "memory.row_naive": {
        "zh": "经验法则：{parameters} × {bits} ÷ 8 = {naive}；实际多 {over}",
        "en": "rule of thumb: {parameters} × {bits} ÷ 8 = {naive}; the real size is {over} more",
    },
    "memory.row_kept": {"zh": "其中 {kept} 留在 16/32 位", "en": "of it {kept} stay in 16 or 32 bits"},
    "memory.no_such_file": {"zh": "算不出", "en": "not known"},
    "memory.formats_csv": {"zh": "这张表 CSV", "en": "This table, CSV"},
    "memory.column.format": {"zh": "格式", "en": "format"},
    "memory.column.block_bits": {"zh": "块内每个权重（bit）", "en": "bits a weight of the block"},
    "memory.column.derivation": {"zh": "推导", "en": "derivation"},
    "memory.column.file_bits": {"zh": "文件平均每个权重（bit）", "en": "bits a weight of the file"},
    "memory.column.naive": {"zh": "参数量 × 位数 ÷ 8（B）", "en": "parameters × bits ÷ 8, B"},
    # the card
    "memory.block_title": {"zh": "一块 {type}：{rows} × {columns} 个权重", "en": "A block of {type}: {rows} × {columns} weights"},
    "memory.number_title": {"zh": "一个 {title} 数：{bits} bit", "en": "One number of {title}: {bits} bit"},
    "memory.bit.sign": {"zh": "符号", "en": "sign"},
    "memory.bit.exponent": {"zh": "指数", "en": "exponent"},
    "memory.bit.mantissa": {"zh": "尾数", "en": "mantissa"},
    "memory.bit.unused": {"zh": "存着但不参加运算", "en": "stored, not multiplied"},
    "memory.number_range": {
        "zh": "指数定范围：最大 {largest}。尾数定精度：1 之后的下一个数是 1 + {step}。",
        "en": "The exponent gives the range: {largest} at most. The mantissa gives the precision: after 1 comes 1 + {step}.",
    },
    "memory.types_title": {"zh": "文件里有什么", "en": "What the file is made of"},
    "memory.type_tensors": {"zh": "{tensors} 个张量，{numbers} 个数", "en": "{tensors} tensors, {numbers} numbers"},
    "memory.imatrix_on": {"zh": "按有重要性矩阵计。", "en": "Counted with an importance matrix."},
    "memory.imatrix_off": {"zh": "按没有重要性矩阵计。", "en": "Counted without an importance matrix."},
    "memory.inexact_numbers": {"zh": "只是下界：没有哪种文件不带缩放。", "en": "A bound alone: no file does without scales."},
    "memory.inexact_file": {
        "zh": "真实文件会差几个到几千字节：有些张量名或工具自己的记录，配置里看不出来。",
        "en": "A real file differs by some bytes to some KB: names or bookkeeping of its tool that no config tells.",
    },
    "memory.kept_title": {"zh": "哪些留在 16/32 位，为什么", "en": "What stays in 16 or 32 bits, and why"},
    "memory.file_title": {"zh": "文件", "en": "Files"},
    "memory.data": {"zh": "张量数据", "en": "tensor data"},
    "memory.header": {"zh": "文件头", "en": "headers"},
    "memory.header_note": {
        "zh": "每个张量的名字、类型、形状和位置，写成 JSON。",
        "en": "Name, type, shape and place of every tensor, as JSON.",
    },
    "memory.header_gguf": {"zh": "另有：张量列表", "en": "besides: the list of tensors"},
    "memory.header_gguf_note": {
        "zh": "再加分词器等元数据，同一个模型是一个常数，配置里看不出来（Llama-2-7B：文件共 741,056 B）。",
        "en": "The tokenizer and other metadata come on top, one constant a model that no config tells (Llama-2-7B: 741,056 B in all).",
    },
    "memory.index": {"zh": "索引 model.safetensors.index.json", "en": "model.safetensors.index.json"},
    "memory.index_note": {"zh": "哪个张量在哪个文件里；不算在总数里。", "en": "Which file holds which tensor; not in the total."},
    "memory.files": {"zh": "文件数", "en": "files"},
    "memory.file_names": {"zh": "{first} … {last}", "en": "{first} … {last}"},
    "memory.tensors": {"zh": "逐个张量", "en": "Tensor by tensor"},
    "memory.tensors_csv": {"zh": "逐个张量 CSV", "en": "Tensor by tensor, CSV"},
    "memory.column.tensor": {"zh": "张量", "en": "tensor"},
    "memory.column.type": {"zh": "类型", "en": "type"},
    "memory.column.tensors": {"zh": "个数", "en": "tensors"},
    "memory.column.numbers": {"zh": "数", "en": "numbers"},
    "memory.column.bytes": {"zh": "字节（B）", "en": "bytes, B"},
    "memory.column.bits": {"zh": "每个数（bit）", "en": "bits each"},
    # which GPUs compute in it
    "memory.ways_title": {"zh": "哪些 GPU 直接算 {title}", "en": "Which GPUs compute in {title}"},
    "memory.way.native": {"zh": "直接算", "en": "as it is"},
    "memory.way_note.native": {"zh": "矩阵单元就用这种格式相乘。", "en": "Its matrix units multiply it."},
    "memory.way.unpacked": {"zh": "先展开成 16 位", "en": "unpacked first"},
    "memory.way_note.unpacked": {
        "zh": "显存和带宽省了，算力不省。",
        "en": "Turned into 16 bits on the way: it saves memory and bandwidth, not arithmetic.",
    },
    "memory.way.emulated": {"zh": "没有这种单元", "en": "not in hardware"},
    "memory.way_note.emulated": {
        "zh": "只能用别的格式代替，通常是 fp32，很慢：请改用 fp16。",
        "en": "Computed in another format, mostly fp32, and slow: use fp16.",
    },
    "memory.way.unknown": {"zh": "没有公布", "en": "not published"},
    "memory.way_note.unknown": {"zh": "厂商没有写明。", "en": "The vendor does not say."},
}
