"""The state of a table, folded from its facts: seats, game, seals, clocks. Only `apply` changes it.

Holds secrets (the seed, the picks that lie face down): viewers get what `snapshot` and `updates` make of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from msgspec.structs import replace

from facedown.bots.find import current_name
from facedown.core import registry
from facedown.core.chance import Seeded, deal_key
from facedown.core.errors import FacedownError
from facedown.core.events import Event
from facedown.core.fairness import Seal
from facedown.core.game import AnyGame, Pick, Step
from facedown.core.match import Match
from facedown.core.replay import AnyMatch, Continued
from facedown.core.seats import Seat
from facedown.protocol.messages import ChatMessage, GameResult
from facedown.server.clock import DAY_MS, MINUTE_MS
from facedown.server.store.base import Store
from facedown.server.table import facts
from facedown.server.table.chat import KEPT_MESSAGES
from facedown.server.table.clocks import Clocks
from facedown.server.table.facts import LogEntry, from_row

OPENING_MS: Final = MINUTE_MS
"""How long seats may take to open their entropy, unless the game is by correspondence."""

Phase = Literal["open", "opening", "playing", "over", "closed"]


class BrokenTable(FacedownError):
    """The stored facts of a table cannot be replayed: it was dealt by another version of the game."""

    code = "broken_table"
    status = 500


class SeatPlace:
    """A place at the table: its seat, and the person or machine on it."""

    __slots__ = (
        "agreed",
        "commit",
        "flagged",
        "guest",
        "kept_for",
        "kept_name",
        "kind",
        "left",
        "machine",
        "name",
        "offered",
        "opened",
        "person",
        "replaced_at",
        "seat",
    )

    def __init__(self, seat: Seat, chair: facts.SeatSetup, game: str) -> None:
        self.seat = seat
        self.kind = chair.kind
        self.machine = None if chair.machine is None else current_name(game, chair.machine)
        self.kept_for = chair.kept_for
        self.kept_name = chair.kept_name or ""
        self.name = self.machine or ""
        self.clear()

    def clear(self) -> None:
        """Remove the person from this seat."""
        self.person: str | None = None
        self.guest = False
        """Whether the name is that of somebody who shares the person's device."""
        self.commit: str | None = None
        self.opened: str | None = None
        self.left = False
        self.flagged = False
        self.replaced_at: int | None = None
        self.offered: str | None = None
        """The machine that is offered to take over."""
        self.agreed: tuple[Seat, ...] = ()
        if self.kind == "person":
            self.name = ""

    @property
    def taken(self) -> bool:
        """Whether a person or a machine sits here."""
        return self.kind == "machine" or self.person is not None


class StepResult(NamedTuple):
    """The result of a deal, a reveal or a resignation: its events, and the picks that were revealed."""

    events: tuple[Event, ...]
    picks: tuple[tuple[Seat, Pick, str], ...] = ()
    """Seat, pick and nonce."""


class TableState:
    """The state of one table, secrets included."""

    def __init__(self, table: str) -> None:
        self.id = table
        self.log: list[LogEntry] = []
        self.step_results: dict[int, StepResult] = {}
        """By the number of the fact."""
        self.phase: Phase = "open"
        self.places: list[SeatPlace] = []
        self.seals: dict[Seat, Seal] = {}
        self.face_down: dict[Seat, Pick] = {}
        """The sealed picks of the open decision."""
        self.opened_seals: list[tuple[Seal, ...]] = []
        self.answered: dict[tuple[Seat, str], int] = {}
        self.chat: deque[ChatMessage] = deque(maxlen=KEPT_MESSAGES)
        self.result: GameResult | None = None
        self.next: str | None = None
        self.shared = False
        self.ended_at: int | None = None
        self.opening_until: int | None = None
        self.step: Step[Any] | None = None
        """The step that the last seal completed, until the fact of its reveal is applied."""
        self._drawn = 0
        self._deal_events: list[Event] = []
        """The events of the deal, and of the picks taken over where the table continues another game."""
        self._match: AnyMatch | None = None
        self._by_kind: Final[dict[type, Callable[[LogEntry, Any], None]]] = {
            facts.PickSealed: self._sealed,
            facts.PicksRevealed: self._revealed,
            facts.ChatSent: self._chat_sent,
            facts.TableCreated: self._created,
            facts.PersonSeated: self._seated,
            facts.SeatFreed: self._freed,
            facts.SeatReleased: self._released,
            facts.MachineSeated: self._filled,
            facts.SeatsDropped: self._dropped,
            facts.GameShared: self._shared,
            facts.SeatRenamed: self._renamed,
            facts.EntropyOpened: self._opened,
            facts.EntropyMissing: lambda *_: None,
            facts.GameDealt: self._dealt,
            facts.SeatResigned: self._resigned,
            facts.GameEnded: self._ended,
            facts.SeatLeft: self._left,
            facts.SeatReturned: self._returned,
            facts.ReplacementOffered: self._offered,
            facts.ReplacementAgreed: self._agreed,
            facts.SeatReplaced: self._replaced,
            facts.RematchLinked: self._rematch,
            facts.ServerOutage: self._outage,
            facts.TableClosed: self._closed,
        }

    # --- queries -------------------------------------------------------------------------------------

    @property
    def head(self) -> int:
        """The number of the last fact."""
        return len(self.log)

    @property
    def match(self) -> AnyMatch:
        """The match; only once it is dealt."""
        if self._match is None:
            raise RuntimeError("the game is not dealt yet")
        return self._match

    @property
    def dealt(self) -> bool:
        """Whether the game is dealt."""
        return self._match is not None

    @property
    def playing(self) -> bool:
        """Whether the game is being played."""
        return self.phase == "playing"

    def place(self, seat: Seat) -> SeatPlace:
        """The place of a seat of this table."""
        return self.places[seat - 1]

    @property
    def people(self) -> tuple[SeatPlace, ...]:
        """The places for people, taken or free."""
        return tuple(place for place in self.places if place.kind == "person")

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that a person holds."""
        return tuple(place.seat for place in self.people if person is not None and place.person == person)

    def holds_seat(self, person: str, seat: Seat) -> bool:
        """Whether this person holds this seat."""
        place = self.places[seat - 1] if seat <= len(self.places) else None  # it may be dropped by now
        return place is not None and place.kind == "person" and place.person == person

    def bot_name(self, machine: str) -> str:
        """What a bot that a fact names is called now."""
        return current_name(self.setup.game, machine)

    @property
    def deadline(self) -> int | None:
        """When the clocks of this table have to be checked next."""
        if self.phase == "opening":
            return self.opening_until
        return self.clocks.next if self.playing else None

    # --- the fold ------------------------------------------------------------------------------------

    def apply(self, entry: LogEntry) -> None:
        """Append a fact to the log and update the state from it."""
        self._by_kind[type(entry.fact)](entry, entry.fact)
        self.log.append(entry)
        if entry.command:
            self.answered.setdefault((entry.seat, entry.command), entry.v)

    def _created(self, entry: LogEntry, fact: facts.TableCreated) -> None:
        secret = entry.secret
        assert isinstance(secret, facts.TableSecret)
        self.setup = fact
        self.seed = bytes.fromhex(secret.seed)
        self.host = secret.host
        self.taken_over = (secret.chance, secret.picks)
        self.created_at = entry.at
        self.game: AnyGame = registry.get(fact.game, fact.version)
        self.rules = self.game.rules.read(fact.rules)
        self.places = [SeatPlace(seat, chair, fact.game) for seat, chair in enumerate(fact.chairs, 1)]
        self.clocks = Clocks(fact.clock, [place.seat for place in self.people])
        self._open_entropy_when_full(entry.at)

    def _seated(self, entry: LogEntry, fact: facts.PersonSeated) -> None:
        assert isinstance(entry.secret, facts.SeatOwner)
        place = self.place(fact.seat)
        place.person, place.name, place.commit = entry.secret.person, fact.name, fact.commit
        place.guest = fact.guest
        self._open_entropy_when_full(entry.at)

    def _open_entropy_when_full(self, at: int) -> None:
        """Once all seats are taken, it is time to open entropy."""
        if all(place.taken for place in self.places):
            self.phase = "opening"
            days = self.setup.clock.kind == "correspondence"
            self.opening_until = at + (DAY_MS if days else OPENING_MS)

    def _freed(self, _: LogEntry, fact: facts.SeatFreed) -> None:
        self.place(fact.seat).clear()

    def _released(self, _: LogEntry, fact: facts.SeatReleased) -> None:
        place = self.place(fact.seat)
        place.kept_for, place.kept_name = None, ""
        place.clear()

    def _filled(self, entry: LogEntry, fact: facts.MachineSeated) -> None:
        chair = facts.SeatSetup("machine", fact.machine)
        chairs = (*self.setup.chairs[: fact.seat - 1], chair, *self.setup.chairs[fact.seat :])
        self.places[fact.seat - 1] = SeatPlace(fact.seat, chair, self.setup.game)
        self._set_chairs(entry, replace(self.setup, chairs=chairs))

    def _dropped(self, entry: LogEntry, fact: facts.SeatsDropped) -> None:
        del self.places[fact.left :]
        series = replace(self.setup.series, wins=self.setup.series.wins[: fact.left])
        chairs = self.setup.chairs[: fact.left]
        self._set_chairs(entry, replace(self.setup, chairs=chairs, series=series))

    def _set_chairs(self, entry: LogEntry, setup: facts.TableCreated) -> None:
        """The host changed the seats before the deal."""
        self.setup = setup
        self.clocks = Clocks(setup.clock, [place.seat for place in self.people])
        self._open_entropy_when_full(entry.at)

    def _shared(self, _: LogEntry, __: facts.GameShared) -> None:
        self.shared = True

    def _renamed(self, _: LogEntry, fact: facts.SeatRenamed) -> None:
        self.place(fact.seat).name = fact.name

    def _opened(self, _: LogEntry, fact: facts.EntropyOpened) -> None:
        self.place(fact.seat).opened = fact.entropy

    def deal(self) -> facts.ChanceDrawn:
        """Deal, from the seed and the opened entropy; returns what was drawn, for the fact of the deal."""
        entropy = [bytes.fromhex(place.opened) for place in self.people if place.opened is not None]
        self.key = deal_key(self.seed, self.id, entropy)
        names = [place.name for place in self.places]
        chance, picks = self.taken_over
        dealt = Seeded(self.key) if self.setup.continues is None else Continued(chance, self.key)
        match = self._match = Match(self.game, self.rules, names, dealt)
        self._deal_events = [*match.dealt.events]
        for joint in picks:
            self._deal_events += match.decide(joint).events
            self.opened_seals.append(())
        return self.newly_drawn()

    def _dealt(self, entry: LogEntry, _: facts.GameDealt) -> None:
        if not self.dealt:
            self.deal()
        self.phase = "playing"
        self.step_results[entry.v] = StepResult(tuple(self._deal_events))
        self._compare_chance(entry)
        self._run_clocks(entry.at)

    def _sealed(self, entry: LogEntry, fact: facts.PickSealed) -> None:
        secret = entry.secret
        assert isinstance(secret, facts.PickSecret)
        seat = fact.seat
        self.seals[seat] = Seal(seat, bytes.fromhex(fact.commit), bytes.fromhex(secret.nonce), fact.flag)
        self.face_down[seat] = secret.pick
        self.place(seat).flagged = fact.flag
        self.clocks.stop(seat, entry.spent)
        self.step = self.match.seal(seat, secret.pick)
        if self.step is None:
            self._run_clocks(entry.at)

    def _revealed(self, entry: LogEntry, _: facts.PicksRevealed) -> None:
        assert self.step is not None
        picks = tuple(
            (seat, self.face_down[seat], self.seals[seat].nonce.hex()) for seat in sorted(self.seals)
        )
        self.step_results[entry.v] = StepResult(self.step.events, picks)
        self.opened_seals.append(tuple(self.seals[seat] for seat in sorted(self.seals)))
        self._close_decision(entry)

    def _resigned(self, entry: LogEntry, fact: facts.SeatResigned) -> None:
        self.step_results[entry.v] = StepResult(self.match.resign(fact.seat).events)
        self.opened_seals.append(())
        self._close_decision(entry)

    def _close_decision(self, entry: LogEntry) -> None:
        """A decision is complete: open the next one, or end the game."""
        self.seals.clear()
        self.face_down.clear()
        self.step = None
        self._compare_chance(entry)
        self._run_clocks(entry.at)

    def _compare_chance(self, entry: LogEntry) -> None:
        """Raise unless replaying a fact draws what was drawn when it happened."""
        drawn = self.newly_drawn()
        self._drawn += len(drawn.chance)
        if isinstance(entry.secret, facts.ChanceDrawn) and entry.secret != drawn:
            raise BrokenTable(f"event {entry.v} of this table cannot be replayed by this version")

    def newly_drawn(self) -> facts.ChanceDrawn:
        """What was drawn since the last fact that holds chance."""
        return facts.ChanceDrawn(tuple([str(each) for each in self.match.chance.drawn[self._drawn :]]))

    def _run_clocks(self, at: int) -> None:
        waiting = [seat for seat in self.match.may_seal if self.place(seat).kind == "person"]
        self.clocks.wait_for(waiting, at)

    def _ended(self, entry: LogEntry, fact: facts.GameEnded) -> None:
        self.phase = "over"
        self.result = fact.result
        self.ended_at = entry.at

    def _left(self, _: LogEntry, fact: facts.SeatLeft) -> None:
        self.place(fact.seat).left = True

    def _returned(self, _: LogEntry, fact: facts.SeatReturned) -> None:
        place = self.place(fact.seat)
        place.left, place.offered, place.agreed = False, None, ()

    def _offered(self, _: LogEntry, fact: facts.ReplacementOffered) -> None:
        place = self.place(fact.seat)
        place.offered, place.agreed = self.bot_name(fact.machine), (fact.by,)

    def _agreed(self, _: LogEntry, fact: facts.ReplacementAgreed) -> None:
        place = self.place(fact.seat)
        place.agreed = (*place.agreed, fact.by)

    def _replaced(self, entry: LogEntry, fact: facts.SeatReplaced) -> None:
        place = self.place(fact.seat)
        place.kind, place.machine, place.person = "machine", self.bot_name(fact.machine), None
        place.offered, place.replaced_at = None, fact.decision
        self._run_clocks(entry.at)

    def _chat_sent(self, entry: LogEntry, fact: facts.ChatSent) -> None:
        self.chat.append(ChatMessage(fact.seat, fact.name, fact.text, fact.preset, entry.at))

    def _rematch(self, _: LogEntry, fact: facts.RematchLinked) -> None:
        self.next = fact.next

    def _outage(self, _: LogEntry, fact: facts.ServerOutage) -> None:
        self.clocks.extend(fact.ms)
        if self.opening_until is not None:
            self.opening_until += fact.ms

    def _closed(self, entry: LogEntry, _: facts.TableClosed) -> None:
        self.phase = "closed"
        self.ended_at = entry.at


async def load_state(store: Store, table: str) -> TableState:
    """The state folded from all that the store holds of a table; at head 0 where there is no such table."""
    state = TableState(table)
    for row in await store.rows(table):
        state.apply(from_row(row))
    return state
