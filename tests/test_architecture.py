"""What import-linter cannot see: nothing outside `games/` names a game, not even in texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import facedown
from facedown.core import registry
from facedown.core.game import Game
from facedown.core.outcome import FORFEITED

HOME = Path(facedown.__file__).parent
GAMES = HOME / "games"
OURS = [folder.name for folder in sorted(GAMES.iterdir()) if (folder / "game.py").is_file()]


def named(name: str, title: str) -> re.Pattern[str]:
    """A game's name or title, in capitals or not, as a word of its own or part of a name."""
    return re.compile(rf"(?<![a-z])(?:{re.escape(name)}|{re.escape(title)})(?![a-z])", re.IGNORECASE)


def files_outside_games() -> list[Path]:
    made = ("__pycache__", "bundle.zip")  # from the sources, those of the games among them
    everything = (path for path in HOME.rglob("*") if path.is_file() and not {*made} & {*path.parts})
    return sorted(path for path in everything if GAMES not in path.parents and not names_games(path))


def names_games(path: Path) -> bool:
    """The face of the library: its examples name games, and so do its types, for type checkers."""
    return path.parent == HOME / "library" or (path.parent, path.stem) == (HOME, "__init__")


def test_the_folders_are_the_games() -> None:
    assert len(OURS) >= 2
    assert set(OURS) <= set(registry.names())
    assert [registry.get(name).name for name in OURS] == OURS


@pytest.mark.parametrize("name", OURS)
def test_nothing_outside_games_names_one(name: str) -> None:
    pattern = named(name, str(registry.get(name).meta.title))

    naming = [
        f"{path.relative_to(HOME)}:{number}: {line.strip()}"
        for path in files_outside_games()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]

    assert naming == []


def test_the_face_names_games_to_readers_and_type_checkers_alone() -> None:
    code = [path for path in sorted(HOME.rglob("*.py")) if names_games(path)]
    constants = [
        f"{path.name}:{node.lineno}"
        for path in code
        if path.stem != "named"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in OURS
    ]

    assert len(code) > 5
    assert constants == []
    for path in code:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_run_time = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        assert not [node for node in at_run_time if (node.module or "").startswith("facedown.games.")]


# --- the words of a game's state -------------------------------------------------------------------------

EVERY_TABLES = {"first", "out", "placing", "play", "plays", "round", "rounds", "score", "tie"}
"""Words that a game uses for its own, but that are every table's, too."""


def words_of(name: str) -> set[str]:
    """What a game calls the parts of its rules and positions, and its own ways to end."""
    game, solver = registry.get(name), registry.part(name, "solve")
    options = (*game.rules.options, *getattr(solver, "positions", ()))
    return {option.name for option in options} | set(game.terminations) - {*Game.terminations, FORFEITED}


def words_used(path: Path) -> Iterator[tuple[int, str]]:
    """The names of arguments and fields in a module, and its text constants, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.lineno, node.target.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize("name", OURS)
def test_nothing_outside_games_knows_the_state_of_one(name: str) -> None:
    words = words_of(name)
    flags = {f"--{word.replace('_', '-')}" for word in words}
    assert words - EVERY_TABLES, "there is something to look for"

    knowing = [
        f"{path.relative_to(HOME)}:{line}: {word}"
        for path in files_outside_games()
        if path.suffix == ".py"
        for line, word in words_used(path)
        if word in flags or word in words - EVERY_TABLES
    ]

    assert knowing == []


@pytest.mark.parametrize("name", OURS)
def test_no_game_names_another(name: str) -> None:
    others = [named(other, str(registry.get(other).meta.title)) for other in OURS if other != name]
    texts = [
        path for path in (GAMES / name).rglob("*") if path.suffix in (".py", ".md", ".js", ".css", ".json")
    ]

    assert texts
    assert [
        str(path.relative_to(GAMES))
        for path in texts
        if any(pattern.search(path.read_text(encoding="utf-8")) for pattern in others)
    ] == []


@pytest.mark.parametrize("name", OURS)
def test_every_game_has_its_page(name: str) -> None:
    assert registry.page(name).startswith(f"# {registry.get(name).meta.title}\n")
