"""Programs of `bench/` run at their smallest size and print their whole report. No figure is judged.

A usual run tries some of them, `THOROUGH=1` all; mypy checks the code of all in every run.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests import postgresql
from tests.few import few
from tests.needs import without
from tests.patience import PATIENCE

ROOT: Final = Path(__file__).parent.parent
THOROUGH: Final = bool(os.environ.get("THOROUGH"))
SMALL_SERVER: Final = "--here --rounds 1 --seconds 0.2 --warm 0 --tables 1"


class Run(NamedTuple):
    """A program with small options, and what its report contains."""

    command: str
    report: tuple[str, ...]
    missed: str = ""
    """What it prints last if a figure misses its bar: the status is 1 then."""
    long: bool = False
    """Run with `THOROUGH=1` alone."""

    @property
    def program(self) -> str:
        return self.command.split()[0]


RUNS: Final = (
    Run(
        "browser.py --form bundle --loads 1 --reveals 1 --game ecard --slower 1",
        ("fetched twice", "E-Card, 1 x slower                         1 "),
    ),
    Run(
        "community.py --joins 12 --store sqlite",
        ("sqlite: people with two tables: 0", "sqlite: joins a second:"),
        missed="missed: sqlite: joins a second",
    ),
    Run("engine.py --tiny", ("Facedown alone", "facedown replay --json")),
    Run(
        "failover.py standby --tables 1",
        ("anomalies in",),
        missed="missed: ",
        long=True,
    ),
    Run("flood.py --only requests --turns 1 --tables 1 --seconds 0.1", ("worst: requests with",)),
    Run("honest.py --games 2 --tables 2 --every 1", ("2 games in", "0 wrong, 0 alarms")),
    Run("house.py --games 4 --jobs 1 idris bee", ("idris ", "bee ")),
    Run(
        "scale.py --games 9 --people 4 --starts 1 --sockets 2 --tables 1 --wait 0 --spectators 2 --reveals 1",
        ("9 games", "questions to the store", "start:", "a person's page", "2 idle sockets", "2 spectators"),
    ),
    Run(
        f"server.py {SMALL_SERVER} --sockets 2 --game davenport --think flat_out",
        ("its own WebSocket", "Davenport, four seats", "Memory with 2 sockets"),
    ),
    Run(
        "server.py --capacity --here --people 2 4 --seconds 0.2 --warm 0 --game ecard",
        ("E-Card, two seats: how many people", "low load:", "Facedown  "),
    ),
    Run("soak.py --minutes 0.001 --tables 1", ("none lost, doubled or changed", "all of it held")),
    Run(
        f"stores.py {SMALL_SERVER} --think 0", ("PostgreSQL / SQLite, picks for each second of the server:",)
    ),
    Run(
        "tournament.py --people 4 --viewers 2 --minutes 1 --think 0.2 --picks 1",
        ("entrants at two tables at once: 0", "games with a result: "),
        missed="missed: ",
        long=True,
    ),
)
INSIDE_OTHERS: Final = {
    "scaling/crowd.py": "scale.py",
}
"""What the programs start as processes of their own: it runs when they do."""
NEED_POSTGRESQL: Final = ("failover.py", "stores.py")


def test_every_program_is_run() -> None:
    """A new one needs an entry in `RUNS`."""
    bench = ROOT / "bench"
    programs = {
        path.relative_to(bench).as_posix()
        for path in bench.rglob("*.py")
        if '\nif __name__ == "__main__":\n' in path.read_text()
    }
    run = {each.program for each in RUNS}
    assert programs == run | INSIDE_OTHERS.keys()
    assert run >= set(INSIDE_OTHERS.values())


@pytest.mark.parametrize(
    "run", few((each for each in RUNS if THOROUGH or not each.long), 3), ids=lambda run: run.command
)
def test_a_program_runs_to_its_end(run: Run) -> None:
    _check_needs(run)
    status, out, err = _run(run)
    printed = f"{out}\n{err}"
    assert status == 0 or (status == 1 and run.missed and run.missed in printed), printed
    missing = [each for each in run.report if each not in out]
    assert not missing, f"not printed: {missing}\n{printed}"
    assert "lost a lap" not in out, out


def _check_needs(run: Run) -> None:
    if run.program in NEED_POSTGRESQL:
        postgresql.programs()
    if run.program == "browser.py":
        from tests.web.chromium import CHROMIUM

        if CHROMIUM is None:
            without("there is no Chromium on this machine")


def _run(run: Run) -> tuple[int, str, str]:
    """The status of a program, run as a user runs it, and what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment.pop("FACEDOWN_TESTS_ON", None)
    process = subprocess.Popen(
        [sys.executable, *f"bench/{run.command}".split()],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"{run.command} does not end: {process.communicate()}")
    return process.returncode, out, err
