"""Lists of tables and finished games, made from the summaries in the store; no table has to be loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from facedown.core.seats import Seat
from facedown.protocol.accounts import FinishedGame, PlayerStatistics, RatingInfo, RatingPoint
from facedown.protocol.messages import GameResult, Phase, SeatInfo
from facedown.protocol.rest import ListedSeat, ListedTable
from facedown.server.accounts.ratings import Rated
from facedown.server.store.base import ListedRow
from facedown.server.table.summary import (
    NO_PROGRESS,
    GameProgress,
    SummaryDetails,
    SummaryOutcome,
    about_of,
    outcome_of,
)

_PLACES: Final = {True: 0, False: 1, None: 2}
"""Where won, lost and tied games are counted."""


def listed_seats(seats: Iterable[SeatInfo]) -> tuple[ListedSeat, ...]:
    """The seats of a loaded table."""
    return tuple(ListedSeat(each.seat, each.name, each.kind) for each in seats)


def listed_table(listed: ListedRow, progress: GameProgress = NO_PROGRESS) -> ListedTable:
    """One entry of a list of tables."""
    summary, about = listed.summary, about_of(listed.summary)
    state: Phase = summary.state  # type: ignore[assignment]  # tables put nothing else into the store
    return ListedTable(
        table=listed.id,
        game=summary.game,
        rules=summary.rules,
        state=state,
        seats=tuple(ListedSeat(each.seat, each.name, each.kind) for each in about.seats),
        clock=about.clock,
        created_at=summary.created_at,
        yours=listed.seats,
        your_turn=any(turn.seat in listed.seats for turn in progress.waiting),
        v=listed.head,
        waiting=progress.waiting,
        view=progress.view,
        seal=about.seal,
    )


def past_games(games: Iterable[ListedRow]) -> Iterator[FinishedGame]:
    """Finished games of a person that count."""
    for each in games:
        about = about_of(each.summary)
        seat = _own_seat(each, about)
        if about.result is None or seat is None:
            continue
        yield FinishedGame(
            table=each.id,
            game=each.summary.game,
            rules=each.summary.rules,
            ended_at=about.ended_at or each.changed_at,
            seat=seat,
            names=tuple(place.name for place in about.seats),
            score=about.result.score,
            won=_won(about.result, seat),
            termination=about.result.termination,
            continued=about.continued,
        )


def statistics(games: Iterable[ListedRow], ratings: Mapping[str, Rated]) -> tuple[PlayerStatistics, ...]:
    """How often a person won, lost and tied, by game; continued games do not count."""
    counts: dict[str, list[int]] = {}
    for each in games:
        outcome = outcome_of(each.summary)
        seat = _own_seat(each, outcome)
        if outcome.result is None or seat is None or outcome.continued:
            continue
        row = counts.setdefault(each.summary.game, [0, 0, 0])
        row[_PLACES[_won(outcome.result, seat)]] += 1
    return tuple(
        PlayerStatistics(game, sum(row), row[0], row[1], row[2], _rating(ratings.get(game)))
        for game, row in sorted(counts.items())
    )


def _own_seat(listed: ListedRow, about: SummaryDetails | SummaryOutcome) -> Seat | None:
    """The seat that a person played to the end; None for a game on a shared device, or with guests at it."""
    if about.result is None or len(listed.seats) != 1 or about.hotseat:
        return None
    seat = listed.seats[0]
    if any((gone.seat, gone.until) == (seat, None) for gone in about.result.replaced):
        return None  # a machine played it to the end
    return seat


def _won(result: GameResult, seat: Seat) -> bool | None:
    """Whether this seat won; None where nobody did."""
    return None if result.winner is None else result.winner == seat


def _rating(rated: Rated | None) -> RatingInfo | None:
    if rated is None:
        return None
    course = tuple(RatingPoint(point.at, round(point.rating.mean, 3)) for point in rated.course)
    mean, deviation = rated.rating
    return RatingInfo(round(mean, 3), round(deviation, 3), rated.games, course)
