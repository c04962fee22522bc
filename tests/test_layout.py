"""The layout of the source tree: no circles of imports, no crowded folders, one meaning for a class name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from pathlib import Path
from typing import Final

import grimp
import pytest

import facedown

HOME: Final = Path(facedown.__file__).parent
MOST_MODULES: Final = 20


def sources(*suffixes: str) -> list[Path]:
    """Our own files of these kinds: nothing vendored."""
    found = (path for path in HOME.rglob("*") if path.suffix in suffixes and path.is_file())
    theirs = {"vendor"}
    return sorted(path for path in found if not theirs & set(path.relative_to(HOME).parts))


MODULES: Final = sources(".py", ".js")


def shown(path: Path) -> str:
    return str(path.relative_to(HOME))


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = grimp.build_graph("facedown", cache_dir=None, exclude_type_checking_imports=True)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}

    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(error.args[1])}")


def test_no_folder_is_crowded() -> None:
    folders = groupby(sorted(MODULES, key=lambda path: path.parent), key=lambda path: path.parent)
    counted = {shown(folder): sum(path.name != "__init__.py" for path in paths) for folder, paths in folders}

    assert {folder: count for folder, count in counted.items() if count > MOST_MODULES} == {}


def classes() -> Iterator[tuple[str, str]]:
    for path in sources(".py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                yield node.name, shown(path)


@pytest.mark.parametrize("game", sorted(path.parent.name for path in HOME.glob("games/*/game.py")))
def test_no_class_name_means_two_things(game: str) -> None:
    """Each game may have its own `State`, because its folder tells them apart."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in classes():
        if not path.startswith("games/") or path.startswith(f"games/{game}/"):
            places[name].append(path)

    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
