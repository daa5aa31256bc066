"""Texts of the page on merges."""

TEXTS = {
    "frame.page_merges": {"zh": "怎么合并出来的", "en": "How BPE got there"},
    "merges.intro": {
        "zh": "字节对编码（BPE）从最小的单位开始，每次合并相邻两段里序号（rank）最小、也就是训练时最早学到的那一对，直到没有可合并的为止。",
        "en": "Byte-pair encoding (BPE) starts from the smallest symbols. Of all neighbours it joins the pair with the lowest rank, the one learnt earliest in training, until none is left to join.",
    },
    "merges.word": {"zh": "文本", "en": "Text"},
    "merges.no_word": {"zh": "没有文本，就没有可合并的。", "en": "No text, nothing to merge."},
    "merges.words_byte_level": {
        "zh": "正则表达式先把文本切成 {count} 段，合并从不跨段。看哪一段？",
        "en": "A regular expression first cuts the text into {count} words; no merge crosses from one to the next. Which one?",
    },
    "merges.words_sentencepiece": {
        "zh": "词表里没有把空格放在字后面的词元，所以合并从不跨过这 {count} 段。看哪一段？",
        "en": "No entry has a space behind a letter, so no merge crosses between these {count} words. Which one?",
    },
    "merges.step": {"zh": "第几步（共 {last} 步）", "en": "Step (of {last})"},
    "merges.start_bytes": {"zh": "从字节开始", "en": "starts from bytes"},
    "merges.start_characters": {"zh": "从字符开始，空格写作 ▁", "en": "starts from characters, a space is ▁"},
    "merges.rank": {"zh": "序号 {rank}", "en": "rank {rank}"},
    "merges.rank_of_spaces": {"zh": "最后", "en": "last"},
    "merges.no_entry": {"zh": "词表里没有这一对", "en": "no such entry"},
    "merges.whole": {"zh": "整段就是词表里的一项，直接取用", "en": "the whole word is an entry: taken as it is"},
    "merges.bytes": {"zh": "词表里没有的字符拆成字节", "en": "characters that are no entry fall apart into bytes"},
    "merges.done": {
        "zh": "完成：{count} 个词元，编号 {ids}，与分词器的结果逐个相同。",
        "en": "Done: {count} tokens with the ids {ids}, exactly those the tokenizer gives.",
    },
    "merges.numbers": {"zh": "12345 为什么切法不同", "en": "Why 12345 is cut differently"},
    "merges.numbers_why": {
        "zh": "Llama-2 的词表里没有两位以上的数，数字只能一个个留着。Llama-3 的正则表达式先把数字每三位切一段，段内再合并，所以是 123 和 45——从左边数起，不是千位分隔。",
        "en": "Llama-2 has no entry of two digits, so every digit stays alone. Llama-3's regular expression first cuts digits into groups of three, and merges within each: 123 and 45, counted from the left, not as thousands are.",
    },
    "merges.number": {"zh": "一个数", "en": "A number"},
    "merges.digits_one": {"zh": "每个数字单独成段", "en": "every digit by itself"},
    "merges.digits": {"zh": "最多 {longest} 位一段", "en": "groups of at most {longest} digits"},
    "merges.digits_any": {"zh": "多少位都可以合并", "en": "any number of digits may merge"},
    "merges.letters": {"zh": "strawberry 里有几个 r", "en": "How many r are in strawberry?"},
    "merges.letters_why": {
        "zh": "模型看到的只是编号，看不到字母。要数对，它必须记住每个词元里各有几个字母。",
        "en": "A model sees ids, not letters. To count right it has to know by heart how often each letter stands in each token.",
    },
    "merges.spelled": {"zh": "单词", "en": "Word"},
    "merges.letter": {"zh": "字母", "en": "Letter"},
    "merges.letters_total": {"zh": "{sum} = {total} 个 {letter}", "en": "{sum} = {total} × {letter}"},
}
