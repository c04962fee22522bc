"""Games of other packages in a page without a server: which of them can go along, and their files.

Only pure Python that needs nothing but Facedown runs there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from facedown.core import registry

_ENTRIES: Final = "facedown.games"
_COMPILED: Final = frozenset({".so", ".pyd", ".dll", ".dylib"})
_UNNEEDED: Final = frozenset({"__pycache__", "golden", "tests", "web"})
"""Folders at any depth that stay here."""


@cache
def exclusions() -> dict[str, str]:
    """Why games of other packages cannot run in a page, by name."""
    found = {}
    for point in _points():
        if needs := _other_needs(point):
            found[point.name] = f"its package needs {', '.join(needs)}"
        elif any(path.suffix in _COMPILED for path in _folder(point).rglob("*")):
            found[point.name] = "its package has parts that are compiled for this machine"
    return found


def page_games() -> tuple[str, ...]:
    """The games of a page without a server."""
    return tuple(name for name in registry.packages() if name not in exclusions())


def plugin_files() -> Iterator[tuple[str, bytes]]:
    """The packages of those games by path, with the metadata by which Facedown finds them."""
    points = [each for each in _points() if each.name not in exclusions()]
    for folder in {_folder(each) for each in points}:
        for path in folder.rglob("*"):
            inside = path.relative_to(folder)
            if path.is_file() and _UNNEEDED.isdisjoint(inside.parts[:-1]):
                yield f"{folder.name}/{inside.as_posix()}", path.read_bytes()
    games: dict[tuple[str, str], str] = {}
    for each in points:
        package = (each.dist.name, each.dist.version) if each.dist else (each.name, "0")
        games[package] = f"{games.get(package, '')}{each.name} = {each.value}\n"
    for (name, version), lines in games.items():
        about = f"{re.sub(r'[^A-Za-z0-9]+', '_', name)}-{version}.dist-info"
        yield f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
        yield f"{about}/entry_points.txt", f"[{_ENTRIES}]\n{lines}".encode()


def _points() -> list[metadata.EntryPoint]:
    """The entry points of the games of other packages that can be used at all."""
    found = metadata.entry_points(group=_ENTRIES)
    return [each for each in found if each.name in registry.packages() and not registry.is_ours(each.name)]


def _other_needs(point: metadata.EntryPoint) -> list[str]:
    """What a game's package requires besides Facedown; extras do not count."""
    asked = [each for each in (point.dist.requires if point.dist else None) or () if "extra ==" not in each]
    names = [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in asked]
    return sorted(each for each in names if each.lower() != "facedown")


def _folder(point: metadata.EntryPoint) -> Path:
    """The folder of the outermost package that holds a game."""
    spec = find_spec(point.value.partition(".")[0])
    assert spec is not None, point
    return Path(*(spec.submodule_search_locations or ())[:1])
