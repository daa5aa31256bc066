"""Texts of the page on training."""

TEXTS = {
    "frame.page_training": {"zh": "训练", "en": "Training"},
    "training.none": {"zh": "不重算", "en": "none"},
    "training.selective": {"zh": "只重算注意力", "en": "selective"},
    "training.full": {"zh": "整层重算", "en": "full"},
    # the headline
    "training.head_rule": {
        "zh": "= {si}，经验法则 C = 6ND，D = {tokens}",
        "en": "= {si} by the rule of thumb C = 6ND, D = {tokens}",
    },
    "training.head_exact": {"zh": "FLOP 精确值，是 6ND 的 {ratio} 倍", "en": "FLOP exactly: {ratio} × 6ND"},
    "training.head_a100": {"zh": "一块 A100 按 {share} 利用率（{days} 天）", "en": "on one A100 at {share} ({days} days)"},
    "training.head_time": {"zh": "{gpus} 块 {gpu}，费用 {cost}", "en": "on {gpus} {gpu}, cost {cost}"},
    # compute
    "training.title_compute": {"zh": "算力", "en": "Compute"},
    "training.note_compute": {
        "zh": "6ND 忘了注意力，又把查表当成乘法。利用率按“前向加反向”算叫 MFU，把重算也算上叫 HFU。来源：Kaplan 等 2020，arXiv:2001.08361；Korthikanti 等 2022，arXiv:2205.05198。",
        "en": "6ND forgets attention and counts the lookup. Utilisation by forward and backward is called MFU, with what is recomputed HFU. "
        "Sources: Kaplan et al. 2020, arXiv:2001.08361; Korthikanti et al. 2022, arXiv:2205.05198.",
    },
    "training.rule": {"zh": "经验法则 6ND", "en": "rule of thumb 6ND"},
    "training.forward": {"zh": "前向，精确", "en": "forward, exact"},
    "training.forward_rule": {
        "zh": "矩阵 + 因果注意力 + 循环状态，每段 {context} 个 token，token 只看自己这一段。",
        "en": "Matrices, causal attention, recurrences; in sequences of {context} tokens, each attending within its own.",
    },
    "training.backward": {"zh": "反向", "en": "backward"},
    "training.backward_rule": {
        "zh": "对输入求导一次乘法，对权重求导又一次。",
        "en": "One product for the gradient of the input, one for that of the weights.",
    },
    "training.model_flops": {"zh": "前向加反向", "en": "forward and backward"},
    "training.ratio": {"zh": "精确 ÷ 6ND", "en": "exact ÷ 6ND"},
    "training.recomputed": {"zh": "重算", "en": "recomputed"},
    "training.recomputed_selective": {
        "zh": "打分和加权求和再算一遍，以省显存。",
        "en": "Scores and weighing once more, to save memory.",
    },
    "training.recomputed_full": {
        "zh": "每一层再前向一遍，以省显存；输出头不必。",
        "en": "Every layer forward once more, to save memory; the head is not.",
    },
    "training.total": {"zh": "GPU 实际做的", "en": "what the GPUs do"},
    # time
    "training.title_time": {"zh": "时间和费用", "en": "Time and cost"},
    "training.note_time": {
        "zh": "GPU 小时 = C ÷ (峰值 × 利用率)，峰值取 16 位稠密值。稠密模型公布的训练大多在 30%–50%。",
        "en": "GPU-hours = C ÷ (peak × utilisation), the peak dense in 16 bits. Published runs of dense models mostly reach 30 to 50%.",
    },
    "training.one_a100": {"zh": "一块 A100", "en": "on one A100"},
    "training.hours_rule": {"zh": "GPU 小时，按 6ND", "en": "GPU-hours, by 6ND"},
    "training.days_rule": {"zh": "历时，按 6ND", "en": "elapsed, by 6ND"},
    "training.cost_rule": {"zh": "费用，按 6ND", "en": "cost, by 6ND"},
    "training.hours_exact": {"zh": "GPU 小时，按精确值", "en": "GPU-hours, exact count"},
    "training.days_exact": {"zh": "历时，按精确值", "en": "elapsed, exact count"},
    "training.cost_exact": {"zh": "费用，按精确值", "en": "cost, exact count"},
    "training.cost_note": {"zh": "货币与你填的单价相同。", "en": "In the currency of the price you gave."},
    # published runs
    "training.runs_title": {"zh": "公布的训练，实际利用率", "en": "Published runs and the utilisation they imply"},
    "training.runs_note": {
        "zh": "利用率 = 6ND ÷ (GPU 小时 × 峰值)。点一行看算式和来源。",
        "en": "Utilisation = 6ND ÷ (GPU-hours × peak). Click a row for the calculation and its source.",
    },
    "training.runs_model": {"zh": "模型", "en": "model"},
    "training.runs_size": {"zh": "参数量 N", "en": "parameters N"},
    "training.runs_data": {"zh": "token 数 D", "en": "tokens D"},
    "training.runs_flops": {"zh": "6ND（FLOP）", "en": "6ND, FLOP"},
    "training.runs_hours": {"zh": "公布的 GPU 小时", "en": "reported GPU-hours"},
    "training.runs_utilisation": {"zh": "推出的利用率", "en": "implied utilisation"},
    "training.runs_over": {"zh": "是 20N 的几倍", "en": "× 20 tokens a parameter"},
    "training.no_hours": {"zh": "没有公布小时数", "en": "no hours published"},
    "training.floor": {"zh": "token 数只是下限，推不出", "en": "tokens only a floor: none implied"},
    "training.published_flops": {"zh": "作者公布的算力：{flops} FLOP", "en": "Compute as its authors give it: {flops} FLOP"},
    "training.between": {"zh": "在 {low} 和 {high} 之间：{reason}", "en": "Between {low} and {high}: {reason}"},
    "training.at_least": {
        "zh": "至少 {low}{high}，上限不知道：{reason}",
        "en": "At least {low}{high}, and nothing bounds it from above: {reason}",
    },
    "training.reason_tokens_floor": {"zh": "公布的 token 数只是下限。", "en": "the published tokens are a floor."},
    "training.reason_hours_rounded": {"zh": "公布的小时数是取整过的。", "en": "the published hours are rounded."},
    "training.reason_two_formats": {"zh": "用了两种峰值不同的格式。", "en": "two formats of different peaks were used."},
    "training.source": {"zh": "来源：{source}", "en": "Source: {source}"},
    "training.runs_csv": {"zh": "公布的训练 CSV", "en": "Published runs, CSV"},
    "training.runs_file": {"zh": "公布的训练", "en": "published-runs"},
    "training.csv_model": {"zh": "模型", "en": "model"},
    "training.csv_n": {"zh": "参数量 N", "en": "parameters N"},
    "training.csv_d": {"zh": "token 数 D", "en": "tokens D"},
    "training.csv_floor": {"zh": "D 只是下限", "en": "D is a floor"},
    "training.csv_flops": {"zh": "6ND，FLOP", "en": "6ND, FLOP"},
    "training.csv_hours": {"zh": "GPU 小时", "en": "GPU-hours"},
    "training.csv_gpu": {"zh": "GPU 型号", "en": "GPU"},
    "training.csv_low": {"zh": "利用率下限", "en": "utilisation, low"},
    "training.csv_high": {"zh": "利用率上限", "en": "utilisation, high"},
    "training.csv_over": {"zh": "是 20N 的几倍", "en": "times 20 tokens a parameter"},
    "training.csv_source": {"zh": "来源", "en": "source"},
    # compute-optimal
    "training.title_optimal": {
        "zh": "算力最优：同样的算力，该用多大的模型",
        "en": "Compute-optimal: what size the same compute should have",
    },
    "training.optimal_intro": {
        "zh": "损失 L(N, D) = E + A ÷ N^α + B ÷ D^β 是对实验的拟合，不是计数。Hoffmann 等 2022（Chinchilla，arXiv:2203.15556）给出每个参数约 20 个 token；"
        "它印出的第三种拟合与自己的数据不符，Besiroglu 等 2024（arXiv:2404.10102）重新拟合，又回到约 20。",
        "en": "The loss L(N, D) = E + A ÷ N^α + B ÷ D^β is a fit to experiments, not a count. Hoffmann et al. 2022 (Chinchilla, arXiv:2203.15556) "
        "found about 20 tokens a parameter; the third fit it prints does not follow from its data, and Besiroglu et al. 2024 (arXiv:2404.10102) "
        "redid it: about 20 again.",
    },
    "training.law.chinchilla": {"zh": "20 token/参数", "en": "20 tokens a parameter"},
    "training.law.besiroglu": {"zh": "Besiroglu 2024（订正）", "en": "Besiroglu 2024, corrected"},
    "training.law.hoffmann": {"zh": "Hoffmann 2022（原文）", "en": "Hoffmann 2022, as printed"},
    "training.this_run": {"zh": "当前", "en": "this run"},
    "training.axis_parameters": {"zh": "参数量 N（对数刻度）", "en": "parameters N, logarithmic"},
    "training.axis_ratio": {"zh": "每个参数的 token 数 D ÷ N（对数刻度）", "en": "tokens a parameter D ÷ N, logarithmic"},
    "training.axis_loss": {"zh": "预测的损失（nat/token）", "en": "predicted loss, nats a token"},
    "training.iso_alt": {
        "zh": "等算力曲线：横轴参数量，纵轴预测的损失，每条线一个算力预算；标出各线最低点和当前训练。",
        "en": "Iso-FLOP curves: predicted loss against parameters, a curve a budget, with the lowest points and this run.",
    },
    "training.iso_caption": {
        "zh": "每条线算力相同（FLOP，写在右端）；绿点是最低点，即算力最优。蓝线是当前训练的预算，粉点是它的位置：在最低点左边，就是模型偏小、token 偏多（过度训练），推理更省。",
        "en": "One compute budget a curve (FLOP, at its right end); green marks the best size. Blue is this run's budget, pink this run: left of the "
        "lowest point the model is small and sees more tokens than optimal (over-trained), which makes it cheaper to serve.",
    },
    "training.plane_title": {
        "zh": "公布的模型在哪里：过度训练多少倍",
        "en": "Where published models lie: over-trained by what factor",
    },
    "training.plane_alt": {
        "zh": "横轴参数量，纵轴每个参数的 token 数，各模型一个点，三条线是 20 token/参数和两条定律。",
        "en": "Tokens a parameter against parameters, a point a model; three lines: 20 tokens a parameter and the two laws.",
    },
    "training.plane_caption": {
        "zh": "灰线：每个参数 20 个 token；绿线：Besiroglu 2024；橙线：Hoffmann 2022。点在线的上方，就是过度训练，高一格就是 10 倍。混合专家模型按激活参数画。",
        "en": "Grey: 20 tokens a parameter; green: Besiroglu 2024; orange: Hoffmann 2022. A point above a line is over-trained, by ten times for each decade. Mixtures of experts by their active parameters.",
    },
    "training.per_parameter": {
        "zh": "每个参数 {number} 个 token，是 20 的 {factor} 倍",
        "en": "{number} tokens a parameter, {factor} × 20",
    },
    "training.for_size": {"zh": "这么大的模型，最优的 token 数", "en": "best number of tokens for this size"},
    "training.over": {"zh": "过度训练：D 是它的几倍", "en": "over-trained: D is this many times it"},
    "training.best_spent": {"zh": "同样的算力，最优是", "en": "the same compute, best spent"},
    "training.loss": {"zh": "预测的损失", "en": "predicted loss"},
    "training.loss_best": {"zh": "同样的算力，最低的损失", "en": "the least loss for this compute"},
    "training.best_note": {
        "zh": "{flops} FLOP：N = {parameters}，D = {tokens}",
        "en": "{flops} FLOP: N = {parameters}, D = {tokens}",
    },
    "training.moe_note": {
        "zh": "这些定律来自稠密模型，不谈专家；这里的 N 是激活参数，只供参考。",
        "en": " The laws come from dense models and say nothing of experts; N are the active parameters, for orientation alone.",
    },
}
