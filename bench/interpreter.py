"""The Python that a bench measures, in words: numbers of two builds of one version cannot be compared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

_WHICH: Final = Path(__file__).resolve().parent.parent / "scripts" / "which_python.py"


def interpreter(python: str = sys.executable) -> str:
    """The version of a Python, how it was built, and its path."""
    build, _, path = _said(python, str(_WHICH)).partition(" ")
    version = _said(python, "-c", "import platform; print(platform.python_version())")
    says = "built with optimisations" if build == "optimised" else "built WITHOUT optimisations"
    return f"{version}, {says} ({path})"


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
