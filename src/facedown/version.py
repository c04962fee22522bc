"""The version of this package, and whether its engine is compiled."""

from __future__ import annotations

import os.path
from importlib.machinery import EXTENSION_SUFFIXES

__version__ = "1.0.0"


def compiled() -> bool:
    """Whether this installation's engine is compiled, as in a wheel built with FACEDOWN_COMPILED=1.

    Looks for a file, and imports nothing.
    """
    ballot = os.path.join(os.path.dirname(__file__), "core", "ballot")
    return any(os.path.exists(ballot + suffix) for suffix in EXTENSION_SUFFIXES)


def full_version() -> str:
    """The version in words: what `facedown --version` prints.

    >>> full_version().startswith(__version__)
    True
    """
    return f"{__version__} (compiled engine)" if compiled() else __version__
