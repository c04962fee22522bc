"""The mind of the day: today's position, the caller's ten chips, and the results of days that are over.

A day is settled by the first call after its end that asks for its result. What people have sealed is secret
until then: during the day only their number is public.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from facedown.bots.house import house_of
from facedown.core import registry
from facedown.core.errors import NotNow, Unsupported
from facedown.core.parts.mind import Mind
from facedown.core.parts.trainer import OfferedPick
from facedown.protocol.errors import BadMessage, NotFound, TooMany
from facedown.protocol.mind import (
    HouseMind,
    KnownQuery,
    MindDay,
    MindPick,
    MindPosition,
    MindScore,
    MindState,
    NewMind,
    OwnMind,
)
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion
from facedown.server.clock import now
from facedown.server.http.endpoint import LANGUAGE_HEADER, Call, Endpoints
from facedown.server.store.minds import StoredMind, settled_name
from facedown.study.mind import CHIPS, Crowd, MindResult, crowd_of, has_mind, mean_of, seat_of, settle

ENDPOINTS: Final = Endpoints("mind", refuses=(Unsupported, TooMany, AnalysisFailed))
LEAST_PEOPLE: Final = 20
"""What people on a seat did is shown if they are as many."""
_MIND: Final = "/api/v1/mind"
_OLDEST: Final = timedelta(days=366)
_WEEK: Final = 7
_encode = msgspec.json.Encoder().encode


class MindSide(Struct, frozen=True):
    """A day's position on one seat, as a worker process answers it: texts for the caller, and the house."""

    rules: str
    place: str
    say: tuple[str, ...]
    hand: tuple[str, ...]
    picks: tuple[MindPick, MindPick]
    values: tuple[tuple[float, float], tuple[float, float]]
    exact: float
    house: dict[str, float]


class MindSides(Struct, frozen=True):
    """A day's position on both seats."""

    sides: tuple[MindSide, MindSide]


class SettledSide(Struct, frozen=True):
    """One seat of a settled day: everything that results follow from, and no person."""

    picks: tuple[str, str]
    values: tuple[tuple[float, float], tuple[float, float]]
    exact: float
    house: dict[str, float]
    people: tuple[int, ...]
    """How many laid 0, 1, … 10 chips on the first pick."""


class SettledDay(Struct, frozen=True):
    """A day that is over."""

    game: str
    sides: tuple[SettledSide, SettledSide]


# --- today -----------------------------------------------------------------------------------------------


@ENDPOINTS.get(_MIND)
async def mind_state(call: Call[None, None]) -> MindState:
    """Today's mind of the day without its position: how many have sealed, and whether the caller has."""
    return await _state(call)


@ENDPOINTS.get(f"{_MIND}/today", needs="session", headers=LANGUAGE_HEADER)
async def mind_position(call: Call[None, None]) -> MindPosition:
    """Today's position. The seat is the caller's for the day; no person chooses it."""
    state, person = await _state(call), call.require_session().id
    sealed = await _seal_of(call, state.day)
    seat = sealed.seat if sealed else seat_of(state.day, person)
    both = (await _position(call, state.day)).sides
    side, other = both[seat - 1], both[2 - seat]
    return MindPosition(
        state=state,
        game=_game(),
        rules=side.rules,
        place=side.place,
        say=side.say,
        hand=side.hand,
        seat=seat,
        picks=side.picks,
        other_picks=other.picks,
        values=side.values,
        chips=sealed.chips if sealed else None,
    )


@ENDPOINTS.put(f"{_MIND}/{{day}}", needs="session", refuses=(NotNow, NotFound))
async def seal_mind(call: Call[NewMind, None]) -> MindState:
    """Seal ten chips on today's two picks, or change them; they can be changed until midnight UTC."""
    person, today = call.require_session().id, _today()
    day, (first, second) = _read_day(call.part("day")), call.body.chips
    if day != today:
        when = "over" if day < today else "yet to come"
        raise NotNow(
            f"this day is {when}: today is {today}, and chips can be sealed for it until midnight UTC"
        )
    if first < 0 or second < 0 or first + second != CHIPS:
        raise BadMessage(f"`chips` are two numbers, none below 0, that add up to {CHIPS}")
    call.services.limits.seal_mind(person, call.address)
    if call.services.alone and await _seal_of(call, str(day)):
        raise NotNow("these chips have met the house already: there is another position tomorrow")
    if not await call.services.store.minds.seal(str(day), person, seat_of(str(day), person), first):
        raise NotNow("this day is settled: there is another position today")
    return await _state(call)


async def _state(call: Call[Any, Any]) -> MindState:
    today, rows = _today(), call.services.store.minds
    sealed = await _week(call)
    days = _days(sealed)
    midnight = datetime(today.year, today.month, today.day, tzinfo=UTC) + timedelta(days=1)
    yesterday = sealed.get(str(today - timedelta(days=1)))
    return MindState(
        day=str(today),
        closes_at=int(midnight.timestamp() * 1000),
        people=await rows.people(str(today)),
        sealed=days[-1],
        days=days,
        yesterday=None if yesterday is None else await _score(call, yesterday),
        alone=call.services.alone,
    )


async def _week(call: Call[Any, Any]) -> dict[str, StoredMind]:
    """What the caller has sealed in the last seven days, by day."""
    if call.person is None:
        return {}
    first = str(_today() - timedelta(days=_WEEK - 1))
    return {each.day: each for each in await call.services.store.minds.seals(call.person.id, first)}


def _days(sealed: dict[str, StoredMind]) -> tuple[bool, ...]:
    return tuple(str(_today() - timedelta(days=ago)) in sealed for ago in reversed(range(_WEEK)))


async def _seal_of(call: Call[Any, Any], day: str) -> StoredMind | None:
    if call.person is None:
        return None
    found = await call.services.store.minds.seals(call.person.id, day)
    return found[0] if found and found[0].day == day else None


# --- days that are over ----------------------------------------------------------------------------------


@ENDPOINTS.get(f"{_MIND}/{{day}}", refuses=(NotNow, NotFound))
async def mind_day(call: Call[None, KnownQuery]) -> MindDay:
    """The result of a day that is over: how the caller's chips did, and what the crowd laid."""
    day, today, services = _read_day(call.part("day")), _today(), call.services
    own = await _seal_of(call, str(day))
    if day > today or (day == today and not (services.alone and own)):
        raise NotNow("this day is not over: everybody's chips are turned at midnight UTC")
    settled = await _settled_day(call, str(day))
    seat = own.seat if own else seat_of(str(day), "" if call.person is None else call.person.id)
    side, other = settled.sides[seat - 1], settled.sides[2 - seat]
    result = _result(settled, seat, own.chips if own else None)
    score = MindScore(str(day), result.beaten, result.squares)
    return MindDay(
        day=str(day),
        game=settled.game,
        seat=seat,
        picks=side.picks,
        other_picks=other.picks,
        exact=side.exact,
        perfect_beaten=result.perfect_beaten,
        people=sum(side.people) + sum(other.people),
        counts=side.people if sum(side.people) >= LEAST_PEOPLE else (),
        house=_house(settled.game, side.house, call.query.known),
        others=mean_of(_crowd(other)),
        own=OwnMind(own.chips, result.gain, result.risk, score) if own else None,
        days=_days(await _week(call)),
        alone=services.alone,
    )


async def _score(call: Call[Any, Any], sealed: StoredMind) -> MindScore:
    result = _result(await _settled_day(call, sealed.day), sealed.seat, sealed.chips)
    return MindScore(sealed.day, result.beaten, result.squares)


def _result(settled: SettledDay, seat: int, chips: int | None) -> MindResult:
    """The result of these chips, which are not compared with themselves."""
    side, other = settled.sides[seat - 1], settled.sides[2 - seat]
    picks = OfferedPick(side.picks[0], ""), OfferedPick(side.picks[1], "")
    mind = Mind(picks, side.values, side.exact, other.exact, side.house)
    people = list(side.people)
    if chips is not None and people[chips] > 0:
        people[chips] -= 1
    return settle(mind, chips or 0, crowd_of(side.house, people), _crowd(other))


def _crowd(side: SettledSide) -> Crowd:
    return crowd_of(side.house, side.people)


def _house(game: str, mixtures: dict[str, float], known: str) -> tuple[HouseMind, ...]:
    """The house by its chips; only those whose tells are among `known` have names."""
    pairs = dict(each.partition(":")[::2] for each in known.split(","))
    tells = ((each.bot.name, each.tell) for each in house_of(game))
    named = {name for name, tell in tells if tell is not None and pairs.get(f"{game}/{name}") == tell.id}
    found = (
        HouseMind(round(mixture * CHIPS), name if name in named else "") for name, mixture in mixtures.items()
    )
    return tuple(sorted(found, key=lambda each: (each.chips, each.name)))


async def _settled_day(call: Call[Any, Any], day: str) -> SettledDay:
    """The day with its crowd, as the first server that was asked has settled it."""
    store = call.services.store
    saved = await store.get_value(settled_name(day))
    if saved is None:
        position, counts = await _position(call, day), await store.minds.counts(day)
        sides = (_settled_side(side, seat, counts) for seat, side in enumerate(position.sides, 1))
        settled = SettledDay(_game(), (next(sides), next(sides)))
        if not counts or day == str(_today()):
            return settled
        saved = await store.set_value_once(settled_name(day), _encode(settled))
    return msgspec.json.decode(saved, type=SettledDay)


def _settled_side(side: MindSide, seat: int, counts: dict[tuple[int, int], int]) -> SettledSide:
    first, second = side.picks
    people = tuple(counts.get((seat, chips), 0) for chips in range(CHIPS + 1))
    return SettledSide((first.pick, second.pick), side.values, side.exact, side.house, people)


# --- positions and days ----------------------------------------------------------------------------------


async def _position(call: Call[Any, Any], day: str) -> MindSides:
    question = AnalysisQuestion("mind", _game(), at=day, language=call.language)
    return msgspec.json.decode(await call.analyse(question), type=MindSides)


@lru_cache(maxsize=1)
def _game() -> str:
    found = next(filter(has_mind, registry.names()), None)
    if found is None:
        raise Unsupported("no game here has a mind of the day")
    return found


def _today() -> date:
    return datetime.fromtimestamp(now() / 1000, UTC).date()


def _read_day(text: str) -> date:
    """A day such as 2026-11-18; raises `NotFound` for another text, and for days long ago."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotFound("a day is written as 2026-11-18") from None
    if str(day) != text or day < _today() - _OLDEST:
        raise NotFound("a day is written as 2026-11-18, and is not longer ago than a year")
    return day
