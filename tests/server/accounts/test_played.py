"""People's finished games: which are on a person's page, and which count."""

from __future__ import annotations

import msgspec

from facedown.protocol.messages import GameResult, ReplacedSeat
from facedown.server.accounts.finished_games import played_seats
from facedown.server.store.values import EndedGame
from facedown.server.table.summary import SummaryOutcome

ANN_AND_BEN = ((1, "ann"), (2, "ben"))
"""Who sits where."""


def outcomes(
    winner: int | None = 1,
    *,
    people: tuple[tuple[int, str], ...] = ANN_AND_BEN,
    replaced: tuple[ReplacedSeat, ...] = (),
    hotseat: bool = False,
    continued: bool = False,
) -> dict[str, str]:
    """How a game came out for its people."""
    result = GameResult(winner, "score", (1, 0), replaced)
    about = msgspec.json.encode(SummaryOutcome(hotseat, result, continued))
    game = EndedGame(1, 50, "ecard", about, people, "T")
    return {each.person: each.outcome for each in played_seats([game])}


def test_everybody_who_played_to_the_end_has_an_outcome() -> None:
    assert outcomes(1) == {"ann": "won", "ben": "lost"}
    assert outcomes(2) == {"ann": "lost", "ben": "won"}
    assert outcomes(None) == {"ann": "tied", "ben": "tied"}
    assert outcomes(2, people=((2, "ben"),)) == {"ben": "won"}


def test_a_continued_game_is_listed_and_not_counted() -> None:
    assert outcomes(continued=True) == {"ann": "continued", "ben": "continued"}


def test_a_game_on_one_device_counts_for_no_person() -> None:
    assert outcomes(hotseat=True) == {}
    assert outcomes(people=((1, "ann"), (2, "ann"), (3, "ben"))) == {"ben": "lost"}


def test_a_person_whom_a_machine_replaced_to_the_end_did_not_play() -> None:
    assert outcomes(replaced=(ReplacedSeat(2, "uniform", 3),)) == {"ann": "won"}
    assert outcomes(replaced=(ReplacedSeat(2, "uniform", 3, until=5),)) == {"ann": "won", "ben": "lost"}
