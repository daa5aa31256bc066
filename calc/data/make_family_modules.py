"""Write family_modules.json: which module of `calc.families` declares a model type.

    python -m calc.data.make_family_modules

With it, counting a model imports the one module that its type needs. A type that is not in it is found all the same,
by importing them all, so a new family can do without until this is run again.
"""

import json
from pathlib import Path

from calc.families import FAMILIES

OUTPUT = Path(__file__).with_name("family_modules.json")


def modules() -> dict[str, str]:
    """Each declared type and the module its declaration stands in."""
    return {model_type: declared.declare.__module__.rpartition(".")[2] for model_type, declared in FAMILIES.items()}


def main() -> None:
    """Write the file."""
    OUTPUT.write_text(json.dumps(modules(), indent=0) + "\n", encoding="utf-8")
    print(f"{len(FAMILIES)} types")


if __name__ == "__main__":
    main()
