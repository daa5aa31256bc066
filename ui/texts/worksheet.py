"""Texts of the worksheet a teacher downloads."""

TEXTS = {
    "worksheet.title": {"zh": "{title} 有多少个参数？演算单", "en": "How many parameters has {title}? A worksheet"},
    "worksheet.sizes": {"zh": "从配置里读出的数", "en": "The numbers of the config"},
    "worksheet.field": {"zh": "字段", "en": "field"},
    "worksheet.symbol": {"zh": "符号", "en": "symbol"},
    "worksheet.value": {"zh": "值", "en": "value"},
    "worksheet.tensors": {"zh": "逐个零件：进 × 出", "en": "Tensor by tensor: in × out"},
    "worksheet.tensors_rule": {
        "zh": "一个矩阵的参数量 = 进来的向量长度 × 出去的向量长度；名字里的 `*` 是层号，每层一份。",
        "en": "A matrix holds (length that goes in) × (length that comes out) numbers; `*` in a name is the layer's index, one copy a layer.",
    },
    "worksheet.name": {"zh": "检查点里的名字", "en": "name in the checkpoint"},
    "worksheet.what": {"zh": "是什么", "en": "what it is"},
    "worksheet.formula": {"zh": "公式", "en": "formula"},
    "worksheet.count": {"zh": "参数量", "en": "count"},
    "worksheet.copies": {"zh": "份数", "en": "copies"},
    "worksheet.all": {"zh": "全部", "en": "all"},
    "worksheet.addition": {"zh": "加起来", "en": "Adding up"},
    "worksheet.part": {"zh": "部分", "en": "part"},
    "worksheet.product": {"zh": "乘积", "en": "product"},
    "worksheet.share": {"zh": "占比", "en": "share"},
    "worksheet.total": {"zh": "合计", "en": "total"},
    "worksheet.bytes": {"zh": "fp16 占多少字节（每个参数 16 位）", "en": "Bytes in fp16 (16 bits a parameter)"},
}
