"""Imports of the browser's code: no circles, and every folder imports only from folders below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

import facedown

HOME: Final = Path(facedown.__file__).parent
LAYERS: Final = (
    ("html.js", "storage.js", "contract.js", "theme_boot.js"),
    ("settings.js", "router.js"),
    ("words.js", "sound.js"),
    ("phrases.js",),
    ("net/",),
    ("state/",),
    ("table/",),
    ("parts/",),
    ("review/", "new_table/"),
    ("study/",),
    ("frame/",),
    ("dialogs/",),
    ("screens/",),
    ("main.js",),
)
"""The shell from below: a row may import from its own folder and from the rows before it."""
GAME_LAYERS: Final = (
    ("words/", "due.js"),
    ("drawing/", "drawing.js"),
    ("reveal/",),
    ("board/",),
    ("examples.js",),
    ("table.js",),
)
FOR_GAMES: Final = ("html.js", "table/")
"""What a game may import of the shell: its table knows no connection, no address and no state."""


def imports(path: Path, text: str) -> Iterator[Path]:
    """The files that a module imports as it is loaded."""
    code = re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r'^(?:import|export)\b(?:[^;"]*\bfrom)?\s+"([^"]+)"', code, flags=re.MULTILINE):
        if target.startswith("."):
            yield Path(*(path.parent / target).resolve().parts)
        elif target.startswith(("/app/", "/words/")):
            yield HOME / "web" / target[1:]


def modules(folder: Path) -> dict[Path, list[Path]]:
    """Every module below a folder, with what it imports."""
    found = sorted(folder.rglob("*.js"))
    return {path: list(imports(path, path.read_text(encoding="utf-8"))) for path in found}


def circle(graph: Mapping[Path, Iterable[Path]]) -> list[str]:
    """The names along a circle, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return [str(each) for each in found.args[1]]
    return []


def layer(path: str, layers: Iterable[tuple[str, ...]]) -> int:
    """How high a path stands: the longest name that fits counts."""
    fitting = [
        (len(name), height)
        for height, names in enumerate(layers)
        for name in names
        if path == name or (name.endswith("/") and path.startswith(name))
    ]
    assert fitting, f"{path} has no layer"
    return max(fitting)[1]


def upward(folder: Path, layers: Iterable[tuple[str, ...]]) -> list[str]:
    """Imports that lead to a higher layer, or to another folder of the same one."""
    rows = tuple(layers)
    found = []
    for path, targets in modules(folder).items():
        name = path.relative_to(folder).as_posix()
        for target in targets:
            if not target.is_relative_to(folder):
                continue
            to = target.relative_to(folder).as_posix()
            same = Path(name).parent == Path(to).parent and "/" in name
            mine, other = layer(name, rows), layer(to, rows)
            if other > mine or (other == mine and not same):
                found.append(f"{name} imports {to}")
    return found


APP: Final = HOME / "web/app"
GAMES: Final = sorted(path.parent.name for path in HOME.glob("games/*/web"))


def test_no_circles() -> None:
    graph = modules(APP)
    for game in GAMES:
        graph.update(modules(HOME / "games" / game / "web"))

    assert len(graph) > 80
    assert circle(graph) == []


def test_a_circle_is_found() -> None:
    one, two, three = Path("one"), Path("two"), Path("three")

    assert circle({one: [two], two: [three], three: [one]}) != []


def test_the_shell_imports_only_what_lies_below() -> None:
    assert upward(APP, LAYERS) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_only_what_lies_below(game: str) -> None:
    assert upward(HOME / "games" / game / "web", GAME_LAYERS) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_knows_of_the_shell_only_its_table_kit(game: str) -> None:
    targets = {each for found in modules(HOME / "games" / game / "web").values() for each in found}
    shell = {each.relative_to(APP).as_posix() for each in targets if each.is_relative_to(APP)}

    assert shell
    assert {each for each in shell if not each.startswith(FOR_GAMES)} == set()


def test_the_table_kit_knows_nothing_but_markup() -> None:
    targets = {each for found in modules(APP / "table").values() for each in found}

    assert {each for each in targets if each.parent.name != "table"} == {APP / "html.js"}
