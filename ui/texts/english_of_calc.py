"""English that is written in calc. Its Chinese is in errors.py, gpu_caveats.py, training_runs.py, checkpoint.py and parts.py."""

from calc.checkpoint.report import CAUSE_TEXTS
from calc.compute.training import published_runs
from calc.diagram.words import WORDS
from calc.errors import MESSAGES
from calc.gpus import gpus

TEXTS = {
    **{f"diagram.{key}": {"en": words} for key, words in WORDS.items()},
    **{f"error.{code}": {"en": sentence} for code, sentence in MESSAGES.items()},
    **{f"gpu_caveat.{gpu.name}": {"en": f"{gpu.caveat[0].upper()}{gpu.caveat[1:]}."} for gpu in gpus().values() if gpu.caveat},
    **{f"run_note.{run.model}": {"en": run.note} for run in published_runs().values() if run.note},
    **{f"cause.{cause}": {"en": sentence} for cause, sentence in CAUSE_TEXTS.items()},
}
