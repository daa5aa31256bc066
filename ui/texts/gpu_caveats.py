"""What to beware of with a GPU, by its name."""

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
    "fp8 in the FNUZ variant": "fp8 是 FNUZ 变体。",
    "unified memory; no matrix throughput published": "统一内存；没有公布矩阵乘法的速度。",
    "300 GB/s with the 14-core CPU": "14 核 CPU 的型号是 300 GB/s。",
    "410 GB/s on the smaller chip": "较小的型号是 410 GB/s。",
}

TEXTS = {
    f"gpu_caveat.{gpu.name}": {"zh": _ZH[gpu.caveat], "en": f"{gpu.caveat[0].upper()}{gpu.caveat[1:]}."}
    for gpu in gpus().values()
    if gpu.caveat
}
