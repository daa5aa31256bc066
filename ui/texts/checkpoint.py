"""Texts of the page that compares the parts list with a real file: choosing it, the ledger, its causes, the lists."""

TEXTS = {
    # causes; the English is that of `calc.checkpoint.report`
    "cause.tied_stored_again": "共用的张量又存了一份",
    "cause.stored_again": "同一个张量存了两个名字",
    "cause.inv_freq": "旋转频率 inv_freq",
    "cause.causal_mask": "因果掩码",
    "cause.router_correction": "路由的均衡偏置",
    "cause.buffer": "其他缓冲区",
    "cause.dummy_bias": "量化工具补的空偏置",
    "cause.mtp": "多 token 预测层（MTP）",
    "cause.more_layers": "多出来的层",
    "cause.padded_vocabulary": "词表多出的行",
    "cause.shape_differs": "形状不同",
    "cause.scales_and_zeros": "量化的缩放系数和零点",
    "cause.packing_tables": "打包用的表",
    "cause.other_modality": "图像或声音的编码器",
    "cause.unknown": "不认识的张量",
    "cause.missing": "缺少的参数",
    "cause_why.tied_stored_again": {
        "zh": "输出头与词嵌入共用（tied）同一组数，文件却又写了一份；参数只数一次。",
        "en": "The head and the embedding share the same numbers, yet the file writes them a second time; parameters count once.",
    },
    "cause_why.stored_again": {
        "zh": "零件清单里的同一个零件，在文件里用两个名字各存了一份；第二份不是新的参数。",
        "en": "One part of the parts list stands in the file under two names; the second copy holds no new parameters.",
    },
    "cause_why.inv_freq": {
        "zh": "旋转位置编码（RoPE）的频率表，由公式算出，不是学出来的：是缓冲区（buffer），不是参数。",
        "en": "The frequencies of rotary positions follow from a formula and are not learned: a buffer, no parameters.",
    },
    "cause_why.causal_mask": {
        "zh": "遮住后面 token 的三角形，数值固定，不是学出来的：是缓冲区，不是参数。",
        "en": "The triangle that hides later tokens is fixed and not learned: a buffer, no parameters.",
    },
    "cause_why.router_correction": {
        "zh": "让各个专家忙闲均匀的偏置，按规则调整，不靠梯度学习：是缓冲区，不算参数。",
        "en": "A bias that keeps the experts equally busy is set by a rule, not by gradients: a buffer, no parameters.",
    },
    "cause_why.buffer": {
        "zh": "模块随身带着的其他固定数值，训练不改它们：不是参数。",
        "en": "Other fixed numbers that a module carries along; training does not change them: no parameters.",
    },
    "cause_why.dummy_bias": {
        "zh": "模型这里没有偏置，量化工具照格式补了一排 0：不是模型的参数。",
        "en": "The model has no bias here; the quantizer writes a row of zeros because its format has one: no parameters of the model.",
    },
    "cause_why.mtp": {
        "zh": "训练时多预测几个 token 的附加层，常带着自己的词嵌入和输出头；是学出来的，但不属于配置所说的主模型。",
        "en": "Extra layers that predict further tokens, often with an embedding and head of their own: learned, but not part of the "
        "main model the config describes.",
    },
    "cause_why.more_layers": {
        "zh": "层号超出了 num_hidden_layers：配置没有说到这些层，所以零件清单里没有。",
        "en": "Layers numbered beyond num_hidden_layers: the config does not speak of them, so the parts list has none.",
    },
    "cause_why.padded_vocabulary": {
        "zh": "词嵌入或输出头的行数与 vocab_size 不同，多半是为了凑整倍数而补的行，不对应任何 token；负数表示比配置少。",
        "en": "The embedding or head has other than vocab_size rows, mostly filled up to a round multiple; those rows stand for no "
        "token. Negative where there are fewer.",
    },
    "cause_why.shape_differs": {
        "zh": "名字对得上，大小对不上：文件与这份配置多半不是同一个模型。",
        "en": "The name is right and the size is not: file and config are probably of two models.",
    },
    "cause_why.scales_and_zeros": {
        "zh": "量化后的整数要乘缩放系数、减零点才还原成权重；它们只帮着还原，自己不是权重。",
        "en": "Quantized integers become weights by these scales and offsets; they help to unpack and are no weights themselves.",
    },
    "cause_why.packing_tables": {
        "zh": "说明权重怎样打包的次序、码表和描述：是说明书，不是权重。",
        "en": "Order, code book and description of how the weights are packed: instructions, no weights.",
    },
    "cause_why.other_modality": {
        "zh": "看图、听声音的部分和它们接到语言模型上的投影；这里的零件清单只数语言部分。",
        "en": "What sees or hears, and what joins it to the language model; the parts list here counts the language part alone.",
    },
    "cause_why.unknown": {
        "zh": "零件清单里没有这样的名字，从名字和形状也看不出用途；这里照实列出，不猜。",
        "en": "The parts list has no such name, and name and shape give no purpose away; they are listed, not guessed at.",
    },
    "cause_why.missing": {
        "zh": "零件清单里有，文件里没有：文件不完整，或者不是这个模型。",
        "en": "In the parts list and not in the file: the file is incomplete, or of another model.",
    },
    # choosing the file
    "checkpoint.from": {"zh": "真实文件从哪里来", "en": "Where the real file is"},
    "checkpoint.from_hub": {"zh": "Hub 上的模型", "en": "On the Hub"},
    "checkpoint.from_upload": {"zh": "上传", "en": "Upload"},
    "checkpoint.from_path": {"zh": "本机的路径", "en": "On this machine"},
    "checkpoint.source": {"zh": "Hub 上的名字或网址", "en": "Hub id or address"},
    "checkpoint.revision": {"zh": "版本（revision）", "en": "Revision"},
    "checkpoint.read": {"zh": "读文件头", "en": "Read the headers"},
    "checkpoint.stop": {"zh": "停止", "en": "Stop"},
    "checkpoint.hub_note": {
        "zh": "只读每个文件开头的目录（张量的名字、形状、类型），不下载权重：几十 KB，最大的模型二十来 MB。按下按钮才联网，最多 {seconds} 秒。",
        "en": "Only the list at the head of each file is read (names, shapes and types of the tensors), no weights: some KB, 20 MB of the largest. "
        "Nothing is asked before you press the button; at most {seconds} s.",
    },
    "checkpoint.gated": {
        "zh": "{model} 要先同意许可才能读；有一份公开的副本：",
        "en": "{model} is gated; there is an open copy:",
    },
    "checkpoint.use_mirror": {"zh": "改用 {mirror}", "en": "Use {mirror}"},
    "checkpoint.token_kept": {
        "zh": "这个网页有不止一个人在用，不会拿主人的令牌（HF_TOKEN）替别人去读。",
        "en": "This app is not at your own machine: it does not use its owner's HF_TOKEN for visitors.",
    },
    "checkpoint.asking": {"zh": "正在问 {where} 有哪些文件……", "en": "Asking which files {where} has …"},
    "checkpoint.reading": {
        "zh": "读了 {read} / {files} 个文件，{transferred}",
        "en": "{read} of {files} files read, {transferred}",
    },
    "checkpoint.again_in": {
        "zh": "{seconds} 秒后再按，会重新去问。",
        "en": "Pressed again in {seconds} s, the button asks anew.",
    },
    "checkpoint.still_shown": {"zh": "下面仍是上一次读到的：{source}。", "en": "Below is still what was read before: {source}."},
    "checkpoint.upload": {
        "zh": ".safetensors 或 .gguf（整个文件，或只要开头一段）；多个分片连同 index.json、config.json 一起选",
        "en": "A .safetensors or .gguf, whole or only its beginning; shards together with their index.json, and config.json",
    },
    "checkpoint.cut": {
        "zh": "文件太大？只截开头 {megabytes} MB 就够：目录在最前面，权重用不着上传。",
        "en": "Too large? The first {megabytes} MB are enough: the list stands at the beginning, the weights are not needed.",
    },
    "checkpoint.path": {
        "zh": "文件夹，或 .safetensors、.safetensors.index.json、.gguf 文件的路径",
        "en": "A folder, or the path of a .safetensors, .safetensors.index.json or .gguf",
    },
    "checkpoint.path_note": {
        "zh": "只有浏览器就在运行程序的这台机器上（localhost）时才有这一项；路径不写进网址。",
        "en": "Offered only because your browser is on the machine the app runs on (localhost); the path does not go into the address.",
    },
    "checkpoint.path_withheld": {
        "zh": "本机的路径只给在运行程序的机器上打开网页（localhost）的人；别人请上传。",
        "en": "Paths are read only for a browser on the machine the app runs on (localhost); elsewhere, upload.",
    },
    "checkpoint.nothing_yet": {
        "zh": "读到文件头以后，这里把零件清单与真实文件里的张量逐个核对：差多少、为什么，一直对到最后一个数。",
        "en": "Once the headers are read, the parts list is held here against every tensor of the real file, and the difference explained to "
        "the last number.",
    },
    # what it is held against
    "checkpoint.against": {"zh": "与谁核对", "en": "Held against"},
    "checkpoint.against_model": {"zh": "{title}", "en": "{title}"},
    "checkpoint.against_own": {"zh": "自带的 config.json", "en": "its own config.json"},
    "checkpoint.against_none": {"zh": "只看文件", "en": "just the file"},
    "checkpoint.own_title": {"zh": "{source} 自带的配置", "en": "{source}, its own config"},
    "checkpoint.config_differs": {
        "zh": "文件自带的 config.json 与 {title} 不同（{title} → 文件）：{fields}。",
        "en": "The file's own config.json differs from {title} ({title} → file): {fields}.",
    },
    "checkpoint.own_unknown": {
        "zh": "文件自带的 config.json 数不了：{reason}下面照实列出文件里有什么，不猜。",
        "en": "The file's own config.json cannot be counted: {reason} Below is what the file holds, never a guess.",
    },
    # the headline
    "checkpoint.expected": {"zh": "零件清单应有", "en": "expected by the parts list"},
    "checkpoint.found": {"zh": "文件里有", "en": "found in the file"},
    "checkpoint.gap": {"zh": "相差", "en": "difference"},
    "checkpoint.exact": {"zh": "每个参数都在，一个不多，一个不少", "en": "Every parameter is there, and nothing else"},
    "checkpoint.reconciled": {
        "zh": "对平了：每个参数都在，多出的每一个数都有出处",
        "en": "Reconciled to the last element: every parameter is there, every number beyond them has a cause",
    },
    "checkpoint.differs": {"zh": "与 {title} 对不上：{causes}", "en": "Not exactly {title}: {causes}"},
    "checkpoint.another_model": {
        "zh": "文件里只对上了 {title} 的 {share}：多半是另一个模型的文件",
        "en": "Only {share} of {title} is in this file: it is probably of another model",
    },
    "checkpoint.holds": {
        "zh": "个数存在文件里（共用的和缓冲区也在内）",
        "en": "numbers in place of weights, tied copies and buffers among them",
    },
    "checkpoint.holds_service": {
        "zh": "另有 {elements} 个缩放系数和打包用的表",
        "en": "beside them {elements} scales and tables of the packing",
    },
    # the ledger
    "checkpoint.ledger": {"zh": "从应有到实有", "en": "From expected to found"},
    "checkpoint.row_expected": {"zh": "应有", "en": "expected"},
    "checkpoint.row_found": {"zh": "文件里", "en": "found"},
    "checkpoint.copies": {"zh": "{copies} 个张量", "en": "{copies} tensors"},
    "checkpoint.one_copy": {"zh": "1 个张量", "en": "1 tensor"},
    "checkpoint.more_names": {"zh": "还有 {number} 个名字", "en": "{number} more names"},
    "checkpoint.names_in_csv": {"zh": "其余 {number} 个名字见 CSV", "en": "the other {number} names are in the CSV"},
    "checkpoint.broken_scale": {
        "zh": "断口处略去了相同的部分，其余按比例画。",
        "en": "What is the same is left out at the break; the rest is drawn to scale.",
    },
    # checks
    "checkpoint.checks": {"zh": "核对", "en": "Checks"},
    "checkpoint.check_matched": {
        "zh": "{tensors} 个张量、{elements} 个数，名字和形状都对上了（占零件清单的 {share}）。",
        "en": "{tensors} tensors with {elements} numbers match by name and shape ({share} of the parts list).",
    },
    "checkpoint.check_hub": {
        "zh": "目录里记着 Hub 的总数 {total}：文件里正好这么多。",
        "en": "The catalogue has {total} as the Hub's total: the file holds exactly that.",
    },
    "checkpoint.check_hub_differs": {
        "zh": "目录里记着 Hub 的总数 {total}，文件里是 {found}，相差 {difference}：文件可能换过版本。",
        "en": "The catalogue has {total} as the Hub's total, the file holds {found}, {difference}: it may be another revision.",
    },
    # the file
    "checkpoint.file": {"zh": "文件", "en": "The file"},
    "checkpoint.fact_read": {"zh": "只读了", "en": "read"},
    "checkpoint.read_of": {"zh": "{read}，全部 {size} 的 {share}", "en": "{read} of {size}, {share}"},
    "checkpoint.fact_files": {"zh": "文件数", "en": "files"},
    "checkpoint.fact_format": {"zh": "格式", "en": "format"},
    "checkpoint.fact_tensors": {"zh": "张量数", "en": "tensors"},
    "checkpoint.fact_stored": {"zh": "存着的数", "en": "numbers as stored"},
    "checkpoint.fact_packings": {"zh": "打包方式", "en": "packed as"},
    "checkpoint.dtype": {"zh": "类型", "en": "type"},
    "checkpoint.dtype_elements": {"zh": "数的个数", "en": "numbers"},
    "checkpoint.dtype_bytes": {"zh": "字节", "en": "bytes"},
    # the lists
    "checkpoint.lists": {"zh": "逐个张量", "en": "Tensor by tensor"},
    "checkpoint.list_matched": {"zh": "对上的", "en": "matching"},
    "checkpoint.list_arranged": {"zh": "其中拼法不同的（合成一个，或拆成几个）", "en": "of these, joined or split otherwise"},
    "checkpoint.list_missing": {"zh": "缺少的", "en": "missing"},
    "checkpoint.list_extra": {"zh": "多出的", "en": "extra"},
    "checkpoint.list_shape": {"zh": "形状不同的", "en": "in another shape"},
    "checkpoint.list_held": {"zh": "文件里的张量", "en": "tensors of the file"},
    "checkpoint.count": {"zh": "{tensors} 个张量，{elements} 个数", "en": "{tensors} tensors, {elements} numbers"},
    "checkpoint.none": {"zh": "没有", "en": "none"},
    "checkpoint.more_rows": {"zh": "还有 {number} 行，见 CSV。", "en": "{number} more lines, in the CSV."},
    "checkpoint.column.name": {"zh": "文件里的名字", "en": "name in the file"},
    "checkpoint.column.cause": {"zh": "原因", "en": "cause"},
    "checkpoint.column.copies": {"zh": "张量数", "en": "tensors"},
    "checkpoint.column.shape": {"zh": "形状", "en": "shape"},
    "checkpoint.column.expected": {"zh": "应有", "en": "expected"},
    "checkpoint.column.found": {"zh": "文件里", "en": "found"},
    "checkpoint.column.difference": {"zh": "相差", "en": "difference"},
    "checkpoint.column.packing": {"zh": "打包方式", "en": "packed as"},
    "checkpoint.column.count": {"zh": "每个有多少数", "en": "numbers in one"},
    "checkpoint.column.elements": {"zh": "一共", "en": "in all"},
    "checkpoint.download_csv": {"zh": "对账表 CSV", "en": "Ledger, CSV"},
    "checkpoint.download_json": {"zh": "对账表 JSON", "en": "Ledger, JSON"},
    "checkpoint.download_file_csv": {"zh": "张量表 CSV", "en": "Tensors, CSV"},
    "checkpoint.download_file_json": {"zh": "张量表 JSON", "en": "Tensors, JSON"},
}
