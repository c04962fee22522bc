"""Prints which Python runs this, for bootstrap.sh and the benches: `optimised PATH` or `plain PATH`.

Fails if it is too old, or lacks a module that is named as an argument. A build with optimisations runs the
same program up to a third faster. Distributions make such builds (Debian's and Ubuntu's do not say so in
CONFIG_ARGS); pyenv does only on request.
"""

from __future__ import annotations

import importlib
import os
import sys
import sysconfig


def is_optimised() -> bool:
    """Whether this Python was built with optimisations."""
    asked = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return "--enable-optimizations" in asked or sys.base_prefix == "/usr" or os.name == "nt"


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036  # whichever Python was found
        sys.exit(1)
    for name in sys.argv[1:]:
        importlib.import_module(name)
    # The real path, because it goes away when that Python does, which makes .venv stale instead of broken.
    print("optimised" if is_optimised() else "plain", os.path.realpath(sys.executable))
