"""Programs of `lab/bench` run at their smallest size and print their whole report. No figure is judged."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from lab.tests import quick_jax
from tests.needs import without
from tests.patience import PATIENCE

BENCH: Final = Path(__file__).parents[1] / "bench"
RUNS: Final = {
    "batch.py --here --tables 2 --seconds 0.01 ecard": "ecard classic, 2 seats: JAX, observed ",
    "engine.py --here --tiny": "PettingZoo, action_space",
    "solve.py --here decisive(rounds=1,group=1,first=1)": "decisive(first=1,rounds=1,group=1)",
}
"""Programs with small options, and what each report contains."""
NEEDS: Final = {"batch.py": "jax", "engine.py": "pyspiel", "solve.py": "scipy"}


def test_every_program_is_run() -> None:
    """What a program starts as a process of its own has a name that ends with `_contest`."""
    programs = {
        path.name
        for path in BENCH.rglob("*.py")
        if '\nif __name__ == "__main__":\n' in path.read_text() and not path.stem.endswith("_contest")
    }

    assert programs == {command.split()[0] for command in RUNS}


@pytest.mark.parametrize("command", RUNS)
def test_a_program_runs_to_its_end(command: str) -> None:
    program, *options = command.split()
    if find_spec(NEEDS[program]) is None:
        without(f"{NEEDS[program]} is not installed")
    # JAX spends nearly all of its time here on compiling.
    quick = {"XLA_FLAGS": quick_jax.FLAGS, "JAX_DISABLE_MOST_OPTIMIZATIONS": "1"}

    done = subprocess.run(
        [sys.executable, BENCH / program, *options],
        env=os.environ | quick,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    printed = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0 or "too slow:" in printed, printed
    assert RUNS[command] in done.stdout, printed
