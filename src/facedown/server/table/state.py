"""The state of a table, folded from its facts: seats, game, seals, clocks. Only `apply` changes it.

It holds secrets (the seed, face-down picks). Viewers receive what `snapshot` and `updates` build from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, final

from msgspec.structs import replace

from facedown.bots.find import substitute_bot
from facedown.core import registry
from facedown.core.chance import Seeded, deal_key
from facedown.core.events import Event
from facedown.core.fairness import DealtSeat, Seal
from facedown.core.game import AnyGame, Pick, Step
from facedown.core.match import Match
from facedown.core.replay import AnyMatch, Continued
from facedown.core.seats import Seat
from facedown.protocol.errors import BrokenTable, TableFull
from facedown.protocol.messages import ChatMessage, GameResult, Phase, ReplacedSeat
from facedown.server.clock import DAY_MS, MINUTE_MS, SECOND_MS
from facedown.server.store.values import EventRow
from facedown.server.table import facts
from facedown.server.table.actor import sender_of
from facedown.server.table.clocks import Clocks
from facedown.server.table.facts import LogEntry, from_row

OPENING_MS: Final = MINUTE_MS
"""How long seats may take to open their entropy, unless the game is by correspondence."""
OPEN_PICKS_MS: Final = 30 * SECOND_MS
"""How long the seats of a blind table may take to open their picks after all have sealed."""
KEPT_MESSAGES: Final = 50
"""How many of the newest chat messages a snapshot holds; all of them stay in the store."""
MOST_TALK: Final = 3000
"""The most facts outside the game (`is_talk`) that a table holds."""


class StepResult(NamedTuple):
    """The result of a deal, a reveal or a resignation: its events, and the picks that were revealed."""

    events: tuple[Event, ...]
    picks: tuple[tuple[Seat, Pick, str], ...] = ()
    """Seat, pick and nonce; the nonce is empty if the seat never opened its seal."""


class Promise(NamedTuple):
    """The pick that a machine is bound to in the open decision, with its seal."""

    seal: Seal
    pick: Pick


class SentMessage(NamedTuple):
    """A chat message and the id of the person who sent it, which no client receives."""

    person: str
    message: ChatMessage


@final
class SeatPlace:
    """A seat of the table, the person or machine on it, and what is agreed about it."""

    def __init__(self, seat: Seat, chair: facts.SeatSetup) -> None:
        self.seat = seat
        self.kind = chair.kind
        self.machine = chair.machine
        self.kept_for = chair.kept_for
        self.kept_name = chair.kept_name or ""
        self.name = self.machine or ""
        self.clear()

    def clear(self) -> None:
        self.person: str | None = None
        self.guest = False
        """Whether the name is that of another player on the person's device."""
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
        return self.kind == "machine" or self.person is not None


@final
class TableState:
    """The state of one table, secrets included."""

    def __init__(self, table: str) -> None:
        self.id = table
        self.log: list[LogEntry] = []
        self.step_results: dict[int, StepResult] = {}
        """What a deal, reveal or resignation led to, by the number of its fact."""
        self.phase: Phase = "open"
        self.places: list[SeatPlace] = []
        self.promises: dict[Seat, Promise] = {}
        """The promised picks of machines in the open decision, in the order in which they were published."""
        self._published: list[Seat] = []
        """The seats whose picks of the open decision are bound, in the order in which that became public."""
        self.dealt_seats: tuple[DealtSeat, ...] = ()
        """Who had each seat when the game was dealt."""
        self.seals: dict[Seat, Seal] = {}
        self.face_down: dict[Seat, Pick] = {}
        """The sealed picks of the open decision."""
        self.opened_seals: list[tuple[Seal, ...]] = []
        self.talk = 0
        """The number of facts outside the game: messages, names, seats."""
        self.answered: dict[tuple[Seat, str], int] = {}
        """The number of the fact of each command, by seat and command key."""
        self.chat: deque[SentMessage] = deque(maxlen=KEPT_MESSAGES)
        self.replacements: list[ReplacedSeat] = []
        self.result: GameResult | None = None
        self.next: str | None = None
        self.shared = False
        self.ended_at: int | None = None
        self.opening_until: int | None = None
        self.open_until: int | None = None
        """When a blind table stops waiting for opened picks; None unless it waits for them."""
        self.step: Step[Any] | None = None
        """The step that the last seal completed, until the fact of its reveal is applied."""
        self._drawn = 0
        self._deal_events: list[Event] = []
        """The events of the deal, and of the picks taken over if the table continues another game."""
        self._match: AnyMatch | None = None

    # --- queries -------------------------------------------------------------------------------------

    @property
    def head(self) -> int:
        return len(self.log)

    @property
    def match(self) -> AnyMatch:
        """The match; only once it is dealt."""
        if self._match is None:
            raise RuntimeError("the game is not dealt yet")
        return self._match

    @property
    def dealt(self) -> bool:
        return self._match is not None

    @property
    def playing(self) -> bool:
        return self.phase == "playing"

    def place(self, seat: Seat) -> SeatPlace:
        return self.places[seat - 1]

    @property
    def people(self) -> tuple[SeatPlace, ...]:
        return tuple(place for place in self.places if place.kind == "person")

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that a person holds, including those that a machine plays for them."""
        return tuple(place.seat for place in self.places if person is not None and place.person == person)

    def holds_seat(self, person: str, seat: Seat) -> bool:
        """Whether this person holds this seat, or may take it back from a machine."""
        place = self.places[seat - 1] if seat <= len(self.places) else None  # it may be dropped by now
        return place is not None and bool(person) and place.person == person

    def check_talk(self) -> None:
        """Raise `TableFull` if no more facts outside the game fit in."""
        if self.talk >= MOST_TALK:
            raise TableFull("too many messages and changes at this table: only its game goes on")

    @property
    def substitute(self) -> str:
        """The bot that takes over the seat of an absent player."""
        return self.setup.substitute or substitute_bot(self.setup.game)

    @property
    def deadline(self) -> int | None:
        """When the clocks of this table have to be checked next."""
        if self.phase == "opening":
            return self.opening_until
        return (self.open_until or self.clocks.next) if self.playing else None

    # --- the fold ------------------------------------------------------------------------------------

    def apply(self, entry: LogEntry) -> None:
        fact = entry.fact
        _APPLY[type(fact)](self, entry, fact)
        self.log.append(entry)
        self.talk += fact.is_talk
        if entry.command:
            self.answered.setdefault((entry.seat, entry.command), entry.v)

    def _apply_made(self, entry: LogEntry, fact: facts.TableCreated) -> None:
        secret = entry.secret
        assert isinstance(secret, facts.TableSecret)
        self.setup, self.chat_on = fact, fact.chat
        self.seed = bytes.fromhex(secret.seed)
        self.host = secret.host
        self.taken_over = (secret.chance, secret.picks)
        self.created_at = entry.at
        self.game: AnyGame = registry.get(fact.game, fact.version)
        self.rules = self.game.rules.read(fact.rules)
        self.places = [SeatPlace(seat, chair) for seat, chair in enumerate(fact.chairs, 1)]
        self.clocks = Clocks(fact.clock, [place.seat for place in self.people])
        self._open_entropy_when_full(entry.at)

    def _apply_sat(self, entry: LogEntry, fact: facts.PersonSeated) -> None:
        assert isinstance(entry.secret, facts.SeatOwner)
        place = self.place(fact.seat)
        place.person, place.name, place.commit = entry.secret.person, fact.name, fact.commit
        place.guest = fact.guest
        self._open_entropy_when_full(entry.at)

    def _open_entropy_when_full(self, at: int) -> None:
        if all(place.taken for place in self.places):
            self.phase = "opening"
            days = self.setup.clock.kind == "correspondence"
            self.opening_until = at + (DAY_MS if days else OPENING_MS)

    def _apply_stood(self, _: LogEntry, fact: facts.SeatFreed) -> None:
        self.place(fact.seat).clear()

    def _apply_released(self, _: LogEntry, fact: facts.SeatReleased) -> None:
        place = self.place(fact.seat)
        place.kept_for, place.kept_name = None, ""
        place.clear()

    def _apply_filled(self, entry: LogEntry, fact: facts.MachineSeated) -> None:
        chair = facts.SeatSetup("machine", fact.machine)
        chairs = (*self.setup.chairs[: fact.seat - 1], chair, *self.setup.chairs[fact.seat :])
        self.places[fact.seat - 1] = SeatPlace(fact.seat, chair)
        self._set_chairs(entry, replace(self.setup, chairs=chairs))

    def _apply_dropped(self, entry: LogEntry, fact: facts.SeatsDropped) -> None:
        del self.places[fact.left :]
        series = replace(self.setup.series, wins=self.setup.series.wins[: fact.left])
        chairs = self.setup.chairs[: fact.left]
        self._set_chairs(entry, replace(self.setup, chairs=chairs, series=series))

    def _set_chairs(self, entry: LogEntry, setup: facts.TableCreated) -> None:
        self.setup = setup
        self.clocks = Clocks(setup.clock, [place.seat for place in self.people])
        self._open_entropy_when_full(entry.at)

    def _apply_shared(self, _: LogEntry, __: facts.GameShared) -> None:
        self.shared = True

    def _apply_named(self, _: LogEntry, fact: facts.SeatRenamed) -> None:
        self.place(fact.seat).name = fact.name

    def _apply_opened(self, _: LogEntry, fact: facts.EntropyOpened) -> None:
        self.place(fact.seat).opened = fact.entropy

    def deal(self) -> facts.ChanceDrawn:
        """Deal from the seed and the opened entropy; returns the chance drawn, for the fact of the deal."""
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

    def _apply_unopened(self, _: LogEntry, __: facts.EntropyMissing) -> None:
        """Nothing changes: the deal that follows goes on without this entropy."""

    def _apply_dealt(self, entry: LogEntry, _: facts.GameDealt) -> None:
        if not self.dealt:
            self.deal()
        self.dealt_seats = tuple(DealtSeat(place.machine or "") for place in self.places)
        self.phase = "playing"
        self.step_results[entry.v] = StepResult(tuple(self._deal_events))
        self._compare_chance(entry)
        self._run_clocks(entry.at)

    def _apply_promised(self, entry: LogEntry, fact: facts.PickPromised) -> None:
        secret = entry.secret
        assert isinstance(secret, facts.PickSecret)
        commit, nonce = bytes.fromhex(fact.commit), bytes.fromhex(secret.nonce)
        self._published.append(fact.seat)
        self.promises[fact.seat] = Promise(Seal(fact.seat, commit, nonce, machine=fact.machine), secret.pick)

    def _apply_sealed(self, entry: LogEntry, fact: facts.PickSealed) -> None:
        secret, seat, commit = entry.secret, fact.seat, bytes.fromhex(fact.commit)
        if seat in self._published and not fact.machine:
            self._published.remove(seat)  # a machine had promised, but then a person sealed
        if seat not in self._published:
            self._published.append(seat)
        self.place(seat).flagged = fact.flag
        self.clocks.stop(seat, entry.spent)
        if isinstance(secret, facts.PickSecret):
            self.seals[seat] = Seal(seat, commit, bytes.fromhex(secret.nonce), fact.flag, fact.machine or "")
            self.face_down[seat] = secret.pick
            self.step = self.match.seal(seat, secret.pick)
        else:
            self.seals[seat] = Seal(seat, commit, b"")  # only the seat knows its pick
            self.match.seal_unknown(seat)
        if self.step is None:
            self._run_clocks(entry.at)
            self.open_until = None if self.match.may_seal else entry.at + OPEN_PICKS_MS

    def _apply_unsealed(self, entry: LogEntry, fact: facts.PickOpened) -> None:
        secret, seat = entry.secret, fact.seat
        assert isinstance(secret, facts.PickSecret)
        nonce, commit = bytes.fromhex(secret.nonce), self.seals[seat].commit
        self.seals[seat] = Seal(seat, commit, nonce, forfeit=fact.forfeit)
        self.face_down[seat] = secret.pick
        self.place(seat).flagged = fact.forfeit
        self.step = self.match.fill(seat, secret.pick)

    def _apply_revealed(self, entry: LogEntry, _: facts.PicksRevealed) -> None:
        assert self.step is not None
        picks = tuple(
            (seat, self.face_down[seat], self.seals[seat].nonce.hex()) for seat in sorted(self.seals)
        )
        self.step_results[entry.v] = StepResult(self.step.events, picks)
        self.opened_seals.append(tuple(self.seals[seat] for seat in self._published))
        self._close_decision(entry)

    def _apply_resigned(self, entry: LogEntry, fact: facts.SeatResigned) -> None:
        self.step_results[entry.v] = StepResult(self.match.resign(fact.seat).events)
        self.opened_seals.append(())
        self._close_decision(entry)

    @property
    def unpromised(self) -> tuple[Seat, ...]:
        """The machines that have not promised a pick in the open decision: no person seals before them."""
        if not self.playing:
            return ()
        return tuple(
            seat
            for wave in self.match.pending
            for seat in wave
            if self.place(seat).kind == "machine" and seat not in self.promises and seat not in self.seals
        )

    def _close_decision(self, entry: LogEntry) -> None:
        self.promises.clear()
        self._published.clear()
        self.seals.clear()
        self.face_down.clear()
        self.step = self.open_until = None
        self._compare_chance(entry)
        self._run_clocks(entry.at)

    def _compare_chance(self, entry: LogEntry) -> None:
        """Raise unless replaying a fact draws the chance that was drawn when it happened."""
        drawn = self.newly_drawn()
        self._drawn += len(drawn.chance)
        if isinstance(entry.secret, facts.ChanceDrawn) and entry.secret != drawn:
            raise BrokenTable(f"event {entry.v} of this table cannot be replayed by this version")

    def newly_drawn(self) -> facts.ChanceDrawn:
        """The chance drawn since the last fact that holds some."""
        return facts.ChanceDrawn(tuple([str(each) for each in self.match.chance.drawn[self._drawn :]]))

    def _run_clocks(self, at: int) -> None:
        waiting = [seat for seat in self.match.may_seal if self.place(seat).kind == "person"]
        self.clocks.wait_for(waiting, at)

    def _apply_over(self, entry: LogEntry, fact: facts.GameEnded) -> None:
        self.phase = "over"
        self.result = fact.result
        self.ended_at = entry.at

    def _apply_left(self, _: LogEntry, fact: facts.SeatLeft) -> None:
        self.place(fact.seat).left = True

    def _apply_back(self, _: LogEntry, fact: facts.SeatReturned) -> None:
        place = self.place(fact.seat)
        place.left, place.offered, place.agreed = False, None, ()

    def _apply_offered(self, _: LogEntry, fact: facts.ReplacementOffered) -> None:
        place = self.place(fact.seat)
        place.offered, place.agreed = fact.machine, (fact.by,)

    def _apply_agreed(self, _: LogEntry, fact: facts.ReplacementAgreed) -> None:
        place = self.place(fact.seat)
        place.agreed = (*place.agreed, fact.by)

    def _apply_replaced(self, entry: LogEntry, fact: facts.SeatReplaced) -> None:
        place = self.place(fact.seat)
        place.kind, place.machine = "machine", fact.machine
        place.offered, place.replaced_at = None, fact.decision
        self.replacements.append(ReplacedSeat(fact.seat, fact.machine, fact.decision))
        self._run_clocks(entry.at)

    def _apply_reclaimed(self, entry: LogEntry, fact: facts.SeatReclaimed) -> None:
        place = self.place(fact.seat)
        place.kind, place.machine, place.replaced_at = "person", None, None
        place.left, place.flagged, place.agreed = False, False, ()
        self.replacements = [
            replace(each, until=fact.decision) if (each.seat, each.until) == (fact.seat, None) else each
            for each in self.replacements
        ]
        self._run_clocks(entry.at)

    def _apply_said(self, entry: LogEntry, fact: facts.ChatSent) -> None:
        message = ChatMessage(fact.seat, fact.name, fact.text, fact.preset, entry.at, entry.v)
        self.chat.append(SentMessage(self.speaker_of(entry), message))

    def speaker_of(self, entry: LogEntry) -> str:
        """The id of the person who sent a chat message; empty for any other fact."""
        return sender_of(entry.command) if isinstance(entry.fact, facts.ChatSent) else ""

    def _apply_chat(self, _: LogEntry, fact: facts.ChatSwitched) -> None:
        self.chat_on = fact.on

    def _apply_rematch(self, _: LogEntry, fact: facts.RematchLinked) -> None:
        self.next = fact.next

    def _apply_outage(self, _: LogEntry, fact: facts.ServerOutage) -> None:
        self.clocks.extend(fact.ms)
        if self.opening_until is not None:
            self.opening_until += fact.ms
        if self.open_until is not None:
            self.open_until += fact.ms

    def _apply_closed(self, entry: LogEntry, _: facts.TableClosed) -> None:
        self.phase = "closed"
        self.ended_at = entry.at


_APPLY: Final[dict[type, Callable[[TableState, LogEntry, Any], None]]] = {
    fact: getattr(TableState, f"_apply_{tag}") for tag, fact in facts.FACTS.items()
}


def fold_rows(table: str, rows: Iterable[EventRow], known: Iterable[LogEntry] = ()) -> TableState:
    """The state of a table, folded from the entries already known and the rows after them."""
    state = TableState(table)
    for entry in (*known, *map(from_row, rows)):
        state.apply(entry)
    return state
