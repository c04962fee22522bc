"""The model of how people pick: fitted to games of a machine with habits, it foretells others of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.games.ecard.bots.people import ASSUMED
from facedown.games.ecard.bots.plain import Equilibrium, Habit
from scripts.people import (
    SeatGame,
    by_chance,
    by_model,
    by_reader,
    fit,
    log_loss,
    measure,
    seat_game,
    seat_games,
)
from tests.games.ecard.bot_games import play

SAMPLE = Path(__file__).parents[3] / "examples" / "sample-games.jsonl"


def habit_games(count: int, seed: str) -> list[SeatGame]:
    return [
        seat_game(play("classic", {1: Equilibrium(), 2: Habit()}, f"{seed} {number}").view(1))
        for number in range(count)
    ]


def test_the_model_foretells_its_own_kind_and_is_found_again() -> None:
    learnt, held = habit_games(30, "learnt"), habit_games(20, "held")
    fitted = fit(learnt)

    assumed, found, alike, reader = (
        log_loss(each, held)[0] for each in (by_model(ASSUMED), by_model(fitted), by_chance, by_reader())
    )

    assert assumed <= found * 1.02
    assert found < reader
    assert found < alike
    assert log_loss(by_reader(fitted), held)[0] < reader


def test_the_assumed_model_foretells_machines_without_its_habits_worse_than_reader_does() -> None:
    """The reason why `reader` does not begin with it."""
    games = [seat for pair in seat_games(str(SAMPLE)) for seat in pair]

    assert log_loss(by_reader(ASSUMED), games)[0] > 1.1 * log_loss(by_reader(), games)[0]


def test_games_are_foretold_by_others_that_were_not_fitted_to() -> None:
    games = list(seat_games(str(SAMPLE)))

    found = measure(games)

    assert found["choices"] == 964
    assert found["bits"]["the model, fitted"] == pytest.approx(0.906, abs=0.001)
    assert found["bits"]["reader"] == pytest.approx(0.909, abs=0.001)
