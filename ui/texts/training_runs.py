"""Remarks on published training runs, in Chinese, by the model's name. The English is in `calc/data/training_runs.json`."""

TEXTS = {
    "run_note.Llama-3-8B": "模型卡写 15T+ token，只是下限；1.3M 小时只有两位数字。",
    "run_note.Llama-3-70B": "模型卡写 15T+ token，只是下限；6.4M 小时只有两位数字。",
    "run_note.Llama-3.1-8B": "模型卡写 15T+ token，只是下限。",
    "run_note.Llama-3.1-70B": "模型卡写 15T+ token，只是下限；7.0M 小时只有两位数字。",
    "run_note.Llama-3.1-405B": "论文写 3.8e25 FLOP，单步运行时利用率 38%–43%；总小时数还包含其他一切。",
    "run_note.LLaMA-7B": "论文把参数量取整为 6.7B。",
    "run_note.LLaMA-65B": "论文把参数量取整为 65.2B。",
    "run_note.TinyLlama-1.1B": "16 块 GPU 用 90 天，按整天计。README 写 56%，算上了注意力；每块 GPU 每秒 24,000 个 token，按 6ND 是 50.8%。",
    "run_note.DeepSeek-V3": "N 取激活参数，连同路由的 14,848 个缓冲。预训练 2.664M 小时，总共 2.788M。多数乘法用 FP8，峰值是 BF16 的 2 倍。",
    "run_note.GPT-3 175B": "附录表 D.1：174.6B 参数，3.14e23 FLOP；没有公布小时数。",
    "run_note.Chinchilla 70B": "5.76e23 是 Gopher 的预算，论文表 3 给出 67B 参数、1.5T token；实际训练的 6ND 是 5.88e23。没有公布小时数。",
    "run_note.PaLM-540B": "6144 块芯片 1200 小时，3072 块 336 小时，是全部经过的时间；论文写单步运行时 45.7%，不算注意力。",
    "run_note.Falcon-180B": "约 7,000,000 小时，只有一位数字。",
    "run_note.SmolLM3-3B": "384 块 GPU 用 24 天，按整天计。",
    "run_note.StarCoderBase-15B": "论文把参数量取整为 15.5B。",
    "run_note.GPT-2 124M (nanoGPT)": "没有偏置；没有公布小时数。",
}
