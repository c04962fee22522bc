"""The chain of a table's links: folds them into the head, and refuses a link where it is not allowed.

Clients and `verify` share this state machine. It knows who sits where, what is promised, sealed and opened,
and the clocks; it knows no rule of any game: its callers compare the lists of due seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, final

from facedown.core.chance import entropy_commitment, seed_commitment
from facedown.core.clocks import Clocks
from facedown.core.errors import NotVerified
from facedown.core.game import Waves
from facedown.core.links import NO_HEAD, ChainSetup, Link, LinkValue, head_after
from facedown.core.seats import Seat

PERSON: Final = "person"
MACHINE: Final = "machine"
CLOCK: Final = "clock"
"""Who places a pick. The nonces of machines and of the clock follow from the key of the deal."""

Alarm: TypeAlias = Literal["order", "promises", "clock"]


class LinkRefused(NotVerified):
    """A link that is not allowed where it is; `alarm` says what it breaks."""

    code = "link_refused"

    def __init__(self, alarm: Alarm, say: str) -> None:
        super().__init__(say)
        self.alarm = alarm


class PlacedSeal(NamedTuple):
    """The seal of one pick, and who placed it."""

    placer: str
    commit: str


@dataclass(frozen=True, slots=True)
class Promised:
    """What a machine is bound to in the open decision."""

    machine: str
    commit: str


@final
class Chain:
    """The links of one table so far. `add` is the only way to change it; a refused link changes nothing."""

    def __init__(self) -> None:
        self.number = -1
        """The number of the last link; -1 before the first."""
        self.head = NO_HEAD
        self.table = ""
        self.key = ""
        """The server's public key, in hexadecimal."""
        self.seed_commit = ""
        self.setup = ChainSetup("", 1, "", ())
        self.machines: list[str] = []
        """The machine on each seat; empty for a person's."""
        self.taken: set[Seat] = set()
        """The seats of people that are taken."""
        self.promises: dict[Seat, str] = {}
        """The promises of random numbers in this attempt to deal."""
        self.opened: dict[Seat, str] = {}
        self.voids = 0
        """How often a deal came to nothing because a person did not open their number."""
        self.full: bytes | None = None
        """The head of the link `full` of this attempt; None while seats may change."""
        self.dealt: bytes | None = None
        """The head of the link `dealt`."""
        self.dealt_machines: tuple[str, ...] = ()
        """The machine on each seat when the game was dealt."""
        self.decision = 0
        """The open decision; 0 before the deal."""
        self.decision_head = NO_HEAD
        """The head of the link that opened it: every seal of the decision is made on it."""
        self.due: Waves = ()
        self.promised: dict[Seat, Promised] = {}
        self.sealed: dict[Seat, PlacedSeal] = {}
        self.shown: set[Seat] = set()
        self.forfeits: dict[Seat, int] = {}
        self.result: dict[str, LinkValue] | None = None
        self.seed = ""
        self.ended = ""
        """`over` or `closed`, once the last link is there."""
        self.clocks = Clocks(self.setup.clock, ())
        self.open_until: int | None = None
        """When the time for opening ends: of random numbers before the deal, of picks at a blind table."""

    # --- queries ---------------------------------------------------------------------------------------

    def is_person(self, seat: Seat) -> bool:
        return 1 <= seat <= len(self.machines) and not self.machines[seat - 1]

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people, in seat order."""
        return tuple(seat for seat in range(1, len(self.machines) + 1) if self.is_person(seat))

    @property
    def due_seats(self) -> tuple[Seat, ...]:
        """Everyone who has to pick in the open decision."""
        return tuple(seat for wave in self.due for seat in wave)

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        """Who may seal now: the seats of the first wave that is not complete."""
        for wave in self.due:
            left = tuple(seat for seat in wave if seat not in self.sealed)
            if left:
                return left
        return ()

    @property
    def all_sealed(self) -> bool:
        return bool(self.due) and all(seat in self.sealed for seat in self.due_seats)

    @property
    def unpromised(self) -> tuple[Seat, ...]:
        """The machines that have to pick and are not bound yet: no person seals before them."""
        return tuple(
            seat
            for seat in self.due_seats
            if not self.is_person(seat) and seat not in self.promised and seat not in self.sealed
        )

    @property
    def unopened(self) -> tuple[Seat, ...]:
        """At a blind table, once all have sealed: the seats that have not opened their picks."""
        if not self.setup.blind or not self.all_sealed:
            return ()
        people = [seat for seat in self.due_seats if self.sealed[seat].placer == PERSON]
        return tuple(seat for seat in sorted(people) if seat not in self.shown)

    # --- the fold --------------------------------------------------------------------------------------

    def add(self, link: Link) -> bytes:
        """Fold the next link; the head after it. Raises `LinkRefused` if it is not allowed here."""
        if self.ended:
            raise LinkRefused("order", f"a link after the last one, {self.ended!r}")
        if (link.kind == "made") != (self.number < 0):
            raise LinkRefused("order", "the first link, and no other, creates the table")
        commit = _RULES[link.kind](self, link)
        self.number += 1
        self.head = head_after(self.head, self.number, link)
        commit()
        return self.head


_Commit: TypeAlias = Callable[[], None]


def _refuse(say: str, decision: int = 0, seat: Seat = 0, alarm: Alarm = "order") -> LinkRefused:
    error = LinkRefused(alarm, say)
    error.at(decision=decision or None, seat=seat or None)
    return error


# Each rule checks a link on the chain before it, and returns what changes once the link is folded.


def _add_made(chain: Chain, link: Link) -> _Commit:
    table, key, setup, seed_commit = link.fields
    read = ChainSetup.read(setup)

    def commit() -> None:
        chain.table, chain.key, chain.setup, chain.seed_commit = table, key, read, seed_commit
        chain.machines = [*read.seats]

    return commit


def _check_seating(chain: Chain, seat: Seat) -> None:
    """Raise unless seats may change, and this is a seat."""
    if chain.full is not None:
        raise _refuse("the seats are fixed once all are taken", seat=seat, alarm="promises")
    if seat > len(chain.machines):
        raise _refuse("there is no such seat", seat=seat)


def _add_sat(chain: Chain, link: Link) -> _Commit:
    seat, promise = link.fields
    _check_seating(chain, seat)
    if not chain.is_person(seat) or seat in chain.promises:
        raise _refuse("the seat is a machine's, or has promised its number already", seat=seat)

    def commit() -> None:
        chain.taken.add(seat)
        chain.promises[seat] = promise

    return commit


def _add_freed(chain: Chain, link: Link) -> _Commit:
    (seat,) = link.fields
    _check_seating(chain, seat)
    if seat not in chain.taken:
        raise _refuse("a seat is freed that nobody has", seat=seat)
    return lambda: _free(chain, seat)


def _free(chain: Chain, seat: Seat) -> None:
    chain.taken.discard(seat)
    chain.promises.pop(seat, None)


def _add_filled(chain: Chain, link: Link) -> _Commit:
    seat, machine = link.fields
    _check_seating(chain, seat)
    if not machine or not chain.is_person(seat) or seat in chain.taken:
        raise _refuse("a machine can only take a free seat", seat=seat)

    def commit() -> None:
        chain.machines[seat - 1] = machine

    return commit


def _add_dropped(chain: Chain, link: Link) -> _Commit:
    (left,) = link.fields
    _check_seating(chain, left)
    if any(
        seat in chain.taken or not chain.is_person(seat) for seat in range(left + 1, len(chain.machines) + 1)
    ):
        raise _refuse("only free seats can be dropped")

    def commit() -> None:
        del chain.machines[left:]

    return commit


def _add_full(chain: Chain, link: Link) -> _Commit:
    if chain.full is not None:
        raise _refuse("all seats were taken already")
    missing = [seat for seat in chain.people if seat not in chain.promises]
    if missing:
        raise _refuse("not every person has promised a number", seat=missing[0])

    def commit() -> None:
        chain.full = chain.head
        chain.open_until = link.at + chain.setup.opening

    return commit


def _add_opened(chain: Chain, link: Link) -> _Commit:
    seat, entropy = link.fields
    if chain.full is None or chain.dealt is not None or seat in chain.opened or not chain.is_person(seat):
        raise _refuse("numbers are opened once by each person, between the last seat and the deal", seat=seat)
    if entropy_commitment(chain.table, seat, bytes.fromhex(entropy)).hex() != chain.promises[seat]:
        raise _refuse("a number was opened that was not promised", seat=seat, alarm="promises")

    def commit() -> None:
        chain.opened[seat] = entropy

    return commit


def _add_void(chain: Chain, link: Link) -> _Commit:
    (unopened,) = link.fields
    if chain.full is None or chain.dealt is not None or chain.open_until is None:
        raise _refuse("a deal can only come to nothing between the last seat and the deal")
    if not unopened or sorted(unopened) != [seat for seat in chain.people if seat not in chain.opened]:
        raise _refuse("the seats that did not open their numbers are not those that are named")
    if link.at < chain.open_until:
        raise _refuse("the time for opening numbers is not over", seat=unopened[0], alarm="clock")

    def commit() -> None:
        for seat in unopened:
            _free(chain, seat)
        chain.promises.clear()
        chain.opened.clear()
        chain.full, chain.open_until = None, None
        chain.voids += 1

    return commit


def _add_dealt(chain: Chain, link: Link) -> _Commit:
    (due,) = link.fields
    if chain.full is None or chain.dealt is not None:
        raise _refuse("a game is dealt once, after all seats are taken")
    missing = [seat for seat in chain.people if seat not in chain.opened]
    if missing:
        raise _refuse("dealt without a person's number", seat=missing[0], alarm="promises")
    _check_due(chain, due)

    def commit() -> None:
        continues = chain.setup.continues
        chain.dealt, chain.dealt_machines = chain.head, tuple(chain.machines)
        chain.clocks = Clocks(chain.setup.clock, chain.people)
        chain.clocks.open_game(chain.people, link.at)
        chain.decision = 0 if continues is None else continues.decisions
        _open_decision(chain, due, link.at)

    return commit


def _check_due(chain: Chain, due: LinkValue) -> None:
    if any(seat > len(chain.machines) for wave in due for seat in wave):
        raise _refuse("a seat is due that is not there", chain.decision + 1)


def _open_decision(chain: Chain, due: LinkValue, at: int) -> None:
    chain.decision += 1
    chain.decision_head = chain.head
    chain.due = tuple(tuple(wave) for wave in due)
    chain.open_until = None
    for each in (chain.promised, chain.sealed, chain.shown):
        each.clear()
    _run_clocks(chain, at)


def _run_clocks(chain: Chain, at: int) -> None:
    chain.clocks.wait_for([seat for seat in chain.may_seal if chain.is_person(seat)], at)


def _check_decision(chain: Chain, decision: int, seat: Seat = 0) -> None:
    """Raise unless this decision is open."""
    if chain.dealt is None or decision != chain.decision or not chain.due:
        raise _refuse("this decision is not open", decision, seat)


def _add_ready(chain: Chain, link: Link) -> _Commit:
    (seat,) = link.fields
    if seat not in chain.clocks.unready:
        raise _refuse("no clock waits until this seat is ready", chain.decision, seat)
    return lambda: chain.clocks.set_ready(seat, link.at)


def _add_promised(chain: Chain, link: Link) -> _Commit:
    decision, seat, machine, seal = link.fields
    _check_decision(chain, decision, seat)
    if seat not in chain.due_seats or chain.is_person(seat) or chain.machines[seat - 1] != machine:
        raise _refuse("only a machine that is due can promise a pick", decision, seat)
    if seat in chain.promised or seat in chain.sealed:
        raise _refuse("a second promise of a machine", decision, seat)

    def commit() -> None:
        chain.promised[seat] = Promised(machine, seal)

    return commit


def _add_sealed(chain: Chain, link: Link) -> _Commit:
    decision, seat, placer, seal = link.fields
    _check_decision(chain, decision, seat)
    if seat in chain.sealed:
        raise _refuse("a second seal of one seat in a decision", decision, seat)
    if seat not in chain.may_seal:
        raise _refuse("this seat is not to seal now", decision, seat)
    if placer not in (PERSON, MACHINE, CLOCK) or (placer == MACHINE) is chain.is_person(seat):
        raise _refuse("a pick of a person's seat by a machine, or the other way round", decision, seat)
    if placer == MACHINE and (seat not in chain.promised or chain.promised[seat].commit != seal):
        raise _refuse("a machine sealed what it had not promised", decision, seat)
    if placer == PERSON and chain.unpromised:
        raise _refuse("a person sealed before every machine was bound", decision, seat)
    if placer == CLOCK:
        _check_clock(chain, decision, seat, link.at)

    def commit() -> None:
        chain.sealed[seat] = PlacedSeal(placer, seal)
        chain.clocks.stop(seat, chain.clocks.spent(seat, link.at))
        chain.clocks.set_ready(seat, link.at)
        _run_clocks(chain, link.at)
        if chain.unopened:
            chain.open_until = link.at + chain.setup.opening

    return commit


def _check_clock(chain: Chain, decision: int, seat: Seat, at: int) -> None:
    if not chain.clocks.runs:
        raise _refuse("the clock picked at a table without a clock", decision, seat, "clock")
    if at < chain.clocks.deadlines[seat]:
        raise _refuse("the clock picked before the time was up", decision, seat, "clock")


def _add_shown(chain: Chain, link: Link) -> _Commit:
    decision, seat = link.fields
    _check_decision(chain, decision, seat)
    if seat not in chain.unopened:
        raise _refuse("this seat has no pick to open now", decision, seat)
    return lambda: chain.shown.add(seat)


def _add_revealed(chain: Chain, link: Link) -> _Commit:
    decision, forfeited, due = link.fields
    _check_decision(chain, decision)
    if not chain.all_sealed:
        raise _refuse("picks were turned before all had sealed", decision)
    if sorted(forfeited) != list(chain.unopened):
        raise _refuse("the seats that did not open their picks are not those that forfeit", decision)
    if forfeited and (chain.open_until is None or link.at < chain.open_until):
        raise _refuse("the time for opening picks is not over", decision, forfeited[0], "clock")
    _check_due(chain, due)

    def commit() -> None:
        for seat in forfeited:
            chain.forfeits[seat] = chain.forfeits.get(seat, 0) + 1
        chain.clocks.show_result(link.at)
        _open_decision(chain, due, link.at)

    return commit


def _add_resigned(chain: Chain, link: Link) -> _Commit:
    decision, seat, due = link.fields
    _check_decision(chain, decision, seat)
    if chain.unopened:
        raise _refuse("a seat resigned while picks are being opened", decision, seat)
    if seat > len(chain.machines):
        raise _refuse("there is no such seat", decision, seat)
    _check_due(chain, due)

    def commit() -> None:
        chain.clocks.show_result(link.at)
        _open_decision(chain, due, link.at)

    return commit


def _check_handover(chain: Chain, decision: int, seat: Seat) -> None:
    if chain.dealt is None or not chain.due or seat > len(chain.machines):
        raise _refuse("no game is being played, or there is no such seat", decision, seat)
    if decision != chain.decision + (seat in chain.sealed):
        raise _refuse("a seat changes hands where it has not sealed", decision, seat)


def _add_replaced(chain: Chain, link: Link) -> _Commit:
    decision, seat, machine = link.fields
    _check_handover(chain, decision, seat)
    if not machine or not chain.is_person(seat):
        raise _refuse("a machine can only replace a person", decision, seat)

    def commit() -> None:
        chain.machines[seat - 1] = machine
        _run_clocks(chain, link.at)

    return commit


def _add_reclaimed(chain: Chain, link: Link) -> _Commit:
    decision, seat = link.fields
    _check_handover(chain, decision, seat)
    if chain.is_person(seat) or chain.dealt_machines[seat - 1]:
        raise _refuse("only a person who was replaced can take a seat back", decision, seat)

    def commit() -> None:
        chain.machines[seat - 1] = ""
        _run_clocks(chain, link.at)

    return commit


def _add_outage(chain: Chain, link: Link) -> _Commit:
    (ms,) = link.fields

    def commit() -> None:
        chain.clocks.extend(ms)
        if chain.open_until is not None:
            chain.open_until += ms

    return commit


def _add_over(chain: Chain, link: Link) -> _Commit:
    result, seed = link.fields
    if chain.dealt is None or chain.due:
        raise _refuse("the game ended although seats are due", chain.decision)
    if seed_commitment(chain.table, bytes.fromhex(seed)).hex() != chain.seed_commit:
        raise _refuse("the seed is not the one that was promised", alarm="promises")

    def commit() -> None:
        chain.result, chain.seed, chain.ended = result, seed, "over"

    return commit


def _add_closed(chain: Chain, link: Link) -> _Commit:
    def commit() -> None:
        chain.ended = "closed"

    return commit


_RULES: Final[dict[str, Callable[[Chain, Link], _Commit]]] = {
    "made": _add_made,
    "sat": _add_sat,
    "freed": _add_freed,
    "filled": _add_filled,
    "dropped": _add_dropped,
    "full": _add_full,
    "opened": _add_opened,
    "void": _add_void,
    "dealt": _add_dealt,
    "ready": _add_ready,
    "promised": _add_promised,
    "sealed": _add_sealed,
    "shown": _add_shown,
    "revealed": _add_revealed,
    "resigned": _add_resigned,
    "replaced": _add_replaced,
    "reclaimed": _add_reclaimed,
    "outage": _add_outage,
    "over": _add_over,
    "closed": _add_closed,
}
