"""Coverage gates: how much of each package its own tests have to reach, in a run of all tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests import coverage_marks

if TYPE_CHECKING:  # the process that servers are forked from has no use for it
    import pytest

GATES: Final = {
    ("core", "games"): 95,
    ("server",): 85,
    ("client",): 85,
    ("protocol",): 85,
    ("review",): 85,
    ("terminal",): 85,
    ("sim",): 85,
    ("solve",): 85,
}
"""Percent of statements and ways past them that have to be reached, by packages of `facedown`."""
UNREACHED: Final = "games/davenport/learn/measure.py"
"""Not counted: what measures a network is a program of its own, which JAX compiles for too long."""
_SOURCE: Final = Path(__file__).parent.parent / "src" / "facedown"

_switch: dict[str, str] = {}


def begin() -> None:
    """Measure this process, if the environment says so: before anything of `facedown` is imported."""
    if coverage_marks.SWITCH not in os.environ:
        return
    folder = Path(os.environ[coverage_marks.SWITCH]).resolve()
    if "PYTEST_XDIST_WORKER" not in os.environ:  # a new run
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        coverage_marks.prepare(folder, _SOURCE)
    _switch[coverage_marks.SWITCH] = os.environ[coverage_marks.SWITCH] = str(folder)
    coverage_marks.begin()


def measure_no_program() -> None:
    """From now on, the programs that tests start are not measured, but for the servers."""
    os.environ.pop(coverage_marks.SWITCH, None)


def measured() -> dict[str, str]:
    """What the environment of a program needs, so that it is measured where the tests are."""
    return dict(_switch)


def lines() -> tuple[list[str], bool]:
    """A line for each gate, and whether all of them hold."""
    files = coverage_marks.reached(Path(_switch[coverage_marks.SWITCH]), _SOURCE)
    del files[UNREACHED]
    found = {packages: _percent(files, packages) for packages in GATES}
    said = [
        f"coverage of {' and '.join(packages)}: {found[packages]:.1f} %, at least {least} % wanted"
        + ("" if found[packages] >= least else "  *** TOO LITTLE ***")
        for packages, least in GATES.items()
    ]
    return said, all(found[packages] >= least for packages, least in GATES.items())


def _percent(files: dict[str, tuple[int, int]], packages: tuple[str, ...]) -> float:
    counted = [counts for path, counts in files.items() if Path(path).parts[0] in packages]
    return 100 * sum(seen for seen, _ in counted) / sum(whole for _, whole in counted)


def applies(session: pytest.Session) -> bool:
    """Whether this is the process that sees the end of all tests, which were measured."""
    ended = not session.testsfailed and not session.shouldstop
    return bool(_switch) and not hasattr(session.config, "workerinput") and ended
