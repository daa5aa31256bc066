"""The long form: `python -m tests.fuzz --inputs 100000 --seed 1`. Ends with 1 where it finds anything."""

from __future__ import annotations

import argparse

from tests.fuzz.entries import ENTRIES
from tests.fuzz.run import run


def main() -> int:
    """Run, and print what was found: each kind once, with how often and the first input that did it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Hostile inputs by the thousand, seeded.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entry", choices=[entry.__name__ for entry in ENTRIES], help="this one alone")
    asked = parser.parse_args()
    chosen = {entry: often for entry, often in ENTRIES.items() if asked.entry in (None, entry.__name__)}
    report = run(asked.inputs, asked.seed, chosen)
    kinds: dict[tuple[str, str], list] = {}
    for finding in report.findings:
        kinds.setdefault((finding.entry, finding.what.partition(": ")[0]), []).append(finding)
    for found in sorted(kinds.values(), key=len, reverse=True):
        print(f"{len(found)} × {found[0].entry}: {found[0].what}\n    input {found[0].number}: {found[0].given}")
    for outcome, often in sorted(report.outcomes.items()):
        print(f"{often:>8,} {outcome}")
    seconds, entry = report.slowest
    print(
        f"{asked.inputs:,} inputs in {report.seconds:.0f} s, {len(report.findings)} findings, the slowest {seconds} s ({entry})"
    )
    return 1 if report.findings else 0


raise SystemExit(main())
