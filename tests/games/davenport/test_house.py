"""The house of Davenport: each character does what its tell says, and plays as `careful` everywhere else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bench.house import measure
from facedown.bots.house import OFFERED, house_of, offered_tells
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.game import Pick
from facedown.core.match import Match
from facedown.core.parts.house import TALK
from facedown.games.davenport.bots.careful import Careful
from facedown.games.davenport.bots.expert import Steady
from facedown.games.davenport.bots.house import (
    CHARACTERS,
    TELLING,
    Ash,
    Bee,
    Character,
    Hale,
    Idris,
    Jorun,
    Lien,
    Piet,
    Sabine,
)
from facedown.games.davenport.game import GAME
from facedown.games.davenport.notation import card_of, is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.view import PLAYOFF, DavenportRound, DavenportView

EVERY = pytest.mark.parametrize("character", TELLING, ids=lambda each: each.name)


def has_tell(character: type[Character], view: DavenportView) -> bool:
    """Whether the tell, as its sentence has it, says what to do here; from the rules of the tell alone."""
    rounds = [each for each in view.history if isinstance(each, DavenportRound)]
    lost = bool(rounds) and view.viewer not in rounds[-1].winners
    kings = [card for card in view.hand if card.value == 13]
    return {
        Jorun: True,
        Bee: all(view.viewer not in each.winners for each in rounds),
        Sabine: bool(rounds) and not lost,
        Piet: 0 < len(kings) < len(view.hand),
        Hale: len(view.hand) >= 5,
        Lien: lost,
        Idris: (len(rounds) + 1) % 3 == 0,
    }[character] and view.phase != PLAYOFF


def does_tell(character: type[Character], view: DavenportView, pick: Pick) -> bool:
    """Whether a pick is what the tell says."""
    values = sorted(card.value for card in view.hand)
    value, exchanges = card_of(pick).value, is_exchange(pick)
    if character is Piet:
        return value != 13 and not exchanges
    if character in (Lien, Idris):
        return exchanges and value == values[0]
    wanted = {Jorun: values[-1], Hale: values[len(values) // 2]}.get(character, values[0])
    return value == wanted and not exchanges


def look_on(character: type[Character], games: int, seats: int = 3) -> Counter[str]:
    """Play games and compare every pick of the character with its tell, and with `careful`."""
    seen: Counter[str] = Counter()
    for number in range(games):
        key = deal_key(seed_of(f"watching {character.name}"), str(number))
        names = tuple("ABC"[:seats])
        match: Match[Any, Any, Any] = Match(GAME, DavenportRules.read("davenport"), names, Seeded(key))
        bots = [character(), *(Careful() for _ in range(seats - 1))]
        plain, streams = Careful(), [Stream(key, f"bot/{seat}") for seat in range(1, seats + 1)]
        while match.pending:
            picks: list[Pick | None] = [None] * seats
            for seat in match.pending[0]:
                view, legal = match.view(seat), match.legal(seat)
                picks[seat - 1] = bots[seat - 1].pick(view, legal, streams[seat - 1])
            if 1 in match.pending[0]:
                view, pick = match.view(1), picks[0]
                assert pick is not None
                if has_tell(character, view):
                    seen["told"] += 1
                    assert does_tell(character, view, pick)
                else:
                    seen["usual"] += 1
                    assert pick == plain.pick(view, match.legal(1), streams[0])
            match.decide(tuple(picks))
    return seen


@EVERY
def test_a_character_does_what_its_tell_says_and_nothing_else(character: type[Character]) -> None:
    seen = look_on(character, 12)
    assert seen["told"] > 10
    assert seen["usual"] > 10 or character is Jorun


def test_without_the_exchange_no_tell_makes_an_illegal_pick() -> None:
    rules = DavenportRules.read("davenport(exchange=off)")
    key = deal_key(seed_of("no exchange"), "1")
    match: Match[Any, Any, Any] = Match(GAME, rules, ("A", "B"), Seeded(key))
    lien, idris, stream = Lien(), Idris(), Stream(key, "bot/1")
    while match.pending:
        picks = [
            bot.pick(match.view(seat), match.legal(seat), stream) if seat in match.pending[0] else None
            for seat, bot in ((1, lien), (2, idris))
        ]
        match.decide(tuple(picks))
    assert match.outcome is not None


def test_the_last_one_plays_as_steady_and_has_no_tell() -> None:
    key = deal_key(seed_of("ash"), "1")
    match: Match[Any, Any, Any] = Match(GAME, DavenportRules.read("davenport"), ("A", "B"), Seeded(key))
    view, legal = match.view(1), match.legal(1)
    streams = [Stream(key, "same") for _ in range(2)]
    picked = [
        [bot.pick(view, legal, stream) for _ in range(8)]
        for bot, stream in zip((Ash(), Steady()), streams, strict=True)
    ]
    assert picked[0] == picked[1]
    assert [each.bot.name for each in house_of("davenport") if each.tell is None] == ["ash"]


def test_the_house_goes_from_the_easiest_to_the_hardest_and_says_how_sure_that_is() -> None:
    house = house_of("davenport")
    assert [each.bot for each in house] == list(CHARACTERS)
    assert [each.price for each in house] == sorted((each.price for each in house), reverse=True)
    assert all(0 < each.error <= 0.01 for each in house)


def test_a_guess_chooses_from_four_tells_and_everyone_has_something_to_say() -> None:
    for each in house_of("davenport"):
        offered = offered_tells("davenport", each.bot.name)
        assert len(set(offered)) == (OFFERED if each.tell else 0)
        assert each.tell is None or each.tell in offered
        assert set(each.talk) == set(TALK)


def test_a_reader_that_knows_the_tell_wins_most_games() -> None:
    """The measurement itself, with few games: 40 of them cannot hide what is worth 38 points."""
    assert measure("jorun", 40, jobs=1)["price"] > 0.6
