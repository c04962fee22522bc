"""The reader of games that are not solved: it learns which machine a player resembles."""

from __future__ import annotations

import pytest

from facedown.bots.find import bots_of
from facedown.core import registry
from facedown.core.chance import Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import bot_stream
from facedown.core.parts.judge import Foretold
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import all_seats
from facedown.review.predictability import read_by_kind

GAMES = [name for name in registry.names() if len(bots_of(name)) > 2]
KEY = seed_of("kinds")


def play_game(game: str, kinds: list[str], number: int = 1) -> list[ReplayedTurn]:
    """A whole game between these machines."""
    table, key = registry.get(game), deal_key(KEY, str(number))
    match = Match(table, table.rules.of(), [f"Seat {seat}" for seat in all_seats(len(kinds))], Seeded(key))
    crew = [(bots_of(game)[kind](), bot_stream(key, seat)) for seat, kind in enumerate(kinds, 1)]
    found = []
    while match.outcome is None:
        deciding = {seat for wave in match.pending for seat in wave}
        joint = tuple(
            machine.pick(match.view(seat), match.legal(seat), stream) if seat in deciding else None
            for seat, (machine, stream) in enumerate(crew, 1)
        )
        before = match.state
        found.append(ReplayedTurn(before, joint, match.decide(joint)))
    return found


def foretold(turns: list[ReplayedTurn], game: str) -> tuple[Foretold, ...]:
    return read_by_kind(registry.get(game), turns, 1, KEY).foretold


def test_a_machine_that_leaves_nothing_to_chance_is_soon_known() -> None:
    found = foretold(play_game("davenport", ["highest", "careful"]), "davenport")

    assert len(found) > 5
    assert found[0].reader < 0.7
    assert min(each.reader for each in found[3:]) > 0.7


def test_a_blind_player_is_not_read() -> None:
    games = [
        foretold(play_game("davenport", ["uniform", "highest"], number), "davenport") for number in range(12)
    ]
    late = [each for found in games for each in found[4:]]

    assert len(late) > 20
    assert sum(each.reader for each in late) < 2 * sum(each.chance for each in late)


@pytest.mark.parametrize("game", GAMES)
def test_the_reader_knows_only_what_came_before(game: str) -> None:
    turns = play_game(game, ["random", "random"])
    half = foretold(turns[: len(turns) // 2], game)

    assert half
    assert foretold(turns, game)[: len(half)] == half


@pytest.mark.parametrize("game", GAMES)
def test_the_readers_chances_of_all_picks_add_up_to_one(game: str) -> None:
    first = play_game(game, ["random", "random"])[0]
    legal = registry.get(game).legal(first.before, 1)
    chances = [
        each.reader
        for pick in legal
        for each in foretold([first._replace(joint=(pick, first.joint[1]))], game)
    ]

    assert sum(chances) == pytest.approx(1)
