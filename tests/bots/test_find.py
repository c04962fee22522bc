"""Finding bots by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from facedown.bots import find
from facedown.bots.find import BotNeedsExtra, UnknownBot, bots_missing, bots_of, find_bot
from facedown.core import registry


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_an_unknown_name_is_refused(game: str) -> None:
    assert "master" not in bots_of(game)
    with pytest.raises(UnknownBot, match=r"no bot 'master'"):
        find_bot(game, "master")


def test_an_error_names_the_extra_that_a_bot_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NumPy there is no `expert`: the error has a code of its own and names the extra."""
    part: Any = registry.part("davenport", "bots")
    monkeypatch.setattr(part, "BOTS", tuple(bot for bot in part.BOTS if bot.name != "expert"))

    assert bots_missing("davenport") == {"expert": "expert"}
    with pytest.raises(BotNeedsExtra) as error:
        find_bot("davenport", "expert")
    assert (error.value.code, error.value.missing) == ("bot_needs_extra", "expert")
    assert str(error.value) == "expert needs the extra `expert`"


def test_no_bot_is_missing_when_every_extra_is_installed() -> None:
    assert bots_missing("davenport") == bots_missing("ecard") == {}


# --- bots of other packages ------------------------------------------------------------------------------

GOOD = (
    "from facedown.bots.uniform import Uniform\nclass Good(Uniform):\n    name = 'good'\n    says = 'Good.'\n"
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder of installed packages."""
    modules = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.forget()
    find.forget()
    yield tmp_path
    monkeypatch.undo()
    registry.forget()
    find.forget()
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def install(folder: Path, module: str, text: str, points: str) -> None:
    """A package of one module, with these entry points."""
    about = folder / f"{module}-2.5.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 2.5\n")
    (about / "entry_points.txt").write_text(points)
    (folder / f"{module}.py").write_text(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("", "AttributeError: module 'bad_bots' has no attribute 'Bad'"),
        ("Bad = 7\n", "TypeError: it is no class with a `pick`"),
        (
            "class Bad:\n    pick = len\n",
            "TypeError: it has no `name`, or no sentence that it `says` about itself",
        ),
    ],
    ids=["import", "missing", "no class", "no name"],
)
def test_a_broken_bot_is_left_out_with_a_warning_and_the_others_play(
    folder: Path, text: str, why: str
) -> None:
    install(folder, "good_bots", GOOD, "[facedown.bots]\ngood = good_bots:Good\n")
    install(folder, "bad_bots", text, "[facedown.bots]\nbad = bad_bots:Bad\n")

    with pytest.warns(registry.LeftOut) as warned:
        bots = bots_of("ecard")
    assert list(bots)[-2:] == ["good", "uniform"]
    assert "good" in bots_of("davenport"), "and there is no second warning"
    assert [str(each.message) for each in warned] == [
        f"leaving out the bot 'bad' of the package bad_bots 2.5: {why}"
    ]


def test_a_game_whose_bots_cannot_be_imported_still_has_the_uniform_bot(folder: Path) -> None:
    game = "from facedown.games.ecard.game import ECard\nclass Odd(ECard):\n    name = 'odd'\nGAME = Odd()\n"
    install(folder, "odd", "", "[facedown.games]\nodd = odd_game\n")
    (folder / "odd_game").mkdir()
    for name, text in (("__init__", ""), ("game", game), ("bots", "import no_such_module\n")):
        (folder / "odd_game" / f"{name}.py").write_text(text)

    with pytest.warns(registry.LeftOut) as warned:
        bots = bots_of("odd")
    assert list(bots) == ["uniform"]
    assert [str(each.message) for each in warned] == [
        "leaving out the bots of the game 'odd' of the package odd 2.5: "
        "ModuleNotFoundError: No module named 'no_such_module'"
    ]


def test_a_class_is_found_in_the_current_folder(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path_factory.mktemp("here")
    (here / "my_bot_of_here.py").write_text(GOOD)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(UnknownBot, match="No module named 'my_bot_of_here'"):
        find_bot("ecard", "my_bot_of_here:Good")

    monkeypatch.chdir(here)

    assert find_bot("ecard", "my_bot_of_here:Good").name == "good"
