"""English that is written in calc. Its Chinese is in errors.py, gpu_caveats.py, training_runs.py and checkpoint.py."""

from calc.checkpoint.report import CAUSE_TEXTS
from calc.compute.training import published_runs
from calc.errors import MESSAGES
from calc.gpus import gpus

TEXTS = {
    **{f"error.{code}": {"en": sentence} for code, sentence in MESSAGES.items()},
    **{f"gpu_caveat.{gpu.name}": {"en": f"{gpu.caveat[0].upper()}{gpu.caveat[1:]}."} for gpu in gpus().values() if gpu.caveat},
    **{f"run_note.{run.model}": {"en": run.note} for run in published_runs().values() if run.note},
    **{f"cause.{cause}": {"en": sentence} for cause, sentence in CAUSE_TEXTS.items()},
}
