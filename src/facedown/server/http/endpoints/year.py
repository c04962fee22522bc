"""A person's year: what can be said of their own games of one year, for them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, TypeVar

from msgspec import structs

from facedown.core.parts.story import Sentence
from facedown.protocol.accounts import FinishedGame
from facedown.protocol.errors import NotFound, TooMany
from facedown.protocol.profiles import YearInPlay, YearOpponent, YearQuery
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.endpoints.profiles import past_games
from facedown.server.store.values import GamePlace, ListedRow
from facedown.server.table.summary import details_of

ENDPOINTS: Final = Endpoints("people", needs="session")
_MOST: Final = 1000
"""The number of a year's games that are looked at, the last ones."""
_OFTEN: Final = 2
_ENOUGH: Final = 5
"""The number of games from which on an hour says something."""
_FIRST_YEAR, _LAST_YEAR = 2000, 2999


class _Met(NamedTuple):
    """Another player of a game: a person by name, or a machine of a game."""

    machine: str
    name: str


@ENDPOINTS.get("/api/v1/people/me/year/{year}", refuses=(NotFound, TooMany))
async def year_in_play(call: Call[None, YearQuery]) -> YearInPlay:
    """The caller's own games of a year, in the caller's time; of more than a thousand, the last ones."""
    person, text = call.require_session().id, call.part("year")
    if not (len(text) == 4 and text.isascii() and text.isdigit() and _FIRST_YEAR <= int(text) <= _LAST_YEAR):
        raise NotFound("a year is four digits, such as 2026")
    call.services.limits.reading(person)
    year, ahead = int(text), timedelta(minutes=call.query.offset)
    begins, ends = (_millis(datetime(each, 1, 1, tzinfo=UTC) - ahead) for each in (year, year + 1))
    found = await call.services.played.latest(person, _MOST, GamePlace(ends, ""), begins)
    rows = [row for row, _ in found if not details_of(row.summary.about).continued]
    games = list(past_games(rows))
    times = [datetime.fromtimestamp(each.ended_at / 1000, UTC) + ahead for each in games]
    people, machines = _most_met(rows, games)
    return YearInPlay(
        year=year,
        games=len(games),
        won=sum(each.won is True for each in games),
        tied=sum(each.won is None for each in games),
        days=len({each.date() for each in times}),
        hour=most_common(Counter(each.hour for each in times)) if len(games) >= _ENOUGH else None,
        is_whole=len(found) < _MOST,
        person=people,
        machine=machines,
        comeback=best_by(games, "by"),
        boldest=best_by(games, "bold"),
    )


def _millis(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _most_met(
    rows: Sequence[ListedRow], games: Sequence[FinishedGame]
) -> tuple[YearOpponent | None, YearOpponent | None]:
    """The person and the machine that were met most, of those that were met more than once."""
    met: dict[bool, Counter[_Met]] = {False: Counter(), True: Counter()}
    won: Counter[_Met] = Counter()
    for row, game in zip(rows, games, strict=True):
        for place in details_of(row.summary.about).seats:
            if place.seat == game.seat or not place.name:
                continue
            other = _Met(game.game if place.kind == "machine" else "", place.name)
            met[place.kind == "machine"][other] += 1
            won[other] += game.won is True
    most = []
    for counts in met.values():
        first = most_common(counts)
        often = None if first is None or counts[first] < _OFTEN else first
        most.append(often and YearOpponent(often.name, often.machine, counts[often], won[often]))
    return most[0], most[1]


_T = TypeVar("_T")


def most_common(counts: Counter[_T]) -> _T | None:
    """What was counted more often than anything else; None if nothing was."""
    first, second = [*counts.most_common(2), (None, 0), (None, 0)][:2]
    return first[0] if first[1] > second[1] else None


def best_by(games: Sequence[FinishedGame], number: str) -> FinishedGame | None:
    """The game with the own sentence in which this number is highest, described by that sentence."""
    known = [(each, game) for game in games for each in _own(game) if number in each.numbers]
    if not known:
        return None
    sentence, game = max(known, key=lambda each: each[0].numbers[number])
    assert game.story is not None
    return structs.replace(game, story=replace(game.story, sentences=(sentence,)))


def _own(game: FinishedGame) -> tuple[Sentence, ...]:
    """The sentences of a won game that are about the player."""
    if game.story is None or not game.won:
        return ()
    return tuple(each for each in game.story.sentences if each.who == game.seat)
