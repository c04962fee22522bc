"""What finished games mean for people: who played them to what outcome, and ratings.

Both are folded from finished games into rows of the store, some games at a time and each game once. A server
that starts folds only games that were not folded yet.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, Final

from facedown.core.errors import Unsupported
from facedown.core.seats import Seat
from facedown.server.clock import DAY_MS
from facedown.server.ids import is_bot
from facedown.server.ops.backoff import REPEATED, Backoff, is_outage
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.failures import survive
from facedown.server.store.standings import StoredStanding
from facedown.server.store.values import (
    LATEST,
    MACHINE_PREFIX,
    EndedGame,
    GamePlace,
    KnownRatings,
    ListedRow,
    Outcome,
    PlayedSeat,
    StoredRating,
)
from facedown.server.table.summary import (
    SummaryDetails,
    SummaryOutcome,
    SummarySeat,
    details_of,
    read_outcome,
)
from facedown.sim.ratings import Ladder, Rating

AT_ONCE: Final = 200
"""Games that are folded in one transaction."""
_EVERY_S: Final = 30.0
FULL_GAMES: Final = 6
"""Games of the same two people on one day that count in full; later ones count half."""
_EQUAL: Final = 1e-6
"""Shares that differ by less are equal."""


class FoldedGames(ABC):
    """Folds finished games: the latest when a result is read, all others in the background."""

    name: ClassVar[str]
    """What comes out, for logs."""

    def __init__(self, store: Store, backoff: Backoff | None = None) -> None:
        self._store = store
        self._backoff = backoff or Backoff()
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()
        self._folding = asyncio.Lock()
        self._first = ""
        """The table of the first game that was to be folded last."""
        self._left_out: set[str] = set()
        """Tables whose games cannot be folded: they count as folded, and nothing comes out."""
        self._log = get_log(__name__)

    @abstractmethod
    async def fold_some(self, limit: int) -> int:
        """Fold at most `limit` games that were not folded yet; returns their number."""

    def _without_broken(self, games: Sequence[EndedGame]) -> list[EndedGame]:
        """The games to fold, without those that are left out."""
        self._first = games[0].table if games else ""
        return [each for each in games if each.table not in self._left_out]

    async def fold_latest(self) -> None:
        """Fold games that ended just now. If more than `AT_ONCE` wait, the background task folds the rest."""
        if await asyncio.shield(self._fold_next()) == AT_ONCE:
            self._more.set()

    async def catch_up(self) -> None:
        while await self._fold_next():
            pass

    async def _fold_next(self) -> int:
        """Fold some games; 0 if there are none, or if the next one fails, which is tried again later.

        A game that fails again and again is left out, so that those that ended after it have their turn.
        """
        async with self._folding:
            if not self._backoff.is_due(self.name):
                return 0
            try:
                folded = await self._fold_past_broken()
            except Exception as error:
                if is_outage(error):
                    raise
                self._backoff.note_failure(self.name, "", error)
                return 0
            self._backoff.note_success(self.name)
            return folded

    async def _fold_past_broken(self) -> int:
        """Fold many games, or only the next one if that fails."""
        try:
            return await self.fold_some(AT_ONCE)
        except Exception as error:
            if is_outage(error):
                raise
        try:
            return await self.fold_some(1)
        except Exception as error:
            if is_outage(error) or self._backoff.failures(self.name) < REPEATED - 1:
                raise
            self._log.error("a finished game is left out", work=self.name, table=self._first, exc_info=error)
        self._left_out.add(self._first)
        return await self.fold_some(1)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=self.name)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._more.clear()
            with survive(self._log, self.name):
                await self.catch_up()
            pause = self._backoff.wait_s(self.name) or _EVERY_S
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._more.wait()


# --- who played what -------------------------------------------------------------------------------------


class PlayedGames(FoldedGames):
    """The finished games of all people, with their outcomes."""

    name = "finished games"

    async def latest(
        self, person: str, limit: int, before: GamePlace = LATEST, since: int = 0
    ) -> list[tuple[ListedRow, GamePlace]]:
        """A person's games, last ended first, and their places."""
        await self.fold_latest()
        return await self._store.person_games(person, limit, before, since)

    async def fold_some(self, limit: int) -> int:
        return await self._store.note_played(lambda games: played_seats(self._without_broken(games)), limit)


def played_seats(ended: Sequence[EndedGame]) -> list[PlayedSeat]:
    """The seats of these games that people played to the end, each on their own device."""
    played = []
    for each in ended:
        game, seats_held = read_outcome(each.about), Counter(person for _, person in each.people)
        outcomes = {
            person: (seat, outcome)
            for seat, person in each.people
            if seats_held[person] == 1 and (outcome := _outcome(game, seat)) is not None
        }
        for person, (seat, outcome) in outcomes.items():
            side, against = _side(game, seat), tuple(_against(person, outcomes))
            played.append(
                PlayedSeat(person, each.at, each.table, seat, each.game, outcome, each.rules, side, against)
            )
    return played


def _against(person: str, outcomes: Mapping[str, tuple[Seat, Outcome]]) -> Iterator[tuple[str, Outcome]]:
    """How the game came out between a person and each other one."""
    _, own = outcomes[person]
    for other, (_, theirs) in outcomes.items():
        if other != person and (own == "tied" or "won" in (own, theirs)):
            yield other, own


def _side(game: SummaryOutcome, seat: Seat) -> int:
    """Whether a seat was worth more (1) or less (-1) than an equal share; 0 if that is not known."""
    if game.shares is None or not 1 <= seat <= len(game.shares):
        return 0
    ahead = game.shares[seat - 1] * len(game.shares) - 1
    return 0 if abs(ahead) < _EQUAL else 1 if ahead > 0 else -1


def _outcome(game: SummaryOutcome, seat: Seat) -> Outcome | None:
    """The outcome for a seat; None on a shared device, or if a machine played it to the end."""
    result = game.result
    if result is None or game.hotseat:
        return None
    if any((gone.seat, gone.until) == (seat, None) for gone in result.replaced):
        return None
    if game.continued:
        return "continued"
    if result.winner is None:
        return "tied"
    return "won" if result.winner == seat else "lost"


# --- ratings ---------------------------------------------------------------------------------------------


class Ratings(FoldedGames):
    """The ratings of all people, in each game."""

    name = "ratings"

    def __init__(self, store: Store, backoff: Backoff | None = None, *, on: bool = True) -> None:
        super().__init__(store, backoff)
        self._on = on

    async def of(self, person: str) -> dict[str, list[StoredRating]]:
        """By ladder (a game, or its machines): a person's ratings after each rated game, the current one
        last; none if ratings are off."""
        if not self._on:
            return {}
        await self.fold_latest()
        courses: dict[str, list[StoredRating]] = defaultdict(list)
        for each in await self._store.ratings(person):
            courses[each.game].append(each)
        return dict(courses)

    async def fold_some(self, limit: int) -> int:
        if not self._on:
            return 0
        try:
            return await self._store.rate(
                lambda games, known: fold(self._without_broken(games), known),
                limit,
                standing_of,
                lambda games: ladder_keys(self._without_broken(games)),
            )
        except Unsupported:  # the rating library is not installed
            return 0


def machine_ladder(game: str) -> str:
    """The name of the ladder of a game's machines, and of people against them."""
    return f"{game}/machines"


def machine_player(name: str) -> str:
    """The name of a machine among the people of a ladder."""
    return f"{MACHINE_PREFIX}{name}"


def ladder_keys(ended: Sequence[EndedGame]) -> list[tuple[str, str]]:
    """Ladder and player of every rating that these games change."""
    entries = [entry for each in ended if (entry := ladder_entry(each)) is not None]
    return sorted({(ladder, player) for ladder, players in entries for player in players})


def ladder_entry(ended: EndedGame) -> tuple[str, tuple[str, ...]] | None:
    """The ladder on which a game counts, and its players by seat; None for a game that is not rated."""
    if (among_people := rated_people(ended)) is not None:
        return ended.game, among_people
    about, people = details_of(ended.about), dict(ended.people)
    if not _is_whole(about) or about.shares is None or not _has_machine(about.seats, people):
        return None
    if any(place.kind == "person" and place.seat not in people for place in about.seats):
        return None
    if len(set(people.values())) < len(people):
        return None
    players = (people.get(place.seat) or machine_player(place.name) for place in about.seats)
    return machine_ladder(ended.game), tuple(players)


def _is_whole(about: SummaryDetails) -> bool:
    """Whether a game had a reveal and was played to its end by those who began it, each on a device."""
    if about.result is None or about.unplayed or about.result.replaced:
        return False
    return not (about.hotseat or about.continued)


def _has_machine(seats: Sequence[SummarySeat], people: Mapping[Seat, str]) -> bool:
    """Whether a machine plays, or a person's bot: both count on the ladder of machines."""
    return any(place.kind != "person" or is_bot(people.get(place.seat, "")) for place in seats)


def fold(ended: Sequence[EndedGame], known: KnownRatings) -> list[StoredRating]:
    """The ratings after each of these games, in the order of their ends, from those before them."""
    latest, ladders, rated = dict(known), dict[str, Ladder](), list[StoredRating]()
    for each in ended:
        entry = ladder_entry(each)
        if entry is None:
            continue
        name, people = entry
        if (ladder := ladders.get(name)) is None:
            ladder = ladders[name] = Ladder(
                {person: Rating(row.mean, row.deviation) for (of, person), row in known.items() if of == name}
            )
        about = details_of(each.about)
        for person in people:
            if (last := latest.get((name, person))) is not None:
                ladder.age(person, (each.at - last.at) / DAY_MS)
        winner = 0 if about.result is None else about.result.winner or 0
        weight = 1.0 if each.earlier < FULL_GAMES else 0.5
        weights = [weight * by_others for by_others in ladder.weights(people)]
        ladder.add_game(people, winner, about.shares or (), weights)
        for person in sorted(set(people), key=people.index):
            last = latest.get((name, person))
            games = 1 if last is None else last.games + 1
            row = StoredRating(person, name, games, each.at, *ladder.of(person))
            latest[name, person] = row
            rated.append(row)
    return rated


def standing_of(row: StoredRating) -> StoredStanding:
    """Where a person stands after a rated game; listed once the rating is no longer provisional."""
    rating = Rating(row.mean, row.deviation)
    listed = int(not rating.is_provisional)
    return StoredStanding(row.game, row.person, rating.points, rating.error, row.games, row.at, listed)


def rated_people(ended: EndedGame) -> tuple[str, ...] | None:
    """The people of a rated game, by seat; None for a game that is not rated.

    A game is rated if different people had all seats to the end, each on their own device: no machine, no
    bot, no replacement, nothing continued from another game, nothing that was given up before its first
    reveal. What the seats are worth has to be known, and if
    it differs, people did not choose among them. Machines have a ladder of their own, because their strength
    depends on what they may read of a person; and a shared device shows every hand to one pair of eyes.
    """
    about, people = details_of(ended.about), dict(ended.people)
    if not _is_whole(about) or about.shares is None or about.chosen or about.one_device:
        return None
    if any(place.kind != "person" or place.seat not in people for place in about.seats):
        return None
    if len(set(people.values())) < len(about.seats) or any(map(is_bot, people.values())):
        return None
    return tuple(people[place.seat] for place in about.seats)
