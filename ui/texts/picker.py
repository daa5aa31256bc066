"""Texts of the model picker: the catalogue, a config.json of the reader's own, a model of the Hub, recent ones."""

TEXTS = {
    "picker.model": {"zh": "模型", "en": "Model"},
    "picker.more": {"zh": "更多模型", "en": "More models"},
    "picker.more_hint": {"zh": "更多模型……", "en": "more models …"},
    "picker.config": {
        "zh": "config.json 的全文（改一个数，下面的图就跟着变）",
        "en": "The text of a config.json (change a number and the picture follows)",
    },
    "picker.upload": {"zh": "或上传 config.json", "en": "or upload a config.json"},
    "picker.own_title": {"zh": "你的模型", "en": "your model"},
    "picker.assumed": {
        "zh": "配置里没写、按 {config_class} 补上的：{fields}。",
        "en": "Not in the config, filled in as {config_class} does: {fields}.",
    },
    "picker.not_counted": {
        "zh": "这里数的是语言部分，没有计入：{fields}。",
        "en": "The language part is counted; not counted: {fields}.",
    },
    "picker.not_read": {"zh": "按 {type} 来数没有读到的字段：{fields}。", "en": "Not read in counting this as {type}: {fields}."},
    "picker.similar": {"zh": "{field}（是不是 {similar}？）", "en": "{field} (did you mean {similar}?)"},
    "picker.recent": {"zh": "最近看过", "en": "Recent"},
    "picker.hub": {
        "zh": "Hub 上的模型：名字、网址，或名字里的词（只读 config.json，不下载权重）",
        "en": "A model on the Hub: id, address, or words of its name (only config.json is read, no weights)",
    },
    "picker.hub_hint": {"zh": "例如 Qwen/Qwen3-8B", "en": "for example Qwen/Qwen3-8B"},
    "picker.hub_ask": {"zh": "查找", "en": "Look up"},
    "picker.hub_asking": {"zh": "已等 {seconds} 秒，正在问 {endpoint}", "en": "Asking {endpoint} … {seconds} s"},
    "picker.hub_before": {"zh": "读到之前，下面仍是 {title}。", "en": "Until one is read, {title} stays below."},
    "picker.hub_similar": {"zh": "这里收录的", "en": "In the catalogue"},
    "picker.hub_found": {"zh": "Hub 上的（近 30 天下载次数）", "en": "On the Hub (downloads in 30 days)"},
    "picker.hub_nothing": {
        "zh": "{endpoint} 上没有名字里带“{words}”的模型：请换个写法。",
        "en": "{endpoint} has no model named like “{words}”: try other words.",
    },
    "picker.hub_gated": {"zh": "需授权", "en": "gated"},
    "picker.hub_read_checkpoint": {
        "zh": "改看 {model} 的权重文件里实际存了什么",
        "en": "See what the weights of {model} really hold",
    },
}
