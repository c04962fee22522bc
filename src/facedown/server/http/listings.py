"""Lists of tables and finished games, made from the summaries in the store; no table has to be loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from facedown.protocol.accounts import FinishedGame, PlayerStatistics, RatingInfo, RatingPoint
from facedown.protocol.messages import Phase, SeatInfo
from facedown.protocol.rest import ListedSeat, ListedTable
from facedown.server.accounts.ratings import Rated
from facedown.server.store.values import ListedRow, Outcome, OutcomeCount
from facedown.server.table.summary import NO_PROGRESS, GameProgress, details_of


def listed_seats(seats: Iterable[SeatInfo]) -> tuple[ListedSeat, ...]:
    """The seats of a loaded table."""
    return tuple(ListedSeat(each.seat, each.name, each.kind) for each in seats)


def listed_table(listed: ListedRow, progress: GameProgress = NO_PROGRESS) -> ListedTable:
    """One entry of a list of tables."""
    summary, about = listed.summary, details_of(listed.summary.about)
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
    """Finished games of a person, from rows with the one seat that they played."""
    for each in games:
        about, (seat,) = details_of(each.summary.about), each.seats
        if about.result is None:
            continue
        yield FinishedGame(
            table=each.id,
            game=each.summary.game,
            rules=each.summary.rules,
            ended_at=about.ended_at or each.changed_at,
            seat=seat,
            names=tuple(place.name for place in about.seats),
            score=about.result.score,
            won=None if about.result.winner is None else about.result.winner == seat,
            termination=about.result.termination,
            continued=about.continued,
        )


def statistics(
    outcomes: Iterable[OutcomeCount], ratings: Mapping[str, Rated]
) -> tuple[PlayerStatistics, ...]:
    """How often a person won, lost and tied, by game; continued games do not count."""
    counts: dict[str, Counter[Outcome]] = {}
    for game, outcome, games in outcomes:
        if outcome != "continued":
            counts.setdefault(game, Counter())[outcome] += games
    return tuple(
        PlayerStatistics(
            game=game,
            played=row.total(),
            won=row["won"],
            lost=row["lost"],
            tied=row["tied"],
            rating=_rating(ratings.get(game)),
        )
        for game, row in sorted(counts.items())
    )


def _rating(rated: Rated | None) -> RatingInfo | None:
    if rated is None:
        return None
    course = tuple(RatingPoint(point.at, round(point.rating.mean, 3)) for point in rated.course)
    mean, deviation = rated.rating
    return RatingInfo(round(mean, 3), round(deviation, 3), rated.games, course)
