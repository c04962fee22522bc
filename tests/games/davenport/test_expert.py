"""The machines `expert` and `steady`: they keep to the rules, and what they draw follows from the deal."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from itertools import combinations, product

import pytest

from facedown.core import registry
from facedown.core.cards import SUITS, Card
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.match import Match
from facedown.games.davenport.bots.expert import Expert, NetworkBot, Steady, lot_of

BOTH = pytest.mark.parametrize("machine", [Expert, Steady], ids=lambda each: each.name)


@BOTH
def test_it_plays_whole_games_of_every_kind_each_by_one_network(machine: type[NetworkBot]) -> None:
    """Made again for each pick, as at a server: what it draws for a game follows from its view alone."""
    game = registry.get("davenport")
    kinds = (("davenport", 2), ("pointed", 5), ("aces(exchange=off)", 7), ("aces", 3), ("aces", 2))
    for rules, seats in kinds:
        match = Match(game, game.rules.read(rules), "abcdefg"[:seats], Seeded(deal_key(seed_of("x"), rules)))
        stream = Stream(seed_of("bot"), "bot")
        played: list[set[str]] = [set() for _ in range(seats)]
        while waves := match.pending:
            for seat in (seat for wave in waves for seat in wave):
                played[seat - 1].add(machine.network_of(match.view(seat)))
                match.seal(seat, machine().pick(match.view(seat), match.legal(seat), stream))
        assert match.outcome is not None
        assert [len(each) for each in played] == [1] * seats


def test_expert_plays_by_other_weights_at_two_seats() -> None:
    assert Expert.networks(2, ace=False) == ("expert-two",)
    assert {Expert.networks(seats, ace=ace) for seats in range(3, 8) for ace in (False, True)} == {
        ("expert",)
    }


def test_with_ace_rules_at_two_seats_every_fourth_game_is_steady() -> None:
    """What knowing it gains is then at most three parts of the one gain and one part of the other."""
    assert Expert.networks(2, ace=True).count("steady") / len(Expert.networks(2, ace=True)) == 0.25


def test_the_suits_of_a_dealt_hand_draw_four_numbers_equally_often_whatever_its_values() -> None:
    for counts in ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)):
        hands = product(*[combinations(SUITS, count) for count in counts])
        drawn = Counter(
            lot_of(
                tuple(Card(rank + suit) for rank, suits in zip("A59TK", held, strict=False) for suit in suits)
            )
            for held in hands
        )
        assert set(drawn) == {0, 1, 2, 3}, counts
        assert len(set(drawn.values())) == 1, counts


@BOTH
def test_its_weights_are_small_files(machine: type[NetworkBot]) -> None:
    names = {name for seats in (2, 3) for ace in (False, True) for name in machine.networks(seats, ace=ace)}
    folder = resources.files("facedown.games.davenport.bots")

    assert sum(len((folder / f"{name}.npz").read_bytes()) for name in names) < 1_000_000
