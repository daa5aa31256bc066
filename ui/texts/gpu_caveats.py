"""What to beware of with a GPU, in Chinese, by the English sentence in `calc/data/gpus.json`, which several GPUs may share."""

from calc.gpus import gpus

_ZH = {
    "fp16 only, no bf16 tensor; 300 GB/s seen in some NVIDIA tables": "只有 fp16，张量核不支持 bf16；NVIDIA 有的表写 300 GB/s。",
    "fp16 only; int8 by the DP4A instruction, not by tensor cores": "只有 fp16；int8 用 DP4A 指令，不经张量核。",
    "vendor page prints sparse": "厂商网页写的是稀疏值。",
    "142 with FP16 accumulate; 35.6 is non-tensor": "fp16 累加时为 142；35.6 是不用张量核的值。",
    "330.3 FP16-accumulate; 82.6 is non-tensor FP32": "fp16 累加时为 330.3；82.6 是不用张量核的 fp32。",
    "medium confidence: secondary source": "来自二手资料，把握中等。",
    "1979 on the page is sparse": "网页上的 1979 是稀疏值。",
    "sources disagree: 192 or 180 GB, 8.0 or 7.7 TB/s": "各家说法不一：192 或 180 GB，8.0 或 7.7 TB/s。",
    "no tensor cores, and fp16 at a 64th of fp32": "没有张量核；fp16 只有 fp32 的 1/64。",
    "no matrix units": "没有矩阵单元。",
    "throughput of its matrix instructions not listed here": "有矩阵指令，速度没有收录。",
    "with fp32 accumulate; with fp16 accumulate twice as much": "按 fp32 累加；fp16 累加时快一倍。",
    "at the 2430 MHz of the server edition": "按服务器版的 2430 MHz。",
    "at the 1600 MHz it runs at; the white paper has 1835": "按实际的 1600 MHz；白皮书写 1835。",
    "the GPU's own memory; the processor's is not counted": "只算 GPU 自己的显存，不算处理器的内存。",
    "sources disagree on fp4: 12.6, 14 or 15 PFLOPS dense": "fp4 各家说法不一：稠密 12.6、14 或 15 PFLOPS。",
    "fp4 15 PFLOPS dense, three times fp8": "fp4 稠密 15 PFLOPS，是 fp8 的三倍。",
    "two chips of 64 GB, seen as two GPUs": "两块各 64 GB 的芯片，系统里是两块 GPU。",
    "unified memory; NVIDIA prints only 1 PFLOPS of sparse fp4": "统一内存；NVIDIA 只公布了稀疏 fp4 的 1 PFLOPS。",
    "fp8 in the FNUZ variant": "fp8 是 FNUZ 变体。",
    "unified memory; no matrix throughput published": "统一内存；没有公布矩阵乘法的速度。",
}

TEXTS = {f"gpu_caveat.{gpu.name}": _ZH[gpu.caveat] for gpu in gpus().values() if gpu.caveat in _ZH}
