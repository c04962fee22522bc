"""The parts of a game that only the laboratory uses: its batch form, its attackers, its training.

Those of Facedown's own games are in `facedown_lab.games`; another package keeps them in its game's folder.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Final

from facedown.core import registry
from facedown.core.errors import Unsupported

_HOME: Final = "facedown_lab.games"


def part_of(game: str, module: str) -> ModuleType | None:
    """A module of a game such as its `batch` or `exploit`; None if it has none."""
    if not registry.is_ours(game):
        return registry.part(game, module)
    path = f"{_HOME}.{game}.{module}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{path}.".startswith(f"{error.name}."):
            return None
        raise


def missing_extra(needing: str, name: str) -> Unsupported:
    """The error of an extra of this package that is not installed.

    >>> str(missing_extra("compiled tables need", "jax"))
    'compiled tables need the extra `jax` of facedown-lab'
    """
    return Unsupported(f"{needing} the extra `{name}` of facedown-lab")
