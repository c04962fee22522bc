"""Every rule has its sentence, its id and its test: pages, code and tests must speak of the same rules."""

from __future__ import annotations

import ast
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from facedown.core import registry

TESTS = Path(__file__).parent
ID = re.compile(r"[A-Z][0-9]{1,2}")
BULLET = re.compile(r"^- \*\*([A-Z][0-9]{1,2})\*\* ", re.MULTILINE)
CITATION = re.compile(r"^def test_((?:[A-Z][0-9]{1,2}_)+)", re.MULTILINE)
GAMES = [name for name, package in registry.packages().items() if package == f"facedown.games.{name}"]


def ids_on_page(name: str) -> list[str]:
    """The ids of a game's page, in their order."""
    return BULLET.findall(registry.page(name))


def ids_cited_by_tests(folder: Path) -> dict[str, str]:
    """Every id that the name of a test under the folder cites, with a file in which it does."""
    cited = {}
    for path in sorted(folder.rglob("test_*.py")):
        for ids in CITATION.findall(path.read_text(encoding="utf-8")):
            cited.update(dict.fromkeys(ids.strip("_").split("_"), str(path.relative_to(TESTS))))
    return cited


def ids_cited_by_code(name: str) -> set[str]:
    """Every id that an event or an error of the game cites."""
    folder = Path(str(import_module(registry.packages()[name]).__file__)).parent
    return {
        node.value
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value)
    }


def table(name: str, heading: str) -> list[dict[str, str]]:
    """The rows of the page's table whose first column has this heading, by column; plain text."""
    lines = registry.page(name).replace("`", "").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    start = next(place for place, row in enumerate(cells) if row[0] == heading)
    columns = cells[start]
    rows = []
    for row in cells[start + 2 :]:
        if len(row) != len(columns) or row[0] in ("option", "preset"):
            break
        rows.append(dict(zip(columns, row, strict=True)))
    return rows


def test_there_are_pages_to_check() -> None:
    assert len(GAMES) >= 2


@pytest.mark.parametrize("name", GAMES)
def test_every_id_on_a_page_has_a_test_that_cites_it(name: str) -> None:
    cited = ids_cited_by_tests(TESTS / "games" / name)

    assert [rule for rule in ids_on_page(name) if rule not in cited] == []


def test_every_id_that_a_test_cites_is_on_a_page() -> None:
    pages = [
        *map(registry.page, GAMES),
        *(path.read_text(encoding="utf-8") for path in TESTS.rglob("page.md")),
    ]
    known = {rule for page in pages for rule in BULLET.findall(page)}

    unknown = {rule: path for rule, path in ids_cited_by_tests(TESTS).items() if rule not in known}

    assert unknown == {}


@pytest.mark.parametrize("name", GAMES)
def test_every_id_stands_once_on_its_page_and_a_games_own_count_from_1(name: str) -> None:
    ids = ids_on_page(name)
    own = [rule for rule in ids if rule[0] == ids[0][0]]

    assert [rule for rule, times in Counter(ids).items() if times > 1] == []
    assert own == [f"{ids[0][0]}{number}" for number in range(1, len(own) + 1)]


@pytest.mark.parametrize("name", GAMES)
def test_every_id_that_the_code_cites_is_explained_on_the_page(name: str) -> None:
    game = registry.get(name)
    enforced = {getattr(game.citations, field) for field in game.citations.__slots__} - {""}
    options = {option.rule for option in game.rules.options}

    assert (ids_cited_by_code(name) | enforced | options) - set(ids_on_page(name)) == set()


@pytest.mark.parametrize("name", GAMES)
def test_the_braces_of_a_page_hold_options_and_nothing_else(name: str) -> None:
    page = registry.page(name)
    options = {option.name for option in registry.get(name).rules.options}

    assert set(re.findall(r"\{([^{}]*)\}", page)) <= options
    assert re.findall(r"[{}]", re.sub(r"\{[^{}]*\}", "", page)) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_options_on_the_page_are_those_of_the_code(name: str) -> None:
    rows = table(name, "option")
    options = registry.get(name).rules.options

    assert [row["option"] for row in rows] == [option.name for option in options]
    for row, option in zip(rows, options, strict=True):
        assert row["values"].startswith(str(option.allowed))
        assert option.rule in row["meaning"]


@pytest.mark.parametrize("name", GAMES)
def test_the_presets_on_the_page_have_the_values_of_the_code(name: str) -> None:
    rows = table(name, "preset")
    kind = registry.get(name).rules

    assert [row["preset"].split()[0] for row in rows] == [preset.name for preset in kind.presets]
    for row in rows:
        rules = kind.read(row["preset"].split()[0])
        shown = {
            option.name: option.write(rules.value(option)) for option in kind.options if option.name in row
        }
        assert shown == {column: value for column, value in row.items() if column != "preset"}
