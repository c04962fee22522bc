"""The counts on a review's page: each is what a plain count of the record gives, whatever the game."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

import pytest

from facedown.bots.find import bots_of
from facedown.core.chance import Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import CARD_NAMES, CITIZEN
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.solve.solution import solve
from facedown.games.ecard.state import ECardState
from facedown.review.reports import plain_text
from facedown.review.review import review
from tests.games.ecard import naive
from tests.games.ecard.review.test_being_read import Planted

GAMES = 12 if os.environ.get("THOROUGH") else 2
RULES = (
    "classic",
    "short",
    "victories(plays=2,tie=extra,rounds=6)",
    "decisive",
    "purse(purse=9,max_stake=3)",
)
NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
EVEN = 1e-9


class Card(NamedTuple):
    """A card of the seat in a record: where it came, and whether the round was one to be unreadable in."""

    round: int
    play: int
    side: str
    special: bool
    matters: bool


def cards_of(record: Record, seat: int) -> list[Card]:
    return [
        Card(
            turn.before.round,
            turn.before.play,
            "Emperor" if turn.before.emperor == seat else "Slave",
            turn.joint[seat - 1] != CITIZEN,
            matters(turn.before),
        )
        for turn in turns(record, start(record))
        if turn.joint[seat - 1] in CARD_NAMES
    ]


def matters(state: ECardState) -> bool:
    """Whether the Emperor side's win is the best end of the round for one seat, the worst for the other."""
    one, two = state.score if naive.first_seat(state) == 1 else state.score[::-1]
    last = min(state.last_play, DECIDED - 1)
    moment = solve(state.rules).at(state.round, (one, two), last, state.stake)
    won = float(moment.if_emperor)
    others = [float(moment.if_slave), float(moment.if_drawn)]
    return won > max(others) + EVEN or won < min(others) - EVEN


def play(rules: str, ours: AnyBot, theirs: str, number: int) -> Record:
    key = deal_key(seed_of("counts"), f"{rules} {theirs} {number}")
    match = Match(GAME, ECardRules.read(rules), ("Ann", "Bo"), Seeded(key))
    seats = {1: (ours, bot_stream(key, 1)), 2: (bots_of("ecard")[theirs](), bot_stream(key, 2))}
    while match.outcome is None:
        joint = [
            bot.pick(match.view(seat), legal, stream) if (legal := match.legal(seat)) else None
            for seat, (bot, stream) in seats.items()
        ]
        match.decide(tuple(joint))
    return match.record()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("ours", ["never", "planted", "habit", "random"])
def test_every_count_is_that_of_the_record(ours: str, rules: str) -> None:
    for number in range(GAMES):
        player = {"never": Planted(0), "planted": Planted(2)}.get(ours) or bots_of("ecard")[ours]()
        record = play(rules, player, ("reader", "habit")[number % 2], number)
        page = " ".join(plain_text(review(record, 1)).split())
        cards = cards_of(record, 1)
        rounds, live = ({each.round for each in part} for part in (cards, [c for c in cards if c.matters]))

        assert f"{len(rounds)} rounds, {len(record.picks)} decisions." in page
        timing_is_that_of(cards, page)
        pattern_is_that_of(cards, page)
        if idle := re.search(r"In (\w+) of the rounds being readable did not matter", page):
            assert (1 if idle[1] == "one" else int(idle[1])) == len(rounds - live)
        else:
            assert rounds == live
        free = [each for each in cards if each.matters and each.play < DECIDED]
        for count in re.findall(r"(?:mattered for|chance with) (\d+) cards?", page):
            assert int(count) == len(free)
        for count in re.findall(r"of the (\d+) rounds? where being readable mattered \(95", page):
            assert int(count) == len(live)
        for few, of in re.findall(r"Being readable mattered in (\d+) of (\d+) rounds", page):
            assert (int(few), int(of)) == (len(live), len(rounds))
        for few in re.findall(r"\. (\d+) rounds say little", page):
            assert int(few) == len(live) == len(rounds)


def timing_is_that_of(cards: list[Card], page: str) -> None:
    special = [each.play for each in cards if each.special]
    shown = {int(label): int(count) for label, count in re.findall(r"play (\d): (\d+); equilibrium", page)}
    note = re.search(r"It came in (\d+) of (\d+) rounds?\.", page)

    assert shown == {number: special.count(number) for number in shown}
    assert sum(shown.values()) == len(special)
    assert note is not None
    assert (int(note[1]), int(note[2])) == (len(special), len({each.round for each in cards}))


def pattern_is_that_of(cards: list[Card], page: str) -> None:
    found = re.search(
        r"The (Emperor|Slave|special card) "
        r"(at the (\w+) play|kept back|before the last play|played by choice) "
        r"in (\d+) of (\d+) rounds?( on the (\w+) side)?( that came to a (\w+) play)?( where being read)?",
        page,
    )
    if found is None:
        return
    counted = [each for each in cards if found[1] in ("special card", each.side) and each.play < DECIDED]
    assert found[7] in (None, found[1])
    assert found[9] in (None, found[3])
    if found[10]:
        counted = [each for each in counted if each.matters]
    if found[3]:
        counted = [each for each in counted if each.play == NUMBERS[found[3]]]
    rounds = {each.round for each in counted}
    came = sum(each.special for each in counted)
    done = len(rounds) - came if found[2] == "kept back" else came
    assert (int(found[4]), int(found[5])) == (done, len(rounds))
    for numbers in re.findall(r"interval: (\d+) to (\d+) % of the time; unreadable play: (\d+) %", page):
        low, high, usual = map(int, numbers)
        assert not low < usual < high, "unreadable play would do it as often"
    if not (found[6] or found[8] or found[10]):
        assert len(rounds) == len({each.round for each in cards}), "no rounds are left out without a word"
