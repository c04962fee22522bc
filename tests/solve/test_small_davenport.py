"""Davenport with a few cards, solved exactly: a check of the solver, and of the bots."""

from __future__ import annotations

import pytest

from facedown.bots.find import bots_of
from facedown.solve.best_response import best_response, exploitability, uniform, value
from tests.few import few
from tests.solve.small_davenport import THREE_RANKS, Small, of_seat, policy, solve_small

ONE_LEFT = Small("4H 7D KC", 1, "davenport")
ONE_CARD = Small("2H 4H 7D 7C TC KC", 1, "davenport")
ONE_CARD_ACES = Small("AS 4H 7D 7C QC KC", 1, "aces")
NO_EXCHANGE = Small("2C 4H 7D 7C TC KC", 2, "davenport(exchange=off)")
NO_STOCK = Small("4H 7D 7C KC", 2, "davenport")
SMALL = [ONE_LEFT, ONE_CARD, ONE_CARD_ACES, NO_EXCHANGE, NO_STOCK]
OF_SMALL = pytest.mark.parametrize("small", SMALL, ids=lambda small: f"{small.rules} {small.deck}")
OF_BOTS = pytest.mark.parametrize("name", few(bots_of("davenport"), 2))


# --- the solution ----------------------------------------------------------------------------------------


@OF_SMALL
def test_nothing_is_to_be_gained_on_the_equilibrium(small: Small) -> None:
    found = solve_small(small)

    assert value(found.tree.root, found.equilibrium) == pytest.approx(found.value, abs=1e-9)
    assert exploitability(found.tree, found.equilibrium) == pytest.approx(0, abs=1e-9)
    assert exploitability(found.tree, uniform(found.tree)) > 0.03


@pytest.mark.parametrize("small", [ONE_CARD, ONE_CARD_ACES, NO_EXCHANGE], ids=str)
def test_the_seats_are_alike_while_there_is_a_stock(small: Small) -> None:
    assert solve_small(small).value == pytest.approx(0, abs=1e-9)


def test_D5_with_a_stock_of_one_the_seat_that_exchanges_first_has_the_advantage() -> None:
    """Seat 1 gets the last card; an exchange of seat 2 can bring only what was just thrown away."""
    assert solve_small(ONE_LEFT).value == pytest.approx(1 / 3, abs=1e-9)


# --- the bots --------------------------------------------------------------------------------------------


@OF_BOTS
@OF_SMALL
def test_no_bot_beats_the_equilibrium(small: Small, name: str) -> None:
    found, bot = solve_small(small), policy(small, bots_of("davenport")[name])

    as_one = value(found.tree.root, of_seat(bot, 1) | of_seat(found.equilibrium, 2))
    as_two = value(found.tree.root, of_seat(found.equilibrium, 1) | of_seat(bot, 2))

    assert as_one <= found.value + 1e-9
    assert as_two >= found.value - 1e-9
    assert best_response(found.tree, 1, bot)[0] >= as_two - 1e-9
    assert best_response(found.tree, 2, bot)[0] >= -as_one - 1e-9


@pytest.mark.parametrize("small", [ONE_LEFT, ONE_CARD], ids=str)
def test_with_one_card_each_careful_plays_the_equilibrium(small: Small) -> None:
    """Play a card that is good enough, exchange another: there is nothing to gain on that."""
    careful = policy(small, bots_of("davenport")["careful"])

    assert exploitability(solve_small(small).tree, careful) == pytest.approx(0)


@pytest.mark.parametrize(("name", "off"), [("random", 0.267), ("careful", 0.067), ("expert", 0)])
def test_with_three_ranks_of_two_exploitability_matches_the_documented_table(name: str, off: float) -> None:
    """The table in lab/docs/expert.md."""
    found, mixes = solve_small(THREE_RANKS), policy(THREE_RANKS, bots_of("davenport")[name])
    wide = {"random": 0.06, "expert": 0.02}.get(name, 0.001)  # bots that draw lots are sampled

    assert found.value == pytest.approx(0, abs=1e-9)
    assert exploitability(found.tree, mixes) == pytest.approx(off, abs=wide)
