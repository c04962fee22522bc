"""How readable a person is over many games: habits that chance does not explain, and the bits of a reader.

A game's `readable` part says what is counted. Each situation is tested against exact play (the exact tail of
a sum of different chances) or, in a game without a solution, against the person's other picks (Fisher's exact
test). All situations share one error rate of 5 % by Holm's step-down correction: of players without habits,
at most one in twenty is said to have one. The picks of a habit that was found are left out of later steps, so
that none counts for two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import comb, erfc, log2, sqrt
from typing import Any, Final, NamedTuple, cast

from facedown.core import registry
from facedown.core.errors import Unsupported
from facedown.core.parts.readable import HabitCost, Readable, ReadPick, SeatGame, wilson
from facedown.core.record import Record
from facedown.core.replay import ReplayedTurn, start, turns
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH, Text, in_language, translate
from facedown.review import message

LEAST_PICKS: Final = 30
"""Picks with a choice, before anything is said."""
_FEWEST: Final = 10
"""Picks that a situation needs to be tested."""
_ERROR_RATE: Final = 0.05
_MOST_HABITS: Final = 5
_EXACTLY: Final = 300
"""Up to this many picks a tail is summed exactly; the normal distribution is close enough for more."""
_PLAYED: Final = 100
"""The latest games, from which costs are estimated."""


# --- what is found ----------------------------------------------------------------------------------------


class HabitWeek(NamedTuple):
    """How often a habit came in one week."""

    week: str
    """The Monday of the week, in UTC."""
    did: int
    of: int


class ReadableWeek(NamedTuple):
    """One week of picks."""

    week: str
    """The Monday of the week, in UTC."""
    picks: int
    bits: float
    """What the reader gained over chance in it."""


@dataclass(frozen=True, slots=True)
class FoundHabit:
    """A habit: a situation in which a person does something more often than they should."""

    where: str
    """The situation by its id, as a drill names it."""
    say: Text
    """The habit as a sentence."""
    did: int
    of: int
    """Done in `did` of `of` picks of the situation."""
    low: float
    high: float
    """From `low` to `high`: Wilson's 95 % interval of the share."""
    usual: float
    """The share of exact play in the same picks; without a solution, that of the person's other picks."""
    chance: float
    """How likely a player without habits shows one like this anywhere: corrected for all situations."""
    more: bool
    """Whether the game's question is answered with yes too often; otherwise too rarely."""
    cost: HabitCost | None
    """What it costs against a reader who knows it; None if that cannot be computed."""
    weeks: tuple[HabitWeek, ...]

    @property
    def share(self) -> float:
        """How often the person does it in the situation."""
        return self.did / self.of


@dataclass(frozen=True, slots=True)
class Readability:
    """How readable a person is; all its texts are in one language."""

    game: str
    rules: str
    """The rules that were played most, as text; empty without a game."""
    games: int
    picks: int
    """Picks with a choice that matters."""
    missing: int
    """How many more are needed before anything is said; 0 if there are enough."""
    bits: float
    """By how much a reader of the earlier picks predicted the later ones better than chance, in bits."""
    habits: tuple[FoundHabit, ...]
    """What gives the person away, the surest first; empty if nothing does."""
    weeks: tuple[ReadableWeek, ...]
    """The same by week, for games whose time is known."""
    solved: bool
    """Whether habits are compared with exact play; otherwise with the person's other picks."""
    language: str = ENGLISH
    """The language of its texts."""

    def as_json(self) -> dict[str, Any]:
        """The report as plain values: what `facedown readable --json` prints."""
        return {
            "game": self.game,
            "rules": self.rules,
            "games": self.games,
            "picks": self.picks,
            "missing": self.missing,
            "bits": round(self.bits, 2),
            "solved": self.solved,
            "habits": [_habit_json(habit) for habit in self.habits],
            "weeks": [{**each._asdict(), "bits": round(each.bits, 2)} for each in self.weeks],
        }

    def __str__(self) -> str:
        return "\n".join(_lines(self))


class TimedRecord(NamedTuple):
    """A game and the seat that is read in it."""

    record: Record
    seat: Seat
    at: int | None = None
    """When it ended, in milliseconds; None if that is not known."""


def time_of(record: Record) -> int | None:
    """When a server's game ended, in milliseconds; None for other games, which do not say."""
    links = () if record.fair is None else record.fair.links
    return links[-1].at if links else None


def readable_part(game: str) -> Readable:
    """What a game counts of a seat; raises `Unsupported` if it has no such part."""
    part = registry.part(game, "readable")
    if part is None:
        raise Unsupported(f"{registry.get(game).meta.title} does not say what gives a player away")
    return cast(Readable, part)


def readability(
    game: str,
    played: Sequence[TimedRecord],
    language: str = ENGLISH,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Readability:
    """How readable a person is in a game, from their games, the oldest first."""
    part = readable_part(game)
    latest: deque[SeatGame] = deque(maxlen=_PLAYED)
    picks: list[ReadPick] = []
    weeks: list[str | None] = []
    for number, each in enumerate(played, 1):
        seen = SeatGame(_own_turns(each.record, each.seat), each.seat)
        latest.append(seen)
        picks += part.read_picks(*seen)
        weeks += [_week(each.at)] * (len(picks) - len(weeks))
        progress(number, len(played))
    rules = [each.record.rules for each in played]
    missing = max(0, LEAST_PICKS - len(picks))
    gains = _gains(picks) if not missing else []
    found = [] if missing else list(_habits(part, picks, weeks, list(latest)))
    return in_language(
        Readability(
            game=game,
            rules=max(rules, key=rules.count, default=""),
            games=len(played),
            picks=len(picks),
            missing=missing,
            bits=sum(gains),
            habits=tuple(found),
            weeks=tuple(_weeks(gains, weeks)),
            solved=any(pick.usual is not None for pick in picks),
            language=language,
        ),
        language,
    )


def _own_turns(record: Record, seat: Seat) -> tuple[ReplayedTurn, ...]:
    """The decisions of a game that the person took: not those before it was continued, and no machine's."""
    played = tuple(turns(record, start(record)))
    taken = [(0, record.continues.decisions)] if record.continues is not None else []
    replaced: Any = (record.result or {}).get("replaced", ())
    taken += [
        (each["decision"] - 1, each.get("until", len(played) + 1) - 1)
        for each in replaced
        if each["seat"] == seat
    ]
    return tuple(
        turn for number, turn in enumerate(played) if not any(first <= number < end for first, end in taken)
    )


def _week(at: int | None) -> str | None:
    """The Monday before.

    >>> _week(1_700_000_000_000), _week(None)
    ('2023-11-13', None)
    """
    if at is None:
        return None
    day = datetime.fromtimestamp(at / 1000, UTC).date()
    return (day - timedelta(days=day.weekday())).isoformat()


def _weeks(gains: Sequence[float], weeks: Sequence[str | None]) -> Iterator[ReadableWeek]:
    for week in sorted({each for each in weeks if each is not None}):
        own = [gain for gain, each in zip(gains, weeks, strict=False) if each == week]
        if own:
            yield ReadableWeek(week, len(own), sum(own))


# --- habits -----------------------------------------------------------------------------------------------


class _Tested(NamedTuple):
    where: str
    picks: frozenset[int]
    """The picks of the situation, by place."""
    did: int
    usual: float
    """The share that was to be expected."""
    chance: float
    """How likely chance alone is so far off, to either side."""
    off: float
    """How far off, in standard deviations: it orders chances too small for a float."""


def _habits(
    part: Readable, picks: Sequence[ReadPick], weeks: Sequence[str | None], games: Sequence[SeatGame]
) -> Iterator[FoundHabit]:
    for habit, chance in _striking(picks):
        own = [picks[place] for place in sorted(habit.picks)]
        more = habit.did > habit.usual * len(own)
        did = habit.did if more else len(own) - habit.did
        low, high = wilson(did, len(own))
        yield FoundHabit(
            where=habit.where,
            say=part.habit_words(habit.where, more),
            did=did,
            of=len(own),
            low=low,
            high=high,
            usual=habit.usual if more else 1.0 - habit.usual,
            chance=chance,
            more=more,
            cost=part.habit_cost(habit.where, own, games),
            weeks=tuple(_habit_weeks(habit, picks, weeks, more=more)),
        )


def _habit_weeks(
    habit: _Tested, picks: Sequence[ReadPick], weeks: Sequence[str | None], *, more: bool
) -> Iterator[HabitWeek]:
    counted: dict[str, list[bool]] = {}
    for place in sorted(habit.picks):
        week = weeks[place]
        if week is not None:
            counted.setdefault(week, []).append(picks[place].did == more)
    return (HabitWeek(week, sum(done), len(done)) for week, done in sorted(counted.items()))


def _striking(picks: Sequence[ReadPick]) -> Iterator[tuple[_Tested, float]]:
    """The habits that stand out, the surest first, each with its corrected chance."""
    left = set(range(len(picks)))
    chance = 0.0
    for _ in range(_MOST_HABITS):
        tested = [
            found
            for where, own in _situations(picks, left).items()
            if (found := _test(where, own, left, picks)) is not None
        ]
        if not tested:
            return
        best = min(tested, key=lambda each: (each.chance, -each.off))
        chance = max(chance, min(1.0, best.chance * len(tested)))
        if chance > _ERROR_RATE:
            return
        yield best, chance
        left -= best.picks


def _situations(picks: Sequence[ReadPick], left: set[int]) -> dict[str, frozenset[int]]:
    """The picks of every situation that has enough of them; of situations with the same picks, the first."""
    found: dict[str, set[int]] = {}
    for place in sorted(left):
        for where in picks[place].where:
            found.setdefault(where, set()).add(place)
    first: dict[frozenset[int], str] = {}
    for where, own in found.items():
        if len(own) >= _FEWEST:
            first.setdefault(frozenset(own), where)
    return {where: own for own, where in first.items()}


def _test(where: str, own: frozenset[int], left: set[int], picks: Sequence[ReadPick]) -> _Tested | None:
    """A situation against exact play, or against the other picks; None if these are fewer than its own."""
    did = sum(picks[place].did for place in own)
    usual = [chance for place in own if (chance := picks[place].usual) is not None]
    if len(usual) == len(own):
        spread = sqrt(sum(chance * (1.0 - chance) for chance in usual))
        off = abs(did - sum(usual)) / spread
        return _Tested(where, own, did, sum(usual) / len(own), _tails(usual, did), off)
    others = len(left) - len(own)
    if others < len(own):
        return None
    did_others = sum(picks[place].did for place in left) - did
    share, chance = did_others / others, _fisher_exact(did, len(own), did_others, others)
    return _Tested(where, own, did, share, chance, abs(did / len(own) - share))


def _tails(chances: Sequence[float], did: int) -> float:
    """How likely that many of these come, or any number that is as far off, to either side.

    >>> round(_tails([0.5] * 10, 10), 5), round(_tails([0.2] * 1000, 200), 1)
    (0.00195, 1.0)
    """
    if len(chances) > _EXACTLY:
        mean, spread = sum(chances), sqrt(sum(chance * (1.0 - chance) for chance in chances))
        return erfc(max(0.0, abs(did - mean) - 0.5) / spread / sqrt(2.0))
    odds = [1.0]  # of every number of times
    for chance in chances:
        odds = [
            same * (1.0 - chance) + less * chance
            for same, less in zip([*odds, 0.0], [0.0, *odds], strict=True)
        ]
    return min(1.0, 2.0 * min(sum(odds[: did + 1]), sum(odds[did:])))


def _fisher_exact(did: int, of: int, did_others: int, others: int) -> float:
    """How likely the same number of yeses falls so unevenly on both groups, to either side.

    >>> round(_fisher_exact(8, 10, 2, 10), 3)
    0.023
    """
    both = did + did_others
    whole = comb(of + others, both)
    low, high = max(0, both - others), min(of, both)
    fewer = sum(comb(of, each) * comb(others, both - each) for each in range(low, did + 1))
    oftener = sum(comb(of, each) * comb(others, both - each) for each in range(did, high + 1))
    return min(1.0, 2 * min(fewer, oftener) / whole)


# --- the reader -------------------------------------------------------------------------------------------


_CAUTION: Final = 5.0
"""The number of picks of exact play that a reader adds to what it saw of a situation."""
_SURELY: Final = 0.99


def _gains(picks: Sequence[ReadPick]) -> list[float]:
    """The bits by which each pick surprised a reader of the earlier ones less than chance.

    The reader believes with even odds that there is nothing to read, or that one situation shows a habit, and
    after each pick it believes more in what foretold it. It never looks ahead, so that it gains nothing on a
    player without habits, and loses at most one bit on them in all.
    """
    situations = dict.fromkeys(where for pick in picks for where in pick.where)
    if not situations:
        return [0.0] * len(picks)
    belief = dict.fromkeys(situations, 0.5 / len(situations))
    seen = dict.fromkeys(situations, (0, 0.0))
    doubt, did, gains = 0.5, 0, []
    for number, pick in enumerate(picks):
        usual = (did + 0.5) / (number + 1) if pick.usual is None else pick.usual
        for where in pick.where:
            count, off = seen[where]
            chance = min(max(usual + off / (count + _CAUTION), 1.0 - _SURELY), _SURELY)
            belief[where] *= chance / usual if pick.did else (1.0 - chance) / (1.0 - usual)
            seen[where] = count + 1, off + pick.did - usual
        whole = doubt + sum(belief.values())
        gains.append(log2(whole))
        doubt, belief = doubt / whole, {where: each / whole for where, each in belief.items()}
        did += pick.did
    return gains


# --- the report -------------------------------------------------------------------------------------------


def _lines(found: Readability) -> Iterator[str]:
    say = message.translator(found.language)
    title = translate(registry.get(found.game).meta.title, found.language)
    games = say("readable.games", count=found.games)
    yield say("readable.title", game=title, games=games, count=found.picks)
    if found.missing:
        yield say("readable.missing", count=found.missing, least=LEAST_PICKS)
        return
    if not found.habits:
        yield say("readable.nothing")
    for habit in found.habits:
        yield ""
        yield from _habit_lines(habit, say, solved=found.solved)
    yield ""
    key = "readable.bits" if found.bits >= 1.0 else "readable.bits.none"
    yield say(key, bits=f"{found.bits:.1f}", each=f"{found.bits / found.picks:.2f}")
    for week in found.weeks:
        yield say("readable.week", week=week.week, count=week.picks, bits=f"{week.bits:+.1f}")


def _habit_lines(habit: FoundHabit, say: Callable[..., str], *, solved: bool) -> Iterator[str]:
    yield str(habit.say)
    shares = {name: f"{100 * getattr(habit, name):.0f}" for name in ("share", "low", "high", "usual")}
    yield "  " + say(
        "readable.share" if solved else "readable.share.own", did=habit.did, of=habit.of, **shares
    )
    yield "  " + say("readable.chance", chance=f"{100 * max(habit.chance, 0.0001):.2g}")
    cost = habit.cost
    if cost is not None:
        chances = {name: f"{100 * getattr(cost, name):.1f}" for name in ("value", "low", "high", "usual")}
        key = "readable.cost" if not cost.measured else "readable.cost.measured"
        yield "  " + say(key if cost.is_clear else "readable.cost.none", **chances)
    for week in habit.weeks:
        yield "  " + say("readable.habit.week", week=week.week, did=week.did, of=week.of)


def _habit_json(habit: FoundHabit) -> dict[str, Any]:
    cost = habit.cost
    return {
        "where": habit.where,
        "say": str(habit.say),
        "did": habit.did,
        "of": habit.of,
        "low": round(habit.low, 4),
        "high": round(habit.high, 4),
        "usual": round(habit.usual, 4),
        "chance": habit.chance,
        "more": habit.more,
        "cost": None if cost is None else {name: _round(each) for name, each in cost._asdict().items()},
        "weeks": [each._asdict() for each in habit.weeks],
    }


def _round(value: float | bool) -> float | bool:
    return value if isinstance(value, bool) else round(value, 4)
