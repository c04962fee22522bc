"""Lists of tables and finished games, made from the summaries in the store; no table has to be loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from facedown.protocol.accounts import FinishedGame, PlayerStatistics, RatingInfo, RatingPoint
from facedown.protocol.messages import Phase, SeatInfo
from facedown.protocol.rest import ListedSeat, ListedTable
from facedown.server.accounts.ratings import Rated
from facedown.server.store.base import ListedRow
from facedown.server.table.summary import NO_PROGRESS, GameProgress, about_of


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


def past_games(games: Iterable[ListedRow]) -> list[FinishedGame]:
    """Finished games of a person; those on a shared device, or with guests at it, do not count."""
    found = []
    for each in games:
        about = about_of(each.summary)
        if about.result is None or len(each.seats) != 1 or about.hotseat:
            continue
        seat, winner = each.seats[0], about.result.winner
        if any((gone.seat, gone.until) == (seat, None) for gone in about.result.replaced):
            continue  # a machine played it to the end
        found.append(
            FinishedGame(
                table=each.id,
                game=each.summary.game,
                rules=each.summary.rules,
                ended_at=about.ended_at or each.changed_at,
                seat=seat,
                names=tuple(place.name for place in about.seats),
                score=about.result.score,
                won=None if winner is None else winner == seat,
                termination=about.result.termination,
                continued=about.continued,
            )
        )
    return found


def statistics(games: Iterable[FinishedGame], ratings: Mapping[str, Rated]) -> tuple[PlayerStatistics, ...]:
    """How often a person won, lost and tied, by game; continued games do not count."""
    counts: dict[str, list[int]] = {}
    for each in games:
        if each.continued:
            continue
        won, lost, tied = each.won is True, each.won is False, each.won is None
        row = counts.setdefault(each.game, [0, 0, 0])
        for place, was in enumerate((won, lost, tied)):
            row[place] += was
    return tuple(
        PlayerStatistics(game, sum(row), row[0], row[1], row[2], _rating(ratings.get(game)))
        for game, row in sorted(counts.items())
    )


def _rating(rated: Rated | None) -> RatingInfo | None:
    if rated is None:
        return None
    course = tuple(RatingPoint(point.at, round(point.rating.mean, 3)) for point in rated.course)
    mean, deviation = rated.rating
    return RatingInfo(round(mean, 3), round(deviation, 3), rated.games, course)
