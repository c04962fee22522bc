"""Davenport with a few cards, solved exactly: a check of the solver, and of the bots."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from facedown.bots.find import bots_of
from facedown.core.chance import Stream, seed_of
from facedown.core.parts.bot import AnyBot
from facedown.games.davenport.rules import DavenportRules
from facedown.solve.best_response import Mix, Strategy, best_response, exploitability, uniform, value
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import Situation, Tree, lay_out
from tests.few import few
from tests.solve.small_davenport import SmallDavenport

STREAMS = 40
SURE = 4
"""Picks sampled from a bot at one position; if all are the same, that is its pure strategy."""


class Small(NamedTuple):
    """A deck, the cards for each seat, and the rules."""

    deck: str
    each: int
    rules: str


ONE_LEFT = Small("4H 7D KC", 1, "davenport")
ONE_CARD = Small("2H 4H 7D 7C TC KC", 1, "davenport")
ONE_CARD_ACES = Small("AS 4H 7D 7C QC KC", 1, "aces")
NO_EXCHANGE = Small("2C 4H 7D 7C TC KC", 2, "davenport(exchange=off)")
NO_STOCK = Small("4H 7D 7C KC", 2, "davenport")
THREE_RANKS = Small("4H 4D 9C 9D KC KD", 1, "davenport")
SMALL = [ONE_LEFT, ONE_CARD, ONE_CARD_ACES, NO_EXCHANGE, NO_STOCK]
OF_SMALL = pytest.mark.parametrize("small", SMALL, ids=lambda small: f"{small.rules} {small.deck}")
OF_BOTS = pytest.mark.parametrize("name", few(bots_of("davenport"), 2))


class Solved(NamedTuple):
    tree: Tree
    value: float
    equilibrium: dict[Situation, Mix]


@cache
def solve_small(small: Small) -> Solved:
    game = SmallDavenport(small.deck, small.each)
    tree = lay_out(game, DavenportRules.read(small.rules))
    return Solved(tree, *solve_sequence_form(tree))


def of_seat(strategy: Strategy, seat: int) -> dict[Situation, Mix]:
    return {situation: mix for situation, mix in strategy.items() if situation.seat == seat}


@cache
def policy(small: Small, bot: type[AnyBot]) -> dict[Situation, Mix]:
    """What a bot does in every situation, asked with many streams."""
    return {situation: _mix(situation, bot) for situation in solve_small(small).tree.situations}


def _mix(situation: Situation, bot: type[AnyBot]) -> Mix:
    picks: Counter[str] = Counter()
    for number in range(STREAMS):
        if number == SURE and len(picks) == 1:
            break
        stream = Stream(seed_of(str(number)), f"bot/{situation.seat}")
        picks[bot(None).pick(situation.view, situation.legal, stream)] += 1
    assert set(picks) <= set(situation.legal), "a bot keeps to the legal picks"
    return [picks[pick] / picks.total() for pick in situation.legal]


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


@pytest.mark.parametrize("small", [ONE_CARD, ONE_CARD_ACES, NO_STOCK], ids=str)
def test_careful_gives_the_equilibrium_less_than_the_simple_bots_do(small: Small) -> None:
    careful, *simple = (
        _loss(small, bots_of("davenport")[name]) for name in ("careful", "random", "highest", "lowest")
    )

    assert all(careful < lost for lost in simple)


def _loss(small: Small, bot: type[AnyBot]) -> float:
    """What it loses to the equilibrium on both seats, together."""
    found, mixes = solve_small(small), policy(small, bot)
    as_one = value(found.tree.root, of_seat(mixes, 1) | of_seat(found.equilibrium, 2))
    as_two = value(found.tree.root, of_seat(found.equilibrium, 1) | of_seat(mixes, 2))
    return as_two - as_one
