"""Texts of the page on the memory of training."""

TEXTS = {
    "frame.page_training_memory": {"zh": "训练显存", "en": "Training memory"},
    # fields
    "compute.field.method": {"zh": "训练什么", "en": "what is trained"},
    "compute.field.rank": {"zh": "秩 r", "en": "rank r"},
    "compute.field.optimizer": {"zh": "优化器", "en": "optimizer"},
    "compute.field.precision": {"zh": "精度", "en": "precision"},
    "compute.field.stage": {"zh": "ZeRO 阶段", "en": "ZeRO stage"},
    "memory.method.full": {"zh": "全部权重", "en": "all weights"},
    "memory.method.lora": {"zh": "LoRA", "en": "LoRA"},
    "memory.method.qlora": {"zh": "QLoRA", "en": "QLoRA"},
    "memory.optimizer.adamw": {"zh": "AdamW", "en": "AdamW"},
    "memory.optimizer.adamw-8bit": {"zh": "8 位 AdamW", "en": "8-bit AdamW"},
    "memory.optimizer.momentum": {"zh": "动量 SGD", "en": "SGD, momentum"},
    "memory.optimizer.sgd": {"zh": "SGD", "en": "SGD"},
    "memory.precision.mixed": {"zh": "混合 16/32 位", "en": "mixed 16/32 bit"},
    "memory.precision.fp32": {"zh": "fp32", "en": "fp32"},
    "memory.recomputation.none": {"zh": "不重算", "en": "none"},
    "memory.recomputation.full": {"zh": "重算每一层", "en": "every layer"},
    "memory.stage_short.0": {"zh": "0", "en": "0"},
    "memory.stage_short.1": {"zh": "1", "en": "1"},
    "memory.stage_short.2": {"zh": "2", "en": "2"},
    "memory.stage_short.3": {"zh": "3 = FSDP", "en": "3 = FSDP"},
    "memory.stage.0": {"zh": "0：各存一份（DDP）", "en": "0: a copy each (DDP)"},
    "memory.stage.1": {"zh": "1：分优化器状态", "en": "1: optimizer shared out"},
    "memory.stage.2": {"zh": "2：再分梯度", "en": "2: gradients too"},
    "memory.stage.3": {"zh": "3：再分权重（FSDP）", "en": "3: weights too (FSDP)"},
    # the headline
    "memory.train_head": {"zh": "{gpus} 块 GPU 中每块要用；ZeRO {stage}", "en": "on each of {gpus} GPUs; ZeRO {stage}"},
    "memory.train_states": {
        "zh": "权重、梯度、优化器：不分摊时每个训练的参数 {bytes} B",
        "en": "weights, gradients, optimizer: {bytes} B a trained parameter, not shared out",
    },
    "memory.train_activations": {"zh": "激活：每块 GPU {tokens} 个 token", "en": "activations of {tokens} tokens on each GPU"},
    "memory.train_trained": {"zh": "训练的参数，占 {share}", "en": "trained parameters, {share} of all"},
    "memory.trains.fits": {"zh": "一块 {gpu} 放得下", "en": "fits on one {gpu}"},
    "memory.trains.tight": {"zh": "{gpu} 上勉强", "en": "tight on one {gpu}"},
    "memory.trains.does_not_fit": {"zh": "一块 {gpu} 放不下", "en": "does not fit on one {gpu}"},
    # bars
    "memory.bars.stages": {
        "zh": "ZeRO / FSDP 的各阶段，{gpus} 块 GPU 中的每块",
        "en": "Stages of ZeRO / FSDP, on each of {gpus} GPUs",
    },
    "memory.bars.methods": {"zh": "训练全部，或只训练适配器", "en": "All weights, or adapters alone"},
    "memory.bars.recomputations": {"zh": "激活重算（recomputation）", "en": "Recomputation of activations"},
    # lines
    "memory.train_lines": {"zh": "每块 GPU 的显存里有什么", "en": "In the memory of each GPU"},
    "memory.train_note": {
        "zh": "N 是训练的参数量，T 是这块 GPU 上的 token 数。权重、梯度和优化器是精确值；激活按矩阵数出来，框架多存的另算。",
        "en": "N trained parameters, T tokens on the GPU. Weights, gradients and optimizer are exact; activations are read off the matrices, and a framework that keeps more needs more.",
    },
    "memory.frozen.lora": {
        "zh": "底座权重按 BF16，不训练：没有梯度，也没有优化器状态。",
        "en": "The weights beneath in BF16, not trained: no gradients, no optimizer states.",
    },
    "memory.frozen.qlora": {
        "zh": "底座权重按 NF4 双重量化，不训练。",
        "en": "The weights beneath in NF4 with double quantization, not trained.",
    },
    "memory.optimizer_note.adamw": {"zh": "两个 32 位的矩：4 + 4 字节。", "en": "Two moments in 32 bits: 4 + 4 bytes."},
    "memory.optimizer_note.adamw-8bit": {
        "zh": "两个 8 位的矩，每 256 个共用一个 32 位缩放：2 × (1 + 4 ÷ 256) 字节。",
        "en": "Two moments in 8 bits, 256 of them with a scale in 32 bits: 2 × (1 + 4 ÷ 256) bytes.",
    },
    "memory.optimizer_note.momentum": {"zh": "一个 32 位的矩：4 字节。", "en": "One moment in 32 bits: 4 bytes."},
    "memory.optimizer_note.sgd": {"zh": "没有矩。", "en": "No moments."},
    "memory.master_note": {
        "zh": "混合精度另存一份 32 位主权重：4 字节。",
        "en": "Mixed precision keeps master weights in 32 bits: 4 bytes.",
    },
    "memory.train_layers": {"zh": "各层的激活", "en": "activations of the layers"},
    "memory.train_scores": {"zh": "输出头的分数（32 位）", "en": "scores of the head, 32 bits"},
    "memory.activation_note.none": {
        "zh": "反向要用到的都留着：每层的归一化输入输出、q、k、v、注意力结果、FFN 的中间结果。融合核不存注意力分数。",
        "en": "All that backward needs is kept: what enters and leaves norms, q, k, v, attention's result, the FFN's inside. Fused kernels keep no scores of attention.",
    },
    "memory.activation_note.full": {
        "zh": "每层只留输入（2·T·d），反向时一层一层重算，同时只有一层是完整的。",
        "en": "Of each layer its input alone (2·T·d); backward computes one layer at a time again, which then stands whole.",
    },
    "memory.activation_symbols": {
        "zh": "每层；T = {tokens}，每个数 2 字节，括号里是每个 token 留下的数：归一化、注意力、FFN",
        "en": "a layer; T = {tokens}, 2 bytes a number; in brackets the numbers kept a token: norms, attention, FFN",
    },
    "memory.adapters": {"zh": "适配器，秩 {rank}", "en": "Adapters of rank {rank}"},
    "memory.adapters_note": {
        "zh": "每个矩阵旁边加 B·A：r·(in + out) 个参数。这里加在注意力和 FFN 的所有矩阵上。",
        "en": "B·A beside each matrix: r·(in + out) parameters; here beside every matrix of attention and FFN.",
    },
    # downloads
    "memory.train_bars_csv": {"zh": "条形图 CSV", "en": "Bars, CSV"},
    "memory.train_csv": {"zh": "推导 CSV", "en": "Derivations, CSV"},
    "memory.train_column.group": {"zh": "图", "en": "figure"},
    "memory.train_column.case": {"zh": "情形", "en": "case"},
    "memory.train_column.kind": {"zh": "种类", "en": "kind"},
    "memory.train_column.bytes": {"zh": "字节（B）", "en": "bytes, B"},
}
