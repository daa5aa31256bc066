"""Measures, and prints each figure as it is known: the ratio, the two medians it comes from, and the goal."""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from calc.catalogue import catalogue

from . import readers
from .counting import cold_count, imported_needlessly, largest_model, warm_count
from .figures import Pairs, in_turn, written
from .servers import Server
from .sessions import Session, open_browser, paint_seconds
from .tokenizing import YARDSTICKS, english_lines, mixed_lines, tokenizing

TOKEN_ROUNDS, TOKEN_GOAL = 7, 1.0
COUNT_ROUNDS, PROCESS_ROUNDS, SERVER_ROUNDS, PAINT_ROUNDS = 15, 7, 5, 7
RERUN_ROUNDS, RERUNS_A_ROUND, IDLE_ROUNDS, IDLE_SECONDS = 5, 20, 3, 3.0
COUNT_GOAL, RERUN_GOAL, COMPARE_GOAL = 1 / 100, 0.5, 1.0


def main() -> None:
    """Counting first, then the app in a browser."""
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()}\n")
    show_counting()
    print()
    show_tokenizing()
    print()
    try:
        show_app()
    except FileNotFoundError as missing:
        print(f"the app: not measured, {missing}")


def show_counting() -> None:
    """Warm counts against the meta device, cold ones against a bare Python and the import of transformers."""
    for model in (catalogue()["llama-2-7b"], largest_model()):
        subject = f"count {model.title}, warm, against transformers on the meta device"
        show_pairs(subject, lambda model=model: warm_count(model, COUNT_ROUNDS), COUNT_GOAL)
    for against, code in (("python -c pass", "pass"), ("python -c 'import transformers'", "import transformers")):
        show_pairs(f"a process that counts one model, against {against}", lambda code=code: cold_count(code, PROCESS_ROUNDS))
    needless = imported_needlessly()
    verdict = f"FAILS, it imports {', '.join(needless)}" if needless else "holds"
    print(f"a count imports neither torch, transformers nor pandas: {verdict}")


def show_tokenizing() -> None:
    """Text into tokens, against other implementations on the same vocabularies."""
    for kind, lines in (("English", english_lines()), ("many languages", mixed_lines())):
        for subject in YARDSTICKS:
            show_pairs(
                f"tokens of {kind}, {subject}",
                lambda subject=subject, lines=lines: tokenizing(subject, lines, TOKEN_ROUNDS),
                TOKEN_GOAL,
            )


def show_app() -> None:
    """The app against one slider: start-up, first paint, an idle page, reruns."""
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        slider_script = Path(folder) / "app.py"
        slider_script.write_text(readers.SLIDER_APP, encoding="utf-8")
        print("the app against a Streamlit app of one slider on default settings, each in a process of its own")
        show_fresh_servers(browser, slider_script)
        servers = []
        try:
            for script in (readers.PARTS_SCRIPT, slider_script):
                servers.append(Server(script))
            show_warm_servers(browser, *servers)
        finally:
            for server in servers:
                server.stop()


def show_fresh_servers(browser: Browser, slider_script: Path) -> None:
    """Start-up, and the paint of the first page a server ever sends."""
    first_paints: dict[Path, list[float]] = {readers.PARTS_SCRIPT: [], slider_script: []}

    def start(script: Path, path: str, shown: str) -> float:
        server = Server(script)
        try:
            first_paints[script].append(paint_seconds(browser, server.address + path, shown))
        finally:
            server.stop()
        return server.start_seconds

    show_pairs(
        "start-up: process start until it answers /_stcore/health",
        lambda: in_turn(
            lambda: start(readers.PARTS_SCRIPT, readers.PARTS_PATH, readers.PARTS_SHOWN),
            lambda: start(slider_script, "/", readers.SLIDER_SHOWN),
            SERVER_ROUNDS,
        ),
    )
    show_pairs("first paint, the server's first visitor", lambda: Pairs(*first_paints.values()))


def show_warm_servers(browser: Browser, parts: Server, slider: Server) -> None:
    """Paint, an idle page and reruns, of servers that have answered before."""
    show_pairs(
        "first paint, later visitors with nothing cached",
        lambda: in_turn(
            lambda: paint_seconds(browser, parts.address + readers.PARTS_PATH, readers.PARTS_SHOWN),
            lambda: paint_seconds(browser, slider.address, readers.SLIDER_SHOWN),
            PAINT_ROUNDS,
        ),
    )
    yardstick = Session(browser, slider, "/", readers.SLIDER_SHOWN)
    yardstick.warm_up(readers.press_arrow)
    for subject, path, shown, action, goal in (
        ("choose a tensor in the diagram", readers.PARTS_PATH, readers.PARTS_SHOWN, readers.choose_tensor, RERUN_GOAL),
        ("switch the model", readers.PARTS_PATH, readers.PARTS_SHOWN, readers.switch_model, RERUN_GOAL),
        ("one layer more, one less", readers.CHANGED_PATH, readers.PARTS_SHOWN, readers.step_layers, RERUN_GOAL),
        (
            "one layer more each time, never drawn before",
            readers.CHANGED_PATH,
            readers.PARTS_SHOWN,
            readers.add_layer,
            RERUN_GOAL,
        ),
        ("50 models, sorted", readers.COMPARE_PATH, readers.COMPARE_SHOWN, readers.sort_models, COMPARE_GOAL),
        ("50 models, a figure worked out", readers.COMPARE_PATH, readers.COMPARE_SHOWN, readers.work_out_cell, COMPARE_GOAL),
        ("50 models, one moved", readers.COMPARE_PATH, readers.COMPARE_SHOWN, readers.move_model, COMPARE_GOAL),
    ):
        session = Session(browser, parts, path, shown)
        session.warm_up(action)
        if action is readers.choose_tensor:
            show_idle(session, yardstick)
        show_pairs(
            f"rerun, server's processor time: {subject}",
            lambda session=session, action=action: in_turn(
                lambda: session.rerun_seconds(action, RERUNS_A_ROUND),
                lambda: yardstick.rerun_seconds(readers.press_arrow, RERUNS_A_ROUND),
                RERUN_ROUNDS,
            ),
            goal,
        )
        session.close()


def show_idle(session: Session, yardstick: Session) -> None:
    """What an open page costs while nobody touches it; it is subtracted from the reruns."""
    idle = in_turn(lambda: session.idle_share(IDLE_SECONDS), lambda: yardstick.idle_share(IDLE_SECONDS), IDLE_ROUNDS)
    print(f"{idle.ratio:7.2f} ×  an open page left alone: {idle.ours_seconds:.2%} / {idle.yardstick_seconds:.2%} of one core")


def show_pairs(subject: str, measure: Callable[[], Pairs], goal: float | None = None) -> None:
    """Print one figure; a goal is the largest ratio allowed. What cannot be measured here is said, not passed over."""
    try:
        pairs = measure()
    except (ImportError, subprocess.CalledProcessError) as missing:
        print(f"{subject}: not measured, {missing}")
        return
    ratio = pairs.ratio
    as_ratio = f"1/{1 / ratio:,.0f} ×" if 0 < ratio < 0.1 else f"{ratio:.2f} ×"
    verdict = "" if goal is None else f"   goal ≤ {goal:g}: {'holds' if 0 < ratio <= goal else 'FAILS'}"
    print(f"{as_ratio:>9}  {subject}: {written(pairs.ours_seconds)} / {written(pairs.yardstick_seconds)}{verdict}", flush=True)


if __name__ == "__main__":
    main()
