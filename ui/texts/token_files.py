"""Texts of the page that counts a file."""

TEXTS = {
    "frame.page_token_files": {"zh": "数文件", "en": "Count a file"},
    "token_files.intro": {
        "zh": "文本、Markdown、JSONL 或 CSV 文件，最大 {limit} MB（UTF-8）。{longest} 个字符以内的文本也可以直接贴到“边打边切”。",
        "en": "A text, Markdown, JSONL or CSV file of at most {limit} MB (UTF-8). A text of up to {longest} characters can also be pasted on “As you type”.",
    },
    "token_files.upload": {"zh": "文件", "en": "File"},
    "token_files.read_as": {"zh": "怎么读", "en": "Read it as"},
    "token_files.way_whole": {"zh": "整个文件", "en": "one text"},
    "token_files.way_lines": {"zh": "逐行", "en": "lines"},
    "token_files.way_jsonl": {"zh": "JSONL", "en": "JSONL"},
    "token_files.way_csv": {"zh": "CSV", "en": "CSV"},
    "token_files.field_jsonl": {"zh": "哪个字段", "en": "Which field"},
    "token_files.field_csv": {"zh": "哪一列", "en": "Which column"},
    "token_files.start": {"zh": "开始数", "en": "Count"},
    "token_files.stop": {"zh": "停止", "en": "Stop"},
    "token_files.waiting": {"zh": "别的文件正在数，排队中……", "en": "Other files are being counted: waiting …"},
    "token_files.begun": {"zh": "正在开始……", "en": "Beginning …"},
    "token_files.progress": {
        "zh": "已读 {done}，共 {all}；已数出 {tokens} 个词元",
        "en": "{done} of {all} read; {tokens} tokens so far",
    },
    "token_files.stopped": {
        "zh": "已停止：下面只是到停止时为止的数。",
        "en": "Stopped: below is only what was counted until then.",
    },
    "token_files.characters": {"zh": "字符", "en": "characters"},
    "token_files.bytes": {"zh": "字节（UTF-8）", "en": "bytes (UTF-8)"},
    "token_files.rows": {"zh": "行", "en": "rows"},
    "token_files.number": {"zh": "行号", "en": "row"},
    "token_files.file": {"zh": "文件", "en": "file"},
    "token_files.column_tokenizer": {"zh": "分词器", "en": "tokenizer"},
    "token_files.column_tokens": {"zh": "词元", "en": "tokens"},
    "token_files.column_characters_per": {"zh": "每个词元的字符数", "en": "characters a token"},
    "token_files.column_bytes_per": {"zh": "每个词元的字节数", "en": "bytes a token"},
    "token_files.csv": {"zh": "结果 CSV", "en": "Result as CSV"},
    "token_files.most_rows": {
        "zh": "CSV 里只有前 {rows} 行（Excel 的上限），全部都数过了。",
        "en": "The CSV holds the first {rows} rows, as many as Excel takes; all were counted.",
    },
}
