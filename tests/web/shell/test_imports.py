"""Imports of the browser's code: no circles, and every folder imports only from folders below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

import facedown
from facedown.scaffold.write import ScaffoldName, write_scaffold
from facedown.web.bundle import bundle

HOME: Final = Path(facedown.__file__).parent
LAYERS: Final = (
    ("html.js", "storage.js", "contract.js", "theme_boot.js"),
    ("settings.js", "router.js"),
    ("words.js", "sound.js"),
    ("numbers.js", "phrases.js"),
    ("net/",),
    ("state/",),
    ("table/",),
    ("parts/",),
    ("review/", "new_table/"),
    ("study/", "anyone/"),
    ("home/", "people/", "today/"),
    ("frame/",),
    ("dialogs/",),
    ("account/", "contacts/", "operate/", "share/", "tournaments/"),
    ("screens/",),
    ("main.js",),
)
"""The shell from below: a row may import from its own folder and from the rows before it."""
GAME_LAYERS: Final = (
    ("words/", "due.js"),
    ("drawing/", "drawing.js"),
    ("reveal/",),
    ("board/",),
    ("examples.js", "ending.js"),
    ("table.js",),
)


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


def test_the_shell_imports_only_what_lies_below() -> None:
    assert upward(APP, LAYERS) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_only_what_lies_below(game: str) -> None:
    assert upward(HOME / "games" / game / "web", GAME_LAYERS) == []


@pytest.fixture(scope="module")
def kit() -> set[str]:
    """What the page for authors lists: everything that a game may import of the shell."""
    page = (HOME.parents[1] / "docs/game-authors.md").read_text("utf-8")
    return set(re.findall(r"^\| `(/app/[\w/]+\.js)` \|", page, re.M))


@pytest.mark.parametrize("game", [*GAMES, "new game"])
def test_a_game_imports_nothing_of_the_shell_but_the_kit_for_authors(
    game: str, kit: set[str], tmp_path: Path
) -> None:
    folder = HOME / "games" / game / "web"
    if game == "new game":
        game, folder = "odds", tmp_path / "odds" / "odds" / "web"
        write_scaffold("game", ScaffoldName("odds", "Odds", "Odds", "O"), tmp_path / "odds", web=True)
    text = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.js"))
    found = set(re.findall(r'(?:\bfrom|\bimport\(?|@import .*? from)\s*"([^".][^"]*)"', text))

    assert "/app/html.js" in found
    assert found <= {*kit, f"/words/games/{game}/en.js"}


def test_the_kit_for_authors_is_listed_whole(kit: set[str]) -> None:
    there = {f"/app/{path.relative_to(APP).as_posix()}" for path in APP.glob("table/*.js")}

    assert kit == there | {"/app/html.js", "/app/contract.js"}


def test_the_kit_for_authors_is_served_also_where_everything_is_bundled(kit: set[str]) -> None:
    page = (HOME.parents[1] / "docs/game-authors.md").read_text("utf-8")
    sheets = set(re.findall(r"`(/app/[\w/]+\.css)`", page))

    assert sheets
    assert {each.removeprefix("/") for each in kit - {"/app/contract.js"} | sheets} <= bundle().keys()


def test_the_table_kit_knows_nothing_but_markup() -> None:
    targets = {each for found in modules(APP / "table").values() for each in found}

    assert {each for each in targets if each.parent.name != "table"} == {APP / "html.js"}
