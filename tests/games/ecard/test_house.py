"""The house of E-Card: each character does what its tell says, and the price of a tell is what it costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from facedown.bots.house import OFFERED, house_of, offered_tells, resident
from facedown.core.chance import Scripted
from facedown.core.game import Joint
from facedown.core.match import Match
from facedown.games.ecard.bots.house import CHARACTERS, Anselm, Character, Corvin, Mara, Notary, Odile, Pip
from facedown.games.ecard.bots.price import Reading, price
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.best_response import Habitual, best_response
from facedown.games.ecard.solve.solution import solve

SHORT = ECardRules.read("short")
THREE = "short(rounds=3,group=3)"
"""Few enough plays to go through all of them, and a side that is played more than once."""
EVERY = pytest.mark.parametrize("character", CHARACTERS, ids=lambda each: each.name)


@EVERY
def test_the_price_that_is_shown_is_the_one_that_is_computed(character: type[Character]) -> None:
    assert price(SHORT, character) == pytest.approx(character.price, abs=5e-7)


def test_the_house_goes_from_the_easiest_to_the_one_without_a_tell() -> None:
    prices = [each.price for each in CHARACTERS]
    assert prices == sorted(prices, reverse=True)
    assert [each.name for each in CHARACTERS if each.tell is None] == ["notary"]
    assert price(SHORT, Notary) == pytest.approx(0.5, abs=1e-12)


def answer(character: type[Character], first: bool, picks: tuple[Joint, ...] = ()) -> float:
    """The best answer by trying everything, with the character itself at a real table."""
    match = Match(GAME, ECardRules.read(THREE), ("One", "Two"), Scripted(()))
    for each in picks:
        match.decide(each)
    reader = 1 if first else 2
    if match.outcome is not None:
        winner = match.outcome.winner
        return 0.5 if winner is None else float(winner == reader)
    view, legal = match.view(3 - reader), match.legal(3 - reader)
    found = []
    for mine in match.legal(reader):
        value = 0.0
        for theirs, chance in character().mix(view, legal).items():
            joint = (mine, theirs) if first else (theirs, mine)
            value += chance * answer(character, first, (*picks, joint)) if chance else 0.0
        found.append(value)
    return max(found)


@pytest.mark.parametrize("first", [True, False])
@EVERY
def test_the_price_is_what_the_best_answer_at_a_table_gets(character: type[Character], first: bool) -> None:
    computed = Reading(ECardRules.read(THREE), character, first).value
    assert computed == pytest.approx(answer(character, first), abs=1e-9)


@pytest.mark.parametrize(
    ("character", "habit"),
    [
        (Pip, {(EMPEROR, 0): Fraction(1, 2), (SLAVE, 0): Fraction(1, 2)}),
        (Anselm, {(EMPEROR, 2): Fraction(3, 5), (SLAVE, 2): Fraction(3, 5)}),
        (Mara, {(EMPEROR, 0): Fraction(0)}),
    ],
)
def test_the_solver_prices_a_tell_that_minds_no_past_alike(
    character: type[Character], habit: dict[tuple[str, int], Fraction]
) -> None:
    behaviour = Habitual(solve(SHORT), habit)
    by_solver = sum(best_response(SHORT, behaviour, seat) for seat in ("first", "other")) / 2
    assert price(SHORT, character) == pytest.approx(by_solver, abs=1e-9)


def test_a_tell_is_there_only_where_it_says() -> None:
    """In the first play of a game no seat has lost, and no seat is ahead."""
    match = Match(GAME, SHORT, ("One", "Two"), Scripted(()))
    view, legal = match.view(1), match.legal(1)
    usual = Notary().mix(view, legal)
    assert Odile().mix(view, legal) == Corvin().mix(view, legal) == usual
    assert Mara().mix(view, legal)["E"] == 0.0
    assert Pip().mix(view, legal)["E"] == 0.5
    match.decide(("C", "S"))  # the Emperor side wins: seat 1 is ahead, and seat 2 has lost
    assert Corvin().mix(match.view(1), match.legal(1))["E"] == 0.0
    assert Odile().mix(match.view(2), match.legal(2))["S"] == 0.6


def test_a_guess_chooses_from_four_tells_and_the_true_one_is_among_them() -> None:
    for each in house_of("ecard"):
        offered = offered_tells("ecard", each.bot.name)
        assert len(set(offered)) == (OFFERED if each.tell else 0)
        assert each.tell is None or each.tell in offered
    places = [
        offered_tells("ecard", each.bot.name).index(each.tell) for each in house_of("ecard") if each.tell
    ]
    assert len(set(places)) > 1, "the place gives nothing away"
    assert resident("ecard", "mara").bot is Mara
