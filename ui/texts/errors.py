"""What is wrong with an input, in Chinese. The English sentences are those of `calc.errors`."""

TEXTS = {
    "error.empty": {"zh": "还没有内容：请把 config.json 的全文粘贴进来。"},
    "error.too_large": {
        "zh": "这份内容有 {size_mb} MB；config.json 只有几 KB（最多读 {limit_mb} MB）。是不是选成了分词器或权重文件？"
    },
    "error.not_text": {"zh": "文件不是 UTF-8 文本（第 {position} 个字节）：请选 config.json，不要选权重文件。"},
    "error.not_json": {"zh": "第 {line} 行第 {column} 列不是合法的 JSON，附近是 {near}：请检查那里的引号、逗号和括号。"},
    "error.too_deep": {"zh": "JSON 嵌套太深，不像 config.json：请只粘贴模型自己的配置。"},
    "error.number_too_long": {"zh": "配置里有一个数长达几千位：请改短。"},
    "error.not_an_object": {"zh": "这段 JSON 的类型是 {found}，不是对象：config.json 以 {{ 开头、以 }} 结尾。"},
    "error.repeated_key": {"zh": "{field} 写了两次，值还不同（{first} 和 {second}）：请删掉一个。"},
    "error.two_names": {"zh": "{field} 和 {other} 是同一项的两个名字，值却不同（{first} 和 {second}）：请删掉一个。"},
    "error.no_model_type": {"zh": '缺少 model_type：请加上，例如 "model_type": "llama"。'},
    "error.no_model_type_but_architecture": {
        "zh": '缺少 model_type：architectures 里写着 {architecture}，请加上 "model_type": "{suggestion}"。'
    },
    "error.model_type_not_text": {"zh": 'model_type 是 {value}：请写成带引号的名字，例如 "model_type": "llama"。'},
    "error.unknown_model_type": {
        "zh": "还不认识 model_type {value}：能数的 {known} 种列在“怎么数的”一页，`python -m calc types` 也会列出。可以改看权重文件里实际存了什么：在“对账”一页，或用 `python -m calc count --checkpoint`。"
    },
    "error.unknown_model_type_similar": {
        "zh": "还不认识 model_type {value}。是不是 {similar}？能数的 {known} 种列在“怎么数的”一页，`python -m calc types` 也会列出。可以改看权重文件里实际存了什么：在“对账”一页，或用 `python -m calc count --checkpoint`。"
    },
    "error.missing": {"zh": "缺少 {field}，{config_class} 也没有默认值：请补上。"},
    "error.null": {"zh": "{field} 是 null，但 {config_class} 需要一个数：请写上，或删掉这一行以使用默认值。"},
    "error.null_flag": {"zh": "{field} 是 null，但 {config_class} 需要 true 或 false：请写上，或删掉这一行以使用默认值。"},
    "error.not_a_number": {"zh": "{field} 是 {value}，不是一个数：请写一个整数。"},
    "error.not_an_integer": {"zh": "{field} 是 {value}：请写整数，不要引号，也不要小数点。"},
    "error.not_positive": {"zh": "{field} 是 {value}：至少要是 1。"},
    "error.negative": {"zh": "{field} 是 {value}：不能小于 0。"},
    "error.not_among": {"zh": "{field} 是 {value}：这里认识的有 {among}。"},
    "error.not_a_list": {"zh": "{field} 是 {value}：请写成方括号里的列表（{kind}）。"},
    "error.lists_differ": {"zh": "{field} 有 {items} 项，{other} 有 {others} 项：两者都要每个轴一项。"},
    "error.not_one_a_layer": {"zh": "{field} 有 {items} 项，模型却有 {layers} 层：请每层写一项。"},
    "error.too_big": {"zh": "{field} 是 {value}，超过 {largest} 多半是笔误：请检查位数。"},
    "error.not_a_flag": {"zh": "{field} 是 {value}：请写 true 或 false，不要引号。"},
    "error.heads_do_not_divide": {
        "zh": "hidden_size {hidden_size} 不能被 num_attention_heads {heads} 整除，head_dim 就不能取两者之商：请改其中一个，或给出 head_dim。"
    },
    "error.heads_must_divide": {
        "zh": "{hidden_field} {hidden_size} 不能被 {heads_field} {heads} 整除，而这种模型没有单独的 head_dim：请改其中一个。"
    },
    "error.kv_heads_do_not_divide": {
        "zh": "num_attention_heads {heads} 不能被 num_key_value_heads {kv_heads} 整除，查询头就无法平均共用 kv 头：请改其中一个。"
    },
    "error.mixing_not_described": {
        "zh": "{value} 模型里词元（token）之间怎样交互，这里还没有写明，所以算不了它的 KV 缓存和注意力 FLOPs：可以数它的参数，或换一个模型。"
    },
    "error.context_over_limit": {"zh": "{field} 是 {value}，而这个模型最多 {limit} 个词元：请改小。"},
    "error.unknown_model": {"zh": "{value} 既不是目录里的模型，也不是文件。目录里有：{known}。"},
    "error.unknown_model_similar": {"zh": "{value} 既不是目录里的模型，也不是文件。是不是 {similar}？"},
    "error.unknown_gpu": {"zh": "{field} 是 {value}，GPU 列表里没有。现有：{known}。"},
    "error.unknown_gpu_similar": {"zh": "{field} 是 {value}，GPU 列表里没有。是不是 {similar}？"},
    "error.gpu_without_peak": {"zh": "{value} 每秒能做多少 {format} 矩阵乘法没有公布：请换一块 GPU 或换一种格式。"},
    "error.needs_gpu": {"zh": "没有选 GPU，{field} 就没有意义：请同时指定 GPU，例如 --gpu H100。"},
    "error.not_a_quantity": {"zh": "{field} 是 {value}，不是一个数：请写一个数，例如 {example}。"},
    "error.not_whole": {"zh": "{field} 是 {value}：请写整数，例如 {example}。"},
    "error.not_above_zero": {"zh": "{field} 是 {value}：必须大于 0。"},
    "error.not_a_share": {"zh": "{field} 是 {value}：请写大于 0、不超过 1 的比例，例如 40% 写成 0.4。"},
    "error.heads_do_not_share_out": {
        "zh": "{field} 是 {value}，而 {heads} 个查询头和 {kv_heads} 个 kv 头不能平均分给这么多块 GPU：请从 {among} 里选。"
    },
    "error.unreadable_file": {"zh": "读不了 {path}（{reason}）：请检查路径。"},
    "error.unwritable_file": {"zh": "写不了 {path}（{reason}）：请检查路径，或写到别处。"},
    "error.too_many_models": {"zh": "给了 {models} 个模型，一次最多比较 {limit} 个：请去掉一些。"},
    "error.header_truncated": {"zh": "{file} 只有 {size_bytes} 字节，文件头还没读完就到了结尾：请重新下载。"},
    "error.header_too_large": {"zh": "{file} 声称文件头有 {length} 字节，最多读 {limit_mb} MB：文件损坏，或不是权重文件。"},
    "error.header_not_json": {"zh": "{file} 的文件头不是 .safetensors 开头应有的 JSON：请重新下载，或换一个文件。"},
    "error.header_repeated_tensor": {"zh": "{file} 里 {tensor} 列了两次：文件损坏，请重新保存或下载。"},
    "error.too_many_tensors": {"zh": "{file} 列了 {tensors} 个张量，最多读 {limit} 个：文件损坏，或不是模型权重。"},
    "error.tensor_malformed": {"zh": "{file}：{tensor} 这一项没有写明类型、形状和位置：请重新保存或下载文件。"},
    "error.tensor_unknown_dtype": {"zh": "{file}：{tensor} 的类型是 {dtype}，格式里没有这种类型。认识的有：{known}。"},
    "error.tensor_size_differs": {
        "zh": "{file}：按类型和形状，{tensor} 应占 {expected} 字节，文件里却留了 {size_bytes} 字节：请重新保存或下载文件。"
    },
    "error.tensor_outside_file": {
        "zh": "{file}：{tensor} 位于第 {begin} 到 {end} 字节，可数据一共只有 {data_bytes} 字节：文件不完整，请重新下载。"
    },
    "error.tensors_overlap": {"zh": "{file}：{tensor} 与另一个张量重叠：请重新保存或下载文件。"},
    "error.tensors_leave_a_gap": {"zh": "{file}：{tensor} 前面有 {gap_bytes} 字节不属于任何张量：请重新保存或下载文件。"},
    "error.index_too_large": {"zh": "{file} 超过 {limit_mb} MB：请选权重旁边的索引 model.safetensors.index.json。"},
    "error.index_malformed": {"zh": "{file} 里没有从张量到文件的 weight_map：请选权重旁边的索引 model.safetensors.index.json。"},
    "error.index_outside_folder": {"zh": "{file} 里写着 {shard}，它不是同一文件夹里的 .safetensors 文件：请改正索引。"},
    "error.index_missing_shard": {"zh": "{file} 里写着 {shard}，可是没有这个文件：请把它放到索引旁边。"},
    "error.index_missing_tensor": {"zh": "索引说 {tensor} 在 {shard} 里，可那里没有：索引和权重文件不属于同一个模型。"},
    "error.tensor_in_two_files": {"zh": "{tensor} 同时出现在 {first} 和 {second} 里：请只留同一个模型的文件。"},
    "error.not_gguf": {"zh": "{file} 开头不是 GGUF：请选 .gguf 文件。"},
    "error.gguf_version": {"zh": "{file} 是 GGUF 第 {version} 版，只能读第 {known} 版：请用新版 llama.cpp 重新转换。"},
    "error.gguf_malformed": {"zh": "{file} 的文件头在第 {position} 字节处读不通：请重新下载。"},
    "error.gguf_unknown_type": {
        "zh": "{file}：{tensor} 的类型编号是 {kind}，已安装的 gguf 包不认识：请用新版 llama.cpp 重新转换。"
    },
    "error.gguf_part_missing": {"zh": "缺少 {file}：请把模型的所有分卷放在同一个文件夹里。"},
    "error.packing_unclear": {
        "zh": "{tensor}（{dtype}，{shape}）是打包存放的，旁边的张量和配置都没有说明每个权重占几位：请把带 quantization_config 的 config.json 放在文件旁边。"
    },
    "error.no_checkpoint": {"zh": "{where} 里没有 .safetensors 或 .gguf 文件：请换一个有这种文件的模型，或直接选文件。"},
    "error.several_checkpoints": {"zh": "{where} 里有好几个模型：{files}。请指定其中一个文件。"},
    "error.upload_cut_in_header": {"zh": "{file} 只有 {size_bytes} 字节，文件头还没完：请从开头多截一些再上传。"},
    "error.upload_twice": {"zh": "{file} 上传了两次：请去掉一个。"},
    "error.several_uploads": {"zh": "这些文件属于好几个模型：{files}。请只上传一个模型的文件。"},
    "error.no_upload_of_weights": {"zh": "上传的文件里没有 .safetensors 或 .gguf：请加上模型的权重文件，或每个文件的开头一段。"},
    "error.no_such_checkpoint": {
        "zh": "{value} 既不是文件或文件夹，也不是 Hub 上的模型：请给出路径、org/name 这样的名字，或模型的网址。"
    },
    "error.not_a_hub_model": {"zh": "{value} 不是 Hub 上模型的网址：请从模型页面复制，或写成 org/name。"},
    "error.hub_needs_token": {
        "zh": "{model} 不公开、需要授权，或不存在：请检查名字，在 Hub 上同意许可并设置 HF_TOKEN，或换一个公开的副本。"
    },
    "error.hub_forbidden": {"zh": "{model} 需要授权：请在 Hub 上同意许可，把 HF_TOKEN 设为该账号的令牌，或换一个公开的副本。"},
    "error.hub_forbidden_mirror": {
        "zh": "{model} 需要授权：请在 Hub 上同意许可，把 HF_TOKEN 设为该账号的令牌，或使用公开的副本 {mirror}。"
    },
    "error.hub_not_found": {"zh": "{endpoint} 上没有模型 {model}：请检查名字和版本。"},
    "error.hub_no_such_file": {"zh": "{model} 里没有文件 {file}：请检查文件名和版本。"},
    "error.hub_no_config": {
        "zh": "{model} 里没有 config.json。可以改看权重文件里实际存了什么：在“对账”一页，或用 `python -m calc count --checkpoint {model}`。"
    },
    "error.hub_too_many_requests": {"zh": "{endpoint} 收到的请求太多：请等几分钟再试，或设置 HF_TOKEN。"},
    "error.hub_failing": {"zh": "{endpoint} 返回错误 {status}：请稍后再试。"},
    "error.hub_unreachable": {"zh": "连不上 {endpoint}（{reason}）：请检查网络，或把 HF_ENDPOINT 设为镜像站。"},
    "error.hub_too_slow": {"zh": "{endpoint} 在 {seconds} 秒内没有回应：请稍后再试，或把 HF_ENDPOINT 设为镜像站。"},
    "error.hub_cut_short": {"zh": "{endpoint} 传到 {file} 中途断开了：请再试一次。"},
    "error.hub_offline": {"zh": "本机没有保存 {model}，而 HF_HUB_OFFLINE 不允许联网：请取消这项设置，或选本地文件。"},
    "error.hub_search_refused": {"zh": "{endpoint} 不让按名字查找（错误 {status}）：请检查或取消 HF_TOKEN。"},
    "error.hub_search_offline": {
        "zh": "HF_HUB_OFFLINE 不允许联网，没法按名字查找：请取消这项设置，或写出本机保存的模型的名字 org/name。"
    },
    "error.hub_answer_malformed": {"zh": "{endpoint} 的回答不是 Hub 的格式：请检查 HF_ENDPOINT。"},
    "error.tokenizer_package_missing": {"zh": "这里需要一个还没有安装的包：请运行 pip install {package}。"},
    "error.unknown_tokenizer": {"zh": "这里没有叫 {value} 的分词器。现有：{known}。"},
    "error.unknown_tokenizer_similar": {"zh": "这里没有叫 {value} 的分词器。是不是 {similar}？"},
    "error.word_too_long": {"zh": "这个词有 {symbols} 个符号，最多演示 {limit} 个符号的合并：请选一个短一些的词。"},
    "error.text_too_large": {"zh": "{file} 有 {size_mb} MB，最多数 {limit_mb} MB：请把它拆开。"},
    "error.text_not_utf8": {"zh": "{file} 不是 UTF-8 文本（第 {position} 字节）：请另存为 UTF-8，或换一个文本文件。"},
    "error.text_without_breaks": {"zh": "{file} 里有一段超过 {limit} 个字符，字母后面既没有空格也没有换行：请分成多行。"},
    "error.row_not_json": {"zh": "{file} 第 {line} 行不是 JSON：JSONL 文件每行应是一个 JSON 值。"},
    "error.row_without_field": {"zh": "{file} 第 {line} 行的字段 {field} 里没有文字：请换一个字段。"},
    "error.csv_malformed": {"zh": "{file} 第 {line} 行不是 CSV（{reason}）：请检查那里的引号。"},
    "error.csv_without_column": {"zh": "{file} 没有名为 {field} 的列。现有：{known}。"},
    "error.tokenizer_file_too_large": {"zh": "{file} 有 {size_mb} MB，分词器文件最多 {limit_mb} MB：请选 tokenizer.json。"},
    "error.tokenizer_unreadable": {"zh": "{file} 不是分词器文件（{reason}）：请选模型的 tokenizer.json 或 tokenizer.model。"},
    "error.tokenizer_ranks_only": {"zh": "{file} 只有合并的次序，没有先行切分文本的正则表达式：请选模型的 tokenizer.json。"},
    "error.tokenizer_too_slow": {"zh": "{file} 在 {seconds} 秒内没有完成，已停止：它的正则表达式太慢，或者文本太长。"},
    "error.tokenizer_failed": {"zh": "{file} 让分词库崩溃了：文件损坏，或需要的内存太多。"},
    "error.tokenizer_cannot_cut": {"zh": "{file} 切不了这段文本（{reason}）。"},
    "error.no_such_token": {"zh": "没有编号为 {token} 的词元：词表一共 {size} 项，从 0 开始编号。"},
    "error.unknown_format": {"zh": "{field} 写的是 {value}，这里没有这种格式。有：{known}。"},
    "error.unknown_format_similar": {"zh": "{field} 写的是 {value}，这里没有这种格式。是不是想写 {similar}？"},
    "error.gguf_not_described": {
        "zh": "llama.cpp 怎样转换 {value}，这里还没有写明，所以算不出它的 .gguf 有多大：请改选 safetensors 的格式。已写明的有：{known}。"
    },
    "error.gguf_no_fallback": {
        "zh": "llama-quantize 做不出这个模型的这种文件：{tensor} 每行长 {length}，不是 {kind} 所需的 {block} 的倍数，也没有别的类型可以代替。请换一种格式。"
    },
}
