"""People's pages: one's own profile, the parts that others may see, and the pages of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from facedown.core.errors import NotNow
from facedown.protocol.accounts import FinishedGame, PlayerStatistics, RatingInfo, RatingPoint
from facedown.protocol.errors import NotFound, SwitchedOff, TooMany
from facedown.protocol.profiles import LadderRating, OwnPage, PagePart, Profile, ProfilePage, ShownParts
from facedown.server import clock
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.names import LONGEST_HANDLE, fold_handle
from facedown.server.store.base import StoreFailed
from facedown.server.store.profiles import Shows, StoredPage
from facedown.server.store.values import ListedRow, Outcome, OutcomeCount, StoredRating
from facedown.server.table.summary import details_of
from facedown.sim.ratings import Rating

ENDPOINTS: Final = Endpoints("people", needs="session")
_ME: Final = "/api/v1/people/me"
_SHOWN: Final = 100


# --- one's own page --------------------------------------------------------------------------------------


@ENDPOINTS.get(_ME)
async def profile(call: Call[None, None]) -> Profile:
    """The caller's finished games, latest first, with statistics and ratings."""
    person, services = call.require_session(), call.services
    page = await services.store.profiles.page(person.id)
    return Profile(
        person=person.id,
        name=person.name,
        games=tuple(_past_games(await services.played.latest(person.id, _SHOWN))),
        statistics=_statistics(
            await services.store.outcomes(person.id), await services.ratings.of(person.id)
        ),
        since=person.created_at,
        page=None if page is None else _own_page(page),
    )


@ENDPOINTS.put(f"{_ME}/page", refuses=(NotNow, TooMany, StoreFailed))
async def show_parts(call: Call[ShownParts, None]) -> OwnPage:
    """Choose which parts of the caller's page others may see."""
    person, profiles = call.require_session().id, call.services.store.profiles
    call.services.limits.rename(person)
    shown = Shows(0)
    for part in call.body.shows:
        shown |= Shows[part.upper()]
    await profiles.show(person, shown)
    page = await profiles.page(person)
    if page is None:
        raise NotNow("only a kept account has a page that others can see: keep this account first")
    return _own_page(page)


def _own_page(page: StoredPage) -> OwnPage:
    return OwnPage(page.handle, page.kept_at, cast("tuple[PagePart, ...]", page.parts))


# --- the pages of others ---------------------------------------------------------------------------------


@ENDPOINTS.get("/api/v1/people/{handle}", needs="anyone", refuses=(NotFound, SwitchedOff))
async def public_page(call: Call[None, None]) -> ProfilePage:
    """What a person shows to others; the same for the person and for anyone else."""
    page, me = await visible_page(call), call.person
    return ProfilePage(
        handle=page.handle,
        since=page.kept_at,
        you=me is not None and me.id == page.person,
        ratings=await _shown_ratings(call, page) if page.has(Shows.RATING) else None,
    )


async def visible_page(call: Call[None, None]) -> StoredPage:
    """The page of the handle in the path; raises `NotFound` if the caller may not see it."""
    call.services.check_switches("public_lists")
    handle = call.part("handle")
    page = None
    if len(handle) <= 2 * LONGEST_HANDLE:
        page = await call.services.store.profiles.by_handle(fold_handle(handle))
    if page is None or not page.has(Shows.PAGE) or _has_blocked(call, page.person):
        raise NotFound("there is no person of this name, or no page of theirs that you may see")
    return page


def _has_blocked(call: Call[None, None], person: str) -> bool:
    me = call.person
    return me is not None and call.services.tables.relations.has_blocked(person, me.id)


async def _shown_ratings(call: Call[None, None], page: StoredPage) -> tuple[LadderRating, ...]:
    found = await call.services.ratings.of(page.person)
    return tuple(LadderRating(game, _rating(course)) for game, course in sorted(found.items()))


# --- games and ratings -----------------------------------------------------------------------------------


def _past_games(games: Iterable[ListedRow]) -> Iterator[FinishedGame]:
    """Each row has the one seat that the person played."""
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
            winner=about.result.winner,
        )


def _statistics(
    outcomes: Iterable[OutcomeCount], ratings: Mapping[str, Sequence[StoredRating]]
) -> tuple[PlayerStatistics, ...]:
    """Games won, lost and tied, by game; continued games do not count."""
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
            rating=_rating(ratings[game]) if game in ratings else None,
        )
        for game, row in sorted(counts.items())
    )


def _rating(ratings: Sequence[StoredRating]) -> RatingInfo:
    last = ratings[-1]
    current = Rating(last.mean, last.deviation).after((clock.now() - last.at) / clock.DAY_MS)
    course = [(each.at, Rating(each.mean, each.deviation)) for each in ratings]
    return RatingInfo(
        points=current.points,
        error=current.error,
        provisional=current.is_provisional,
        mean=round(current.mean, 3),
        deviation=round(current.deviation, 3),
        games=last.games,
        course=tuple(RatingPoint(at, round(each.mean, 3), each.points, each.error) for at, each in course),
    )
