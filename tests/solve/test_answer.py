"""What is answered about a rule set: by the game's own solver, or by laying the game out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from facedown.core import registry
from facedown.core.errors import UnreadablePosition, Unsupported
from facedown.core.parts.solver import Solver, read_position
from facedown.core.rules import Number, Numbers, Switch
from facedown.solve import answer as solve_answer
from facedown.solve.answer import LaidOut, answer, laid_out
from tests.solve.poker import Leduc, PokerRules
from tests.third_game.goofspiel import solve as goofspiel_solve
from tests.third_game.goofspiel.game import GAME
from tests.third_game.goofspiel.rules import GoofspielRules

RISING = GoofspielRules.of("goofspiel", cards=3, order="rising")
DECLARED = cast(
    Solver,
    SimpleNamespace(
        positions=(
            Number("move", "Move", "Which one.", "X1", 1, 9),
            Numbers("piles", "Piles", "What lies where.", "X2", 2, 4),
            Switch("late", "Late", "Whether it is.", "X3"),
        ),
        optional=("late",),
    ),
)


Installs = Callable[[str], None]


@pytest.fixture
def installed_as(monkeypatch: pytest.MonkeyPatch) -> Installs:
    """Has the third game found in the folder of that package."""

    def install(package: str) -> None:
        found = {**registry.packages(), GAME.name: package}
        monkeypatch.setattr(registry, "packages", lambda: found)

    return install


# --- positions -------------------------------------------------------------------------------------------


def test_a_position_is_read_like_rules_in_any_order() -> None:
    assert read_position(DECLARED, "piles=3:0:5, late=on,move=2") == {
        "piles": (3, 0, 5),
        "late": True,
        "move": 2,
    }


def test_optional_parts_are_left_out_of_a_position() -> None:
    assert read_position(DECLARED, "move=1,piles=0:0") == {"move": 1, "piles": (0, 0)}


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", 2),
        ("move=1", 1),
        ("move=0,piles=1:2", 1),
        ("move=1,piles=1", 1),
        ("move=1,piles=1:2:3:4:5", 1),
        ("move=1,piles=1:x", 1),
        ("move=1,piles=1:-2", 1),
        ("move=1,piles=1:2,late=perhaps", 1),
        ("move=1,move=2,piles=1:2", 1),
        ("move=x,colour=red,nonsense", 4),
        ("piles=" + "9:" * 200, 1),
    ],
)
def test_all_problems_of_a_position_are_reported_at_once(text: str, problems: int) -> None:
    with pytest.raises(UnreadablePosition) as refused:
        read_position(DECLARED, text)

    assert len(refused.value.problems) == problems


# --- the choice of a solver ------------------------------------------------------------------------------


def test_a_game_without_a_solver_is_laid_out(installed_as: Installs) -> None:
    installed_as("tests.leaky")  # a folder that has no `solve`

    found = answer(GAME, RISING)

    assert isinstance(found, LaidOut)
    assert found.as_json()["value"] == pytest.approx(0, abs=1e-9)


def test_a_game_without_a_solver_has_no_positions(installed_as: Installs) -> None:
    installed_as("tests.leaky")

    with pytest.raises(Unsupported, match="solved as a whole only"):
        answer(GAME, RISING, "one=1,two=1,prizes=1")


def test_a_games_own_solver_answers_about_a_position(installed_as: Installs) -> None:
    installed_as("tests.third_game.goofspiel")

    facts = answer(GAME, RISING, "one=2:3,two=1:3,prizes=2:3").as_json()

    assert facts["value"] == pytest.approx(1)
    assert facts["favoured"] == {"seat": 1}
    assert answer(GAME, RISING).as_json()["favoured"] is None


def test_a_solver_without_positions_solves_the_whole_only(
    installed_as: Installs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_whole").mkdir()
    (tmp_path / "only_whole" / "solve.py").write_text(
        "from tests.third_game.goofspiel.solve import answer\npositions = optional = ()\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    installed_as("only_whole")

    assert answer(GAME, RISING).as_json()["value"] == pytest.approx(0, abs=1e-9)
    with pytest.raises(Unsupported, match="solved as a whole only"):
        answer(GAME, RISING, "")


# --- a game laid out -------------------------------------------------------------------------------------


def test_the_facts_of_a_game_laid_out() -> None:
    facts = laid_out(GAME, RISING).as_json()

    assert facts["exploitability"] == pytest.approx(0, abs=1e-9)
    assert facts["favoured"] is None
    opening: Any = facts["opening"]
    assert [each["seat"] for each in opening] == [1, 2]
    assert all(sum(each["mix"].values()) == pytest.approx(1) for each in opening)


def test_the_words_of_a_game_laid_out_in_two_languages() -> None:
    found = laid_out(GAME, RISING)
    english, japanese = found.words(), found.words("ja")

    assert any("Neither seat is favoured" in line for line in english)
    assert len(japanese) == len(english)
    assert not any("favoured" in line for line in japanese)


def test_a_seat_that_gains_is_favoured() -> None:
    found = answer_at("one=1:3,two=2:3,prizes=2:3")

    assert found.favoured == 2
    assert any(line.startswith("Seat 2 is favoured") for line in found.words())


def answer_at(position: str) -> LaidOut:
    found = goofspiel_solve.answer(RISING, read_position(cast(Solver, goofspiel_solve), position))
    assert isinstance(found, LaidOut)
    return found


def test_openings_that_depend_on_the_deal_are_left_out() -> None:
    assert laid_out(GAME, GoofspielRules.of("goofspiel", cards=2)).openings() == []


def test_without_scipy_only_large_parts_need_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_answer, "find_spec", lambda name: None)

    assert laid_out(GAME, RISING).value == pytest.approx(0, abs=1e-12)
    with pytest.raises(Unsupported, match="the extra `solve`"):
        laid_out(Leduc(), PokerRules.of())
