"""Texts of the frame around every page: brand, navigation, language switch."""

TEXTS = {
    "frame.brand": {"zh": "大模型零件图", "en": "LLM parts"},
    "frame.comma": {"zh": "，", "en": ", "},
    "frame.language": {"zh": "语言", "en": "Language"},
    "frame.page_parts": {"zh": "零件图", "en": "Parts"},
    "frame.page_checkpoint": {"zh": "对账", "en": "Real file"},
    "frame.page_method": {"zh": "怎么数的", "en": "How it is counted"},
}
