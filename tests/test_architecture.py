"""What import-linter cannot see: nobody outside `games/` names a game, not even in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import facedown
from facedown.core import registry

HOME = Path(facedown.__file__).parent
GAMES = HOME / "games"
OURS = [folder.name for folder in sorted(GAMES.iterdir()) if (folder / "game.py").is_file()]


def named(name: str, title: str) -> re.Pattern[str]:
    """A game's name or title, in capitals or not, as a word of its own or part of a name."""
    return re.compile(rf"(?<![a-z])(?:{re.escape(name)}|{re.escape(title)})(?![a-z])", re.IGNORECASE)


def files_outside_games() -> list[Path]:
    everything = (path for path in HOME.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in everything if GAMES not in path.parents)


def test_the_folders_are_the_games() -> None:
    assert len(OURS) >= 2
    assert set(OURS) <= set(registry.names())
    assert [registry.get(name).name for name in OURS] == OURS


@pytest.mark.parametrize("name", OURS)
def test_nobody_outside_games_names_one(name: str) -> None:
    pattern = named(name, registry.get(name).meta.title)

    naming = [
        f"{path.relative_to(HOME)}:{number}: {line.strip()}"
        for path in files_outside_games()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]

    assert naming == []


def test_a_name_is_found_wherever_it_stands() -> None:
    pattern = named("toy", "T-Oy")

    found = [text for text in ('get("toy")', "toy_rules", "A T-OY.", "import Toy") if pattern.search(text)]

    assert len(found) == 4
    assert not pattern.search("toys and autoyield")


@pytest.mark.parametrize("name", OURS)
def test_no_game_names_another(name: str) -> None:
    others = [named(other, registry.get(other).meta.title) for other in OURS if other != name]
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
