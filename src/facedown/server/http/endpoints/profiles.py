"""People's pages: one's own profile, the parts that others may see, and the pages of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec import MsgspecError
from msgspec.structs import replace

from facedown.core.errors import FacedownError, NotNow, Unsupported
from facedown.protocol.accounts import (
    FinishedGame,
    PlayerStatistics,
    RatingInfo,
    RatingPoint,
)
from facedown.protocol.errors import BadMessage, NotFound, SwitchedOff, TooMany
from facedown.protocol.profiles import (
    FoundGames,
    FoundHandles,
    GameSearch,
    HandleSearch,
    LadderRating,
    OwnPage,
    PagePart,
    Profile,
    ProfilePage,
    ReadableInfo,
    ReadableQuery,
    ResultCount,
    Rival,
    ShownParts,
)
from facedown.server import clock
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion, ReadGame
from facedown.server.http.endpoint import LANGUAGE_HEADER, Call, Endpoints, Reply, json_response
from facedown.server.http.endpoints.games import installed_game
from facedown.server.http.problems import NoGame
from facedown.server.ids import is_bot
from facedown.server.names import LONGEST_HANDLE, fold_handle
from facedown.server.store.failures import StoreFailed
from facedown.server.store.profiles import Shows, StoredPage, StoredResult, StoredRival
from facedown.server.store.values import LATEST, GamePlace, ListedRow, StoredRating
from facedown.server.table.record import read_record
from facedown.server.table.summary import details_of
from facedown.sim.ratings import Rating

ENDPOINTS: Final = Endpoints("people", needs="session")
_ME: Final = "/api/v1/people/me"
_SHOWN: Final = 100
_SHOWN_TO_OTHERS: Final = 10
_LOOKED_AT: Final = 500
"""How many games one search looks at."""
_FOUND_AT_ONCE: Final = 20
_READ: Final = 100
"""The latest games that are read for what gives a person away."""
_AFTER_TABLES: Final = "~"
"""After every id of a table."""


# --- one's own page --------------------------------------------------------------------------------------


@ENDPOINTS.get(_ME, area="people")
async def profile(call: Call[None, None]) -> Profile:
    """The caller's finished games, latest first, with statistics and ratings."""
    person, services = call.require_session(), call.services
    profiles = services.store.profiles
    games = await services.played.latest(person.id, _SHOWN)
    page, results = await profiles.page(person.id), await profiles.results(person.id)
    ratings = await services.ratings.of(person.id)
    return Profile(
        person=person.id,
        name=person.name,
        games=tuple(await _own_games(call, [row for row, _ in games])),
        statistics=_statistics(results, ratings),
        since=person.created_at,
        page=None if page is None else _own_page(page),
        results=tuple(ResultCount(*each) for each in results),
        rivals=tuple(map(_rival, await profiles.rivals(person.id))),
        ladders=_ladder_ratings(ratings),
        trophies=await services.tournaments.trophies(person.id),
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


@ENDPOINTS.get(
    f"{_ME}/readable", refuses=(NoGame, Unsupported, TooMany, AnalysisFailed), headers=LANGUAGE_HEADER
)
async def readable(call: Call[None, ReadableQuery]) -> Reply[ReadableInfo]:
    """What gives the caller away in a game, from their latest games: computed on request and not stored."""
    person, game = call.require_session().id, installed_game(call.query.game).name
    call.services.limits.reading(person)
    games = await _read_games(call, person, game)
    return json_response(
        await call.analyse(AnalysisQuestion("readable", game, games=games, language=call.language))
    )


async def _read_games(call: Call[None, ReadableQuery], person: str, game: str) -> tuple[ReadGame, ...]:
    """The person's latest games, the oldest first; those that another version wrote are left out."""
    services, found = call.services, list[ReadGame]()
    for row, place in await services.played.latest(person, _LOOKED_AT):
        if row.summary.game != game:
            continue
        (seat,) = row.seats
        try:
            record = read_record(row.id, await services.store.rows(row.id))
        except (FacedownError, MsgspecError, KeyError):
            continue
        if record is not None:
            found.append(ReadGame(record.write(), seat, place.at))
        if len(found) == _READ:
            break
    return tuple(reversed(found))


# --- the pages of others ---------------------------------------------------------------------------------


@ENDPOINTS.get("/api/v1/people/{handle}", needs="anyone", refuses=(NotFound, SwitchedOff))
async def public_page(call: Call[None, None]) -> ProfilePage:
    """What a person shows to others; the same for the person and for anyone else."""
    page, me = await visible_page(call), call.person
    games = await _shown_games(call, page) if page.has(Shows.GAMES) else None
    return ProfilePage(
        handle=page.handle,
        since=page.kept_at,
        you=me is not None and me.id == page.person,
        ratings=await _shown_ratings(call, page) if page.has(Shows.RATING) else None,
        results=await _shown_results(call, page) if page.has(Shows.RESULTS) else None,
        rivals=await _shown_rivals(call, page) if page.has(Shows.RIVALS) else None,
        games=games,
        owner=await call.services.store.accounts.tokens.owner(page.person) if is_bot(page.person) else None,
        trophies=await call.services.tournaments.trophies(page.person) if page.has(Shows.RESULTS) else (),
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
    return _ladder_ratings(await call.services.ratings.of(page.person))


def _ladder_ratings(ratings: Mapping[str, Sequence[StoredRating]]) -> tuple[LadderRating, ...]:
    return tuple(
        LadderRating(ladder.partition("/")[0], "/" in ladder, _rating(course))
        for ladder, course in sorted(ratings.items())
    )


async def _shown_results(call: Call[None, None], page: StoredPage) -> tuple[ResultCount, ...]:
    await call.services.played.fold_latest()
    return tuple(ResultCount(*each) for each in await call.services.store.profiles.results(page.person))


async def _shown_rivals(call: Call[None, None], page: StoredPage) -> tuple[Rival, ...]:
    """Scores against people who show theirs too."""
    await call.services.played.fold_latest()
    found = await call.services.store.profiles.rivals(page.person)
    both = Shows.PAGE | Shows.RIVALS
    return tuple(_rival(each) for each in found if each.shows & both == both)


async def _shown_games(call: Call[None, None], page: StoredPage) -> tuple[FinishedGame, ...]:
    """The last games: people who show theirs too by their handles, others without a name: a loss is published
    by the one who lost."""
    rows = [row for row, _ in await call.services.played.latest(page.person, _SHOWN_TO_OTHERS)]
    handles = await call.services.store.profiles.handles_at([row.id for row in rows])
    shown = []
    for row, game in zip(rows, past_games(rows), strict=True):
        names = tuple(
            place.name if place.kind == "machine" else handles.get((row.id, place.seat), "")
            for place in details_of(row.summary.about).seats
        )
        shown.append(replace(game, names=names, table=row.id if row.summary.public else ""))
    return tuple(shown)


def _rival(rival: StoredRival) -> Rival:
    handle = rival.handle if rival.shows & Shows.PAGE else None
    name = handle or rival.name
    return Rival(name, handle, rival.games, rival.won, rival.tied, rival.lost, rival.at, rival.course)


# --- search ----------------------------------------------------------------------------------------------


@ENDPOINTS.get(f"{_ME}/games", area="people", refuses=(BadMessage,))
async def search_games(call: Call[None, GameSearch]) -> FoundGames:
    """Search the caller's finished games. An answer may be short, or empty, and still have a `next`: each
    call looks at a bounded number of games."""
    person, wanted = call.require_session().id, call.query
    before = min(_place(wanted.before), GamePlace(wanted.until, _AFTER_TABLES))
    rows = await call.services.played.latest(person, _LOOKED_AT, before, wanted.since)
    found: list[FinishedGame] = []
    games = await _own_games(call, [row for row, _ in rows])
    for (_, place), game in zip(rows, games, strict=True):
        if _matches(game, wanted):
            found.append(game)
        if len(found) == _FOUND_AT_ONCE:
            return FoundGames(tuple(found), f"{place.at}-{place.table}")
    more = f"{rows[-1][1].at}-{rows[-1][1].table}" if len(rows) == _LOOKED_AT else None
    return FoundGames(tuple(found), more)


def _place(cursor: str) -> GamePlace:
    at, _, table = cursor.partition("-")
    if not cursor:
        return LATEST
    if not (at.isascii() and at.isdigit() and len(at) <= 16):
        raise BadMessage("`before` is the `next` of an answer")
    return GamePlace(int(at), table)


def _matches(game: FinishedGame, wanted: GameSearch) -> bool:
    """Whether the game is one that is wanted."""
    if wanted.game and game.game != wanted.game:
        return False
    if wanted.rules.casefold() not in game.rules.casefold():
        return False
    if wanted.result and wanted.result != _result(game):
        return False
    others = [name for seat, name in enumerate(game.names, 1) if seat != game.seat]
    part = wanted.opponent.strip().casefold()
    return not part or any(part in name.casefold() for name in others)


def _result(game: FinishedGame) -> str:
    return "tied" if game.won is None else "won" if game.won else "lost"


@ENDPOINTS.get("/api/v1/people", needs="anyone", refuses=(TooMany, SwitchedOff))
async def search_people(call: Call[None, HandleSearch]) -> FoundHandles:
    """Find people by the beginning of their handle, of those who have a page."""
    call.services.check_switches("public_lists")
    call.services.limits.search(call.address)
    start, after = fold_handle(call.query.find), fold_handle(call.query.after)
    if not start:
        return FoundHandles((), None)
    found = await call.services.store.profiles.find(start, after, _FOUND_AT_ONCE + 1)
    shown = found[:_FOUND_AT_ONCE]
    return FoundHandles(tuple(shown), shown[-1] if len(found) > len(shown) else None)


# --- games and ratings -----------------------------------------------------------------------------------


def past_games(games: Iterable[ListedRow]) -> Iterator[FinishedGame]:
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
            story=about.story,
        )


async def _own_games(call: Call[Any, Any], rows: Sequence[ListedRow]) -> list[FinishedGame]:
    """The caller's games with the names that people have now, as in the scores against them; with those that
    they had at a table where these would be the same."""
    names, games = await call.services.store.profiles.names_at([row.id for row in rows]), []
    for row, game in zip(rows, past_games(rows), strict=True):
        called = tuple(names.get((row.id, seat), name) for seat, name in enumerate(game.names, 1))
        is_clear = len({*called}) >= len({*game.names})
        games.append(replace(game, names=called) if is_clear else game)
    return games


def _statistics(
    results: Iterable[StoredResult], ratings: Mapping[str, Sequence[StoredRating]]
) -> tuple[PlayerStatistics, ...]:
    """Games won, lost and tied, by game; continued games do not count."""
    counts: dict[str, Counter[str]] = {}
    for each in results:
        counts.setdefault(each.game, Counter()).update(won=each.won, lost=each.lost, tied=each.tied)
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
