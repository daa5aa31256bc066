"""What is wrong with an input, in the reader's language. The English sentences are those of `calc.errors`."""

from calc.errors import MESSAGES

_ZH = {
    "empty": "还没有内容：请把 config.json 的全文粘贴进来。",
    "too_large": "这份内容有 {size_mb} MB；config.json 只有几 KB（最多读 {limit_mb} MB）。是不是选成了分词器或权重文件？",
    "not_text": "文件不是 UTF-8 文本（第 {position} 个字节）：请选 config.json，不要选权重文件。",
    "not_json": "第 {line} 行第 {column} 列不是合法的 JSON，附近是 {near}：请检查那里的引号、逗号和括号。",
    "too_deep": "JSON 嵌套太深，不像 config.json：请只粘贴模型自己的配置。",
    "number_too_long": "配置里有一个数长达几千位：请改短。",
    "not_an_object": "这段 JSON 的类型是 {found}，不是对象：config.json 以 {{ 开头、以 }} 结尾。",
    "repeated_key": "{field} 写了两次，值还不同（{first} 和 {second}）：请删掉一个。",
    "two_names": "{field} 和 {other} 是同一项的两个名字，值却不同（{first} 和 {second}）：请删掉一个。",
    "no_model_type": "缺少 model_type：请加上，例如 \"model_type\": \"llama\"。",
    "no_model_type_but_architecture": "缺少 model_type：architectures 里写着 {architecture}，请加上 \"model_type\": \"{suggestion}\"。",
    "model_type_not_text": "model_type 是 {value}：请写成带引号的名字，例如 \"model_type\": \"llama\"。",
    "unknown_model_type": "还不认识 model_type {value}。认识的有：{known}。",
    "unknown_model_type_similar": "还不认识 model_type {value}。是不是 {similar}？认识的有：{known}。",
    "missing": "缺少 {field}，{config_class} 也没有默认值：请补上。",
    "null": "{field} 是 null，但 {config_class} 需要一个数：请写上，或删掉这一行以使用默认值。",
    "null_flag": "{field} 是 null，但 {config_class} 需要 true 或 false：请写上，或删掉这一行以使用默认值。",
    "not_a_number": "{field} 是 {value}，不是一个数：请写一个整数。",
    "not_an_integer": "{field} 是 {value}：请写整数，不要引号，也不要小数点。",
    "not_positive": "{field} 是 {value}：至少要是 1。",
    "negative": "{field} 是 {value}：不能小于 0。",
    "not_among": "{field} 是 {value}：这里认识的有 {among}。",
    "not_a_list": "{field} 是 {value}：请写成方括号里的列表（{kind}）。",
    "not_one_a_layer": "{field} 有 {items} 项，模型却有 {layers} 层：请每层写一项。",
    "too_big": "{field} 是 {value}，超过 {largest} 多半是笔误：请检查位数。",
    "not_a_flag": "{field} 是 {value}：请写 true 或 false，不要引号。",
    "heads_do_not_divide": "hidden_size {hidden_size} 不能被 num_attention_heads {heads} 整除，head_dim 就不能取两者之商："
    "请改其中一个，或给出 head_dim。",
    "heads_must_divide": "{hidden_field} {hidden_size} 不能被 {heads_field} {heads} 整除，而这种模型没有单独的 head_dim：请改其中一个。",
    "kv_heads_do_not_divide": "num_attention_heads {heads} 不能被 num_key_value_heads {kv_heads} 整除，查询头就无法平均共用 kv 头：请改其中一个。",
    "unknown_model": "{value} 既不是目录里的模型，也不是文件。目录里有：{known}。",
    "unknown_model_similar": "{value} 既不是目录里的模型，也不是文件。是不是 {similar}？",
    "unreadable_file": "读不了 {path}（{reason}）：请检查路径。",
}

TEXTS = {f"error.{code}": {"zh": _ZH[code], "en": english} for code, english in MESSAGES.items()}
