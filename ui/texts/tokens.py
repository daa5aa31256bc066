"""Texts of the pages on tokens: what they share, and the live page."""

TEXTS = {
    "frame.section_tokens": {"zh": "词元", "en": "Tokens"},
    "frame.page_tokens": {"zh": "边打边切", "en": "As you type"},
    "tokens.text": {"zh": "文本：一边打字，一边看它被切成词元（token）", "en": "Text: type, and see it fall into tokens"},
    "tokens.examples": {"zh": "例子", "en": "Examples"},
    "tokens.too_long": {
        "zh": "文本超过 {longest} 个字符：请存成文件，到“数文件”一页去数。",
        "en": "The text has more than {longest} characters: save it as a file and count it on the page “Count a file”.",
    },
    "tokens.too_long_for_link": {
        "zh": "文本太长，链接里放不下；在这次会话里照样保留。",
        "en": "The text is too long for a link; in this session it stays as it is.",
    },
    "tokens.tokenizer": {"zh": "分词器", "en": "Tokenizer"},
    "tokens.tokenizers": {"zh": "分词器（可多选）", "en": "Tokenizers (one or several)"},
    "tokens.none_chosen": {
        "zh": "还没有选分词器：请在上面选一个或几个。",
        "en": "No tokenizer is chosen: choose one or several above.",
    },
    "tokens.options": {"zh": "选项", "en": "Options"},
    "tokens.option_special": {"zh": "特殊词元", "en": "special tokens"},
    "tokens.help_special": {
        "zh": "开头是模型自己会加的词元（如 BOS）；文本里写出的特殊词元（如 </s>）按特殊词元算。不选这一项，它们只是普通字符。",
        "en": "In front stands what the model puts there (BOS); special tokens spelled out in the text, such as </s>, count as such. Otherwise they are characters like any other.",
    },
    "tokens.option_ids": {"zh": "编号（id）", "en": "ids"},
    "tokens.surrogates": {
        "zh": "文本里有 {count} 处不成对的代理项（surrogate）：半个字符没有 UTF-8 字节，按 U+FFFD 的三个字节计算。",
        "en": "{count} lone surrogates in the text: half a character has no bytes in UTF-8, and counts as the three bytes of U+FFFD.",
    },
    "tokens.characters": {"zh": "个字符（Unicode 码点）", "en": "characters (Unicode code points)"},
    "tokens.bytes": {"zh": "字节（UTF-8）", "en": "bytes (UTF-8)"},
    "tokens.entries": {"zh": "词表 {count} 项", "en": "{count} entries"},
    "tokens.unit": {"zh": "个词元", "en": "tokens"},
    "tokens.unit_one": {"zh": "个词元", "en": "token"},
    "tokens.per_token": {
        "zh": "每个词元 {characters} 个字符、{bytes} 字节",
        "en": "{characters} characters, {bytes} bytes a token",
    },
    "tokens.chips_label": {"zh": "{title} 的词元", "en": "Tokens of {title}"},
    "tokens.drawn": {
        "zh": "只画出前 {drawn} 个，{count} 个全部计数。",
        "en": "The first {drawn} are drawn, all {count} are counted.",
    },
    "tokens.normal_form": {
        "zh": "这个分词器先把文本化成 {form} 规范形式；这里的字节是化过之后的。",
        "en": "This tokenizer first brings the text to the normal form {form}; these are the bytes of that form.",
    },
    "tokens.ids_list": {"zh": "编号列表", "en": "List of ids"},
    "tokens.tip_id": {"zh": "编号", "en": "id"},
    "tokens.tip_bytes": {"zh": "字节", "en": "bytes"},
    "tokens.tip_no_bytes": {"zh": "没有：是分词器加在最前面的空格 ▁", "en": "none: the space ▁ the tokenizer puts in front"},
    "tokens.tip_special": {"zh": "特殊词元", "en": "special token"},
    "tokens.tip_part": {"zh": "第 {bytes} 字节，共 {all} 字节", "en": "byte {bytes} of {all}"},
    "tokens.licences": {"zh": "词表的来源与许可", "en": "Where the vocabularies come from, and their licences"},
    "tokens.source": {"zh": "来源：{source}", "en": "Source: {source}"},
    "tokens.notice": {
        "zh": "许可证的全部说明见随附的 NOTICE 文件。使用 Llama 的词表须遵守 Meta 的可接受使用政策。",
        "en": "All that the licences ask for stands in the file NOTICE. Use of Llama's vocabularies has to comply with Meta's Acceptable Use Policy.",
    },
    "tokens.own": {"zh": "别的分词器", "en": "Another tokenizer"},
    "tokens.own_hub": {"zh": "Hub 上的模型", "en": "A model of the Hub"},
    "tokens.own_hub_read": {"zh": "读取它的 tokenizer.json", "en": "Read its tokenizer.json"},
    "tokens.own_hub_wait": {"zh": "正在读取 {model} 的 tokenizer.json……", "en": "Reading the tokenizer.json of {model} …"},
    "tokens.own_hub_note": {
        "zh": "只在按下按钮时联网，只下载这一个文件。",
        "en": "Goes online only when pressed, and for this one file.",
    },
    "tokens.own_upload": {"zh": "或上传 tokenizer.json / tokenizer.model", "en": "Or upload a tokenizer.json or tokenizer.model"},
    "tokens.own_remove": {"zh": "移除 {name}", "en": "Remove {name}"},
}
