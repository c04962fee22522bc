"""Runs the pip that Python brings, from its wheel: installing it first would take as long as all the rest."""

from __future__ import annotations

import ensurepip
import runpy
import sys
import sysconfig
from pathlib import Path

bundled = Path(ensurepip.__file__).parent / "_bundled"
of_system = Path(sysconfig.get_config_var("WHEEL_PKG_DIR") or bundled)
wheel = next(path for folder in (bundled, of_system) for path in folder.glob("pip-*.whl"))
sys.path.insert(0, str(wheel))
runpy.run_module("pip", run_name="__main__", alter_sys=True)
