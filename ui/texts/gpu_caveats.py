"""What to beware of with a GPU, in Chinese, by its name. The English is in `calc/data/gpus.json`."""

TEXTS = {
    "gpu_caveat.T4": "只有 fp16，张量核不支持 bf16；NVIDIA 有的表写 300 GB/s。",
    "gpu_caveat.V100-SXM2-32GB": "只有 fp16；int8 用 DP4A 指令，不经张量核。",
    "gpu_caveat.L4": "厂商网页写的是稀疏值。",
    "gpu_caveat.RTX 3090": "fp16 累加时为 142；35.6 是不用张量核的值。",
    "gpu_caveat.RTX 4090": "fp16 累加时为 330.3；82.6 是不用张量核的 fp32。",
    "gpu_caveat.RTX 5090": "来自二手资料，把握中等。",
    "gpu_caveat.H100 SXM": "网页上的 1979 是稀疏值。",
    "gpu_caveat.B200 SXM": "各家说法不一：192 或 180 GB，8.0 或 7.7 TB/s。",
    "gpu_caveat.MI300X": "fp8 是 FNUZ 变体。",
    "gpu_caveat.MI325X": "fp8 是 FNUZ 变体。",
    "gpu_caveat.Apple M1": "统一内存；没有公布矩阵乘法的速度。",
    "gpu_caveat.Apple M2": "统一内存；没有公布矩阵乘法的速度。",
    "gpu_caveat.Apple M3 Max": "14 核 CPU 的型号是 300 GB/s。",
    "gpu_caveat.Apple M3 Ultra": "统一内存；没有公布矩阵乘法的速度。",
    "gpu_caveat.Apple M4": "统一内存；没有公布矩阵乘法的速度。",
    "gpu_caveat.Apple M4 Pro": "统一内存；没有公布矩阵乘法的速度。",
    "gpu_caveat.Apple M4 Max": "较小的型号是 410 GB/s。",
    "gpu_caveat.Apple M5": "统一内存；没有公布矩阵乘法的速度。",
    "gpu_caveat.Apple M5 Max": "统一内存；没有公布矩阵乘法的速度。",
}
