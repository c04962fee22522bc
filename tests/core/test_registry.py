"""The registry: folders and entry points, found without a list of names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.core.errors import UnknownGame

THIRD_GAME = Path(__file__).parent.parent / "third_game"


@pytest.fixture
def package_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A monkeypatch whose paths count as installed packages; undone after the test."""
    modules = set(sys.modules)
    registry.forget()
    yield monkeypatch
    monkeypatch.undo()
    registry.forget()
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def install(folder: Path, name: str, package: str) -> None:
    """A package with an entry point, as an installer would leave it."""
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[facedown.games]\n{name} = {package}\n")
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")


def game_called(name: str) -> str:
    """The `game` module of a package: a game that works, by another name."""
    return (
        "from facedown.games.ecard.game import ECard\n"
        f"class Renamed(ECard):\n    name = {name!r}\n"
        "GAME = Renamed()\n"
    )


def test_every_folder_is_a_game_by_its_own_name() -> None:
    names = registry.names()
    assert names == tuple(sorted(names))
    assert {"davenport", "ecard"} <= set(names)
    for name in names:
        assert registry.get(name).name == name
        assert registry.get(name) is registry.get(name)


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownGame, match="there is no game 'chess': the games are davenport, ecard"
    ) as refused:
        registry.get("chess")
    assert (refused.value.code, refused.value.text) == ("unknown_game", "chess")


def test_an_unknown_game_of_a_very_long_name_is_not_repeated() -> None:
    with pytest.raises(UnknownGame) as refused:
        registry.get("x" * 1_000_000)
    assert len(str(refused.value)) < 300


def test_a_game_of_another_package_is_found_by_its_entry_point(package_path: pytest.MonkeyPatch) -> None:
    package_path.syspath_prepend(str(THIRD_GAME))
    assert "goofspiel" in registry.names()
    assert str(registry.get("goofspiel").meta.title) == "Goofspiel"
    assert "**G1**" in registry.page("goofspiel")
    assert registry.part("goofspiel", "text") is None


def test_our_own_folder_wins_over_an_entry_point_of_the_same_name(
    package_path: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(tmp_path, "ecard", "impostor")
    package_path.syspath_prepend(str(tmp_path))
    assert registry.packages()["ecard"] == "facedown.games.ecard"
    assert str(registry.get("ecard").meta.title) == "E-Card"


def test_a_game_without_a_page_or_parts_has_none(package_path: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(tmp_path, "bare", "bare_game")
    (tmp_path / "bare_game" / "game.py").write_text(game_called("bare"))
    package_path.syspath_prepend(str(tmp_path))
    assert registry.page("bare") == ""
    assert registry.part("bare", "bots") is None


def test_a_part_that_is_broken_is_not_taken_for_a_missing_one(
    package_path: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(tmp_path, "broken", "broken_game")
    (tmp_path / "broken_game" / "game.py").write_text(game_called("broken"))
    (tmp_path / "broken_game" / "text.py").write_text("import no_such_module\n")
    package_path.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        registry.part("broken", "text")


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemError('on purpose')\n", "SystemError: on purpose"),
        ("GAME = object()\n", "AttributeError: 'object' object has no attribute 'name'"),
        (game_called("another"), "TypeError: it calls itself 'another'"),
        (
            game_called("bad") + "Renamed.version = '1'\n",
            "TypeError: its `version` is no whole number from 1",
        ),
        (game_called("bad") + "Renamed.setup = None\n", "TypeError: it has no setup"),
    ],
    ids=["import", "raises", "no game", "name", "version", "method"],
)
def test_a_broken_game_is_left_out_with_a_warning_about_its_package(
    package_path: pytest.MonkeyPatch, tmp_path: Path, module: str, why: str
) -> None:
    install(tmp_path, "bad", "bad_game")
    (tmp_path / "bad_game" / "game.py").write_text(module)
    package_path.syspath_prepend(str(tmp_path))
    say = f"leaving out the game 'bad' of the package bad_game 1.0: {why}"

    with pytest.warns(registry.LeftOut) as warned:
        names = registry.names()
    assert "bad" not in names
    assert {"davenport", "ecard"} <= set(names)
    assert [str(each.message) for each in warned] == [say]
    with pytest.raises(UnknownGame) as refused:
        registry.get("bad")
    assert refused.value.message == say
