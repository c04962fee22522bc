"""Coverage gates: how much of each package its own tests have to reach, in a run of all tests."""

from __future__ import annotations

import io
import os
from typing import Final

import coverage
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
"""Percent of lines and branches that have to be reached, by packages of `facedown`."""
UNREACHED: Final = ["*/games/davenport/learn/measure.py"]
"""Not counted: what measures a network is a program of its own, which JAX compiles for too long."""
SWITCH: Final = "COVERAGE_PROCESS_CONFIG"
"""The variable by which a measured process has the processes that it starts measured, too."""


def reached(packages: tuple[str, ...]) -> float:
    """Percent of these packages that the tests of this run have reached."""
    measured = coverage.Coverage()
    measured.load()
    folders = [f"*/src/facedown/{package}/*" for package in packages]
    return measured.report(include=folders, omit=UNREACHED, file=io.StringIO())


def lines() -> tuple[list[str], bool]:
    """A line for each gate, and whether all of them hold."""
    found = {packages: reached(packages) for packages in GATES}
    said = [
        f"coverage of {' and '.join(packages)}: {found[packages]:.1f} %, at least {least} % wanted"
        + ("" if found[packages] >= least else "  *** TOO LITTLE ***")
        for packages, least in GATES.items()
    ]
    return said, all(found[packages] >= least for packages, least in GATES.items())


def applies(session: pytest.Session) -> bool:
    """Whether this is the process that has the measurements of all tests together, and all tests were run."""
    config = session.config
    measures = bool(config.getoption("cov_source", default=None)) and not hasattr(config, "workerinput")
    return measures and not session.testsfailed and not session.shouldstop


_switch: dict[str, str] = {}


def measure_no_program() -> None:
    """From now on, the programs that tests start are not measured, which would slow all of them down."""
    if SWITCH in os.environ:
        _switch[SWITCH] = os.environ.pop(SWITCH)


def measured() -> dict[str, str]:
    """What the environment of a program needs, so that it is measured where the tests are."""
    return dict(_switch)
