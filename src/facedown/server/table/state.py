"""The state of a table, folded from its facts: seats, game, seals, clocks. Only `apply` changes it.

It holds secrets (the seed, face-down picks). Viewers receive what `snapshot` and `updates` build from it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, final

from msgspec.structs import replace

from facedown.bots.find import substitute_bot
from facedown.core import registry
from facedown.core.chain import PERSON
from facedown.core.chance import Seeded, table_key
from facedown.core.clocks import Clocks
from facedown.core.events import Event
from facedown.core.game import FORFEIT, AnyGame, Pick, Step, Waves
from facedown.core.links import NO_HEAD, Link, head_after
from facedown.core.match import Match
from facedown.core.parts.story import Story, story_of
from facedown.core.replay import AnyMatch, Continued
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.errors import BrokenTable, TableFull
from facedown.protocol.messages import ChatMessage, GameResult, Phase, ReplacedSeat
from facedown.server.store.values import EventRow
from facedown.server.table import facts
from facedown.server.table.actor import sender_of
from facedown.server.table.facts import LogEntry, from_row

_OPENS_DECISION: Final = frozenset({"dealt", "revealed", "resigned"})
"""The kinds of links with which a decision opens."""
KEPT_MESSAGES: Final = 50
"""How many of the newest chat messages a snapshot holds; all of them stay in the store."""
MOST_SAID: Final = 1000
"""The most messages of one person on a seat that a table holds."""
MOST_SAID_WATCHING: Final = 50
"""The most messages of one spectator."""
MOST_SAID_BY_SPECTATORS: Final = 1000
MOST_CHANGES: Final = 500
"""The most other facts outside the game (`is_talk`) that one person can add: names, seats, offers."""


class StepResult(NamedTuple):
    """The result of a deal, a reveal or a resignation: its events, and the picks that were revealed."""

    events: tuple[Event, ...]
    due: Waves
    """Who has to pick in the decision that it opens."""
    picks: tuple[tuple[Seat, Pick, str], ...] = ()
    """Seat, pick and nonce; the nonce is empty if the seat never opened its seal."""


class SealedPick(NamedTuple):
    """The seal of a pick in the open decision: its commitment, who placed it, and the place of its nonce."""

    commit: str
    placer: str
    nonce: str
    """Empty while only the seat knows it."""
    number: int
    """The number of the seal among all of the table."""


class Promise(NamedTuple):
    """The pick that a machine is bound to in the open decision, with its commitment and nonce."""

    machine: str
    pick: Pick
    commit: str
    nonce: str


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
        self.one_device = False
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
        self.seals: dict[Seat, SealedPick] = {}
        self.face_down: dict[Seat, Pick] = {}
        """The sealed picks of the open decision."""
        self.nonces: list[str | None] = []
        """For each seal of the table, the nonce with which a person's pick was turned; else None."""
        self.links: list[Link] = []
        self.heads: list[bytes] = []
        """The head after each link."""
        self.link_numbers: dict[int, int] = {}
        """The number of the link that a fact is, by the number of the fact."""
        self.full_head = self.decision_head = NO_HEAD
        """The heads of the link with which all seats were taken, and of the one that opened the decision."""
        self.said = Counter[str]()
        """The number of messages of each person. No one's share of a table can be filled by others."""
        self.said_by_spectators = 0
        self.changes = Counter[str]()
        """The number of each person's other facts outside the game: names, seats, offers."""
        self.answered: dict[tuple[Seat, str], int] = {}
        """The number of the fact of each command, by seat and command key."""
        self.chat: deque[SentMessage] = deque(maxlen=KEPT_MESSAGES)
        self.replacements: list[ReplacedSeat] = []
        self.result: GameResult | None = None
        self.story: Story | None = None
        self.next: str | None = None
        self.shared_by: set[Seat] = set()
        """The seats whose people shared the finished game."""
        self.ended_at: int | None = None
        self.open_until: int | None = None
        """When the table stops waiting for opened entropy, or a blind table for opened picks; None unless it
        waits for them."""
        self.resigning: dict[Seat, int] = {}
        """The seats that resign once all picks of the decision are open, with the facts of their commands."""
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
        return tuple([place for place in self.places if place.kind == "person"])

    @property
    def is_between_people(self) -> bool:
        """Whether two people or more play: in a game against machines, or on one device, no one waits."""
        return len({place.person for place in self.people if place.person is not None}) > 1

    @property
    def has_machines(self) -> bool:
        """Whether a machine plays a seat now."""
        return "machine" in [place.kind for place in self.places]

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that a person holds, including those that a machine plays for them."""
        return tuple(place.seat for place in self.places if person is not None and place.person == person)

    def holds_seat(self, person: str, seat: Seat) -> bool:
        """Whether this person holds this seat, or may take it back from a machine."""
        places = self.places
        return bool(person) and seat <= len(places) and places[seat - 1].person == person  # or dropped by now

    def unnamed_seats(self, viewer: Viewer, person: str | None) -> frozenset[Seat]:
        """The seats of a finished game that this reader may not name: people who lost it, unless they have
        shared it themselves. Players and the host may name everyone."""
        if self.result is None or self.result.winner is None or viewer != SPECTATOR:
            return frozenset()
        if person is not None and (person == self.host or self.seats_of(person)):
            return frozenset()
        named = {self.result.winner, *self.shared_by}
        return frozenset(place.seat for place in self.places if place.person and place.seat not in named)

    def check_message(self, person: str, seat: Seat) -> None:
        """Raise `TableFull` if a person has written too much here, or the spectators together have."""
        is_spectator = seat == SPECTATOR
        if self.said[person] >= (MOST_SAID_WATCHING if is_spectator else MOST_SAID):
            raise TableFull("too many messages of yours at this table")
        if is_spectator and self.said_by_spectators >= MOST_SAID_BY_SPECTATORS:
            raise TableFull("too many messages of spectators at this table")

    def check_change(self, person: str) -> None:
        """Raise `TableFull` if a person has changed names and seats here too often."""
        if self.changes[person] >= MOST_CHANGES:
            raise TableFull("too many changes of yours at this table: only its game goes on")

    @property
    def substitute(self) -> str:
        """The bot that takes over the seat of an absent player."""
        return self.setup.substitute or substitute_bot(self.setup.game)

    @property
    def deadline(self) -> int | None:
        """When the clocks of this table have to be checked next."""
        if not self.playing:
            return self.open_until
        return self.comes_until or self.open_until or self.clocks.next

    @property
    def comes_until(self) -> int | None:
        """Until when everyone has to be there for the first decision of a paired game; None if all are."""
        return self.clocks.ready_until if self.playing and self.setup.seating else None

    # --- the fold ------------------------------------------------------------------------------------

    def apply(self, entry: LogEntry) -> None:
        fact = entry.fact
        if fact.is_talk:
            self._count(entry)
        _APPLY[type(fact)](self, entry, fact)
        if fact.link_kind:
            self._add_link(entry, fact)
        self.log.append(entry)
        if entry.command:
            self.answered.setdefault((entry.seat, entry.command), entry.v)

    def _count(self, entry: LogEntry) -> None:
        """Count a fact outside the game for the person who added it; before it changes who has the seat."""
        fact = entry.fact
        if isinstance(fact, facts.ChatSent):
            self.said[self.speaker_of(entry)] += 1
            self.said_by_spectators += fact.seat == SPECTATOR
        elif isinstance(entry.secret, facts.SeatOwner):
            self.changes[entry.secret.person] += 1
        elif entry.command:
            self.changes[sender_of(entry.command)] += 1
        elif isinstance(fact, facts.SeatRenamed | facts.SeatReturned | facts.SeatFreed):
            self.changes[self.place(fact.seat).person or ""] += 1

    def _add_link(self, entry: LogEntry, fact: facts.TableFact) -> None:
        link = fact.link(self, entry.at)
        if link is None:
            return
        number = len(self.links)
        head = head_after(self.heads[-1] if number else NO_HEAD, number, link)
        self.links.append(link)
        self.heads.append(head)
        self.link_numbers[entry.v] = number
        if link.kind == "full":
            self.full_head = head
        elif link.kind in _OPENS_DECISION:
            self.decision_head = head

    def _apply_made(self, entry: LogEntry, fact: facts.TableCreated) -> None:
        secret = entry.secret
        assert isinstance(secret, facts.TableSecret)
        self.setup, self.chat_on = fact, fact.chat
        self.seed = bytes.fromhex(secret.seed)
        self.host = secret.host
        self.taken_over = (secret.chance, secret.picks)
        self.created_at = entry.at
        self.open_until = entry.at + fact.seating if fact.seating else None
        self.game: AnyGame = registry.get(fact.game, fact.version)
        self.rules = self.game.rules.read(fact.rules)
        self.places = [SeatPlace(seat, chair) for seat, chair in enumerate(fact.chairs, 1)]
        self.clocks = Clocks(fact.clock, [place.seat for place in self.people])

    def _apply_sat(self, entry: LogEntry, fact: facts.PersonSeated) -> None:
        assert isinstance(entry.secret, facts.SeatOwner)
        place = self.place(fact.seat)
        place.person = entry.secret.person
        place.name, place.commit = fact.name, fact.commit
        place.guest, place.one_device = fact.guest, entry.secret.one_device

    def _apply_renewed(self, _: LogEntry, fact: facts.EntropyPromised) -> None:
        self.place(fact.seat).commit = fact.commit

    def _apply_full(self, entry: LogEntry, _: facts.SeatsTaken) -> None:
        self.phase = "opening"
        self.open_until = entry.at + self.setup.opening

    def _apply_void(self, _: LogEntry, fact: facts.DealVoided) -> None:
        self.phase, self.open_until = "open", None
        for place in self.people:
            if place.seat in fact.unopened:
                place.clear()
            place.commit = place.opened = None

    def _apply_stood(self, _: LogEntry, fact: facts.SeatFreed) -> None:
        self.place(fact.seat).clear()

    def _apply_released(self, _: LogEntry, fact: facts.SeatReleased) -> None:
        place = self.place(fact.seat)
        place.kept_for, place.kept_name = None, ""
        place.clear()

    def _apply_filled(self, _: LogEntry, fact: facts.MachineSeated) -> None:
        chair = facts.SeatSetup("machine", fact.machine)
        chairs = (*self.setup.chairs[: fact.seat - 1], chair, *self.setup.chairs[fact.seat :])
        self.places[fact.seat - 1] = SeatPlace(fact.seat, chair)
        self._set_chairs(replace(self.setup, chairs=chairs))

    def _apply_dropped(self, _: LogEntry, fact: facts.SeatsDropped) -> None:
        del self.places[fact.left :]
        series = replace(self.setup.series, wins=self.setup.series.wins[: fact.left])
        chairs = self.setup.chairs[: fact.left]
        self._set_chairs(replace(self.setup, chairs=chairs, series=series))

    def _set_chairs(self, setup: facts.TableCreated) -> None:
        self.setup = setup
        self.clocks = Clocks(setup.clock, [place.seat for place in self.people])

    def _apply_shared(self, _: LogEntry, fact: facts.GameShared) -> None:
        self.shared_by.add(fact.by)

    def _apply_named(self, _: LogEntry, fact: facts.SeatRenamed) -> None:
        self.place(fact.seat).name = fact.name

    def _apply_opened(self, _: LogEntry, fact: facts.EntropyOpened) -> None:
        self.place(fact.seat).opened = fact.entropy

    def deal(self) -> facts.ChanceDrawn:
        """Deal from the seed and the opened entropy; returns the chance drawn, for the fact of the deal."""
        entropy = [bytes.fromhex(place.opened) for place in self.people if place.opened is not None]
        self.key = table_key(self.seed, self.id, self.full_head, entropy)
        names = [place.name for place in self.places]
        chance, picks = self.taken_over
        dealt = Seeded(self.key) if self.setup.continues is None else Continued(chance, self.key)
        match = self._match = Match(self.game, self.rules, names, dealt)
        self._deal_events = [*match.dealt.events]
        for joint in picks:
            self._deal_events += match.decide(joint).events
        return self.newly_drawn()

    def _apply_dealt(self, entry: LogEntry, _: facts.GameDealt) -> None:
        if not self.dealt:
            self.deal()
        self.phase, self.open_until = "playing", None
        self.step_results[entry.v] = StepResult(tuple(self._deal_events), self.match.pending)
        self._compare_chance(entry)
        self.clocks.open_game([place.seat for place in self.people], entry.at)
        self._run_clocks(entry.at)

    def _apply_ready(self, entry: LogEntry, fact: facts.SeatReady) -> None:
        self.clocks.set_ready(fact.seat, entry.at)

    def _apply_promised(self, entry: LogEntry, fact: facts.PickPromised) -> None:
        secret = entry.secret
        assert isinstance(secret, facts.PickSecret)
        self.promises[fact.seat] = Promise(fact.machine, secret.pick, fact.commit, secret.nonce)

    def _apply_sealed(self, entry: LogEntry, fact: facts.PickSealed) -> None:
        secret, seat = entry.secret, fact.seat
        self.place(seat).flagged = fact.flag
        self.clocks.stop(seat, entry.spent)
        self.clocks.set_ready(seat, entry.at)
        nonce = secret.nonce if isinstance(secret, facts.PickSecret) else ""
        self.seals[seat] = SealedPick(fact.commit, fact.placer, nonce, len(self.nonces))
        self.nonces.append(None)
        if isinstance(secret, facts.PickSecret):
            self.face_down[seat] = secret.pick
            self.step = self.match.seal(seat, secret.pick)
        else:
            self.match.seal_unknown(seat)  # only the seat knows its pick
        if self.step is None:
            self._run_clocks(entry.at)
            self.open_until = None if self.match.may_seal else entry.at + self.setup.opening

    def _apply_shown(self, entry: LogEntry, fact: facts.PickOpened) -> None:
        secret, seat = entry.secret, fact.seat
        assert isinstance(secret, facts.PickSecret)
        self.seals[seat] = self.seals[seat]._replace(nonce=secret.nonce)
        self.face_down[seat] = secret.pick
        self.step = self.match.fill(seat, secret.pick)

    def forfeit(self, seats: tuple[Seat, ...]) -> None:
        """Turn the picks without those of these seats, which did not open theirs in time."""
        for seat in seats:
            self.face_down[seat] = FORFEIT
            self.place(seat).flagged = True
            self.step = self.match.fill(seat, FORFEIT)

    def _apply_revealed(self, entry: LogEntry, fact: facts.PicksRevealed) -> None:
        if self.step is None:
            self.forfeit(fact.forfeited)
        assert self.step is not None
        picks = tuple([(seat, self.face_down[seat], self.seals[seat].nonce) for seat in sorted(self.seals)])
        for seal in self.seals.values():
            if seal.placer == PERSON:
                self.nonces[seal.number] = seal.nonce or None
        self.step_results[entry.v] = StepResult(self.step.events, self.match.pending, picks)
        self._close_decision(entry)

    def _apply_resigning(self, entry: LogEntry, fact: facts.ResignationAsked) -> None:
        self.resigning[fact.seat] = entry.v

    def _apply_resigned(self, entry: LogEntry, fact: facts.SeatResigned) -> None:
        events = self.match.resign(fact.seat).events
        self.step_results[entry.v] = StepResult(events, self.match.pending)
        self._close_decision(entry)

    @property
    def unpromised(self) -> tuple[Seat, ...]:
        """The machines that have not promised a pick in the open decision: no person seals before them."""
        if not self.playing or not self.has_machines:
            return ()
        places, promises, seals = self.places, self.promises, self.seals
        return tuple(
            [
                seat
                for wave in self.match.pending
                for seat in wave
                if places[seat - 1].kind == "machine" and seat not in promises and seat not in seals
            ]
        )

    def _close_decision(self, entry: LogEntry) -> None:
        self.promises.clear()
        self.seals.clear()
        self.face_down.clear()
        self.resigning.clear()
        self.step = self.open_until = None
        self._compare_chance(entry)
        self.clocks.show_result(entry.at)
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
        self.story = story_of(self.setup.game, self.match.view(SPECTATOR))

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
        is_said = isinstance(entry.fact, facts.ChatSent)
        return sender_of(entry.command) if is_said else ""

    def _apply_chat(self, _: LogEntry, fact: facts.ChatSwitched) -> None:
        self.chat_on = fact.on

    def _apply_rematch(self, _: LogEntry, fact: facts.RematchLinked) -> None:
        self.next = fact.next

    def _apply_outage(self, _: LogEntry, fact: facts.ServerOutage) -> None:
        self.clocks.extend(fact.ms)
        if self.open_until is not None:
            self.open_until += fact.ms

    def _apply_closed(self, entry: LogEntry, _: facts.TableClosed) -> None:
        self.phase, self.open_until = "closed", None
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
