"""Witness of one table: checks openings and the record against what this client received and did.

Its JSON form outlives the process. The first thing that does not fit becomes the `alarm`, with the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from facedown.core.chance import entropy_commitment, pick_commitment, seed_commitment
from facedown.core.record import Record
from facedown.protocol.messages import Ev, SealInfo, SeatInfo, Snap, TableInfo

FORMAT: Final = "facedown/witness/1"
Trouble = Literal["promise", "seats", "entropy", "unopened", "seal", "pick", "seed", "record"]


class Alarm(Struct, frozen=True):
    """The first thing that did not fit: its kind and place, what was received before, and what came."""

    kind: Trouble
    decision: int = 0
    seat: int = 0
    heard: str = ""
    came: str = ""


class OwnSeal(Struct, frozen=True):
    """A pick that this client sealed itself."""

    pick: str
    nonce: str
    commit: str
    after: tuple[int, ...] = ()
    """The seats whose commitments were known by then."""
    opened: bool = False
    """At a blind table: whether the server has acknowledged that this seat opened it."""


class WitnessMemory(Struct):
    """Everything that is remembered of a table until its review."""

    table: str
    seat: int
    format: str = FORMAT
    seed_commit: str = ""
    entropy: str = ""
    """What this seat contributes to the deal."""
    opened: bool = False
    """Whether the server has acknowledged that it was opened."""
    dealt: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By seat: a person or a machine, and the commitment to entropy, when the game was dealt."""
    seals: dict[int, list[SealInfo]] = field(default_factory=dict)
    """By decision, in the order of arrival."""
    own: dict[int, OwnSeal] = field(default_factory=dict)
    blind: bool = False
    """Whether the server must not know a pick before all have sealed; once true, it stays so."""
    alarm: Alarm | None = None


class Witness:
    """Checks what comes against what was received before."""

    def __init__(self, table: str, seat: int, entropy: str = "", kept: bytes | None = None) -> None:
        self.memory = _read(kept, table, seat) or WitnessMemory(table, seat)
        self.memory.entropy = entropy or self.memory.entropy

    @property
    def alarm(self) -> Alarm | None:
        """What did not fit; None as long as everything does."""
        return self.memory.alarm

    def write(self) -> bytes:
        return msgspec.json.encode(self.memory)

    # --- what happens --------------------------------------------------------------------------------

    def take_snapshot(self, snap: Snap) -> None:
        info = snap.table
        self._check_promise(info.seed_commit)
        self.memory.blind = self.memory.blind or info.seal == "blind"
        if info.state in ("playing", "over"):
            self._check_deal(info.seats)
        if info.turn is not None:
            promised = () if info.turn.promised is UNSET else info.turn.promised
            self._note_seals(info.turn.decision, (*promised, *info.turn.sealed))
        self._check_seed(info.seed)

    def take_event(self, event: Ev, info: TableInfo | None) -> None:
        """Take in one event; `info` is the table after it, if known."""
        if event.k in ("sealed", "promised") and event.decision is not UNSET and event.commit is not UNSET:
            self._note_seals(event.decision, (SealInfo(event.seat or 0, event.commit, event.flag is True),))
        elif event.k == "revealed" and event.opens is not UNSET:
            for each in event.opens:
                self._check_opened(event.decision or 0, each.seat, each.pick, each.nonce)
        elif event.k == "opened" and event.entropy is not UNSET:
            self._check_entropy(event.seat or 0, event.entropy, () if event.seats is UNSET else event.seats)
        elif event.k == "unopened" and event.unopened is not UNSET:
            if self.memory.opened and self.memory.seat in event.unopened:
                self._raise_alarm(Alarm("unopened", seat=self.memory.seat))
        elif event.k == "over" and event.seed is not UNSET:
            self._check_seed(event.seed)
        # Of events that come together only the last has the state of the table: before it, seats may be old.
        stands = event.state is not UNSET and event.state in ("playing", "over")
        if stands and info is not None and (event.k == "dealt" or event.seats is not UNSET):
            self._check_deal(info.seats)

    def note_opened(self) -> None:
        self.memory.opened = True

    def note_seal(self, decision: int, pick: str, nonce: str, commit: str) -> None:
        """Note a pick that this client seals; an earlier one that the server has stays, to be opened."""
        before = self.memory.own.get(decision)
        if before is not None and self._is_received(decision, self.memory.seat, before.commit):
            return
        known = tuple(each.seat for each in self.memory.seals.get(decision, ()))
        self.memory.own[decision] = OwnSeal(pick, nonce, commit, known)

    def _is_received(self, decision: int, seat: int, commit: str) -> bool:
        heard = self.memory.seals.get(decision, ())
        return any((each.seat, each.commit) == (seat, commit) for each in heard)

    def to_reveal(self, info: TableInfo) -> OwnSeal | None:
        """The pick that this client has to open now: every seal of the decision has been received."""
        turn, memory = info.turn, self.memory
        if turn is None or turn.to_open is UNSET or memory.seat not in turn.to_open or self.alarm is not None:
            return None
        own = memory.own.get(turn.decision)
        heard = {each.seat for each in memory.seals.get(turn.decision, ())}
        due = {seat for wave in turn.waiting for seat in wave}
        if own is None or not due <= heard or not self._is_received(turn.decision, memory.seat, own.commit):
            return None
        return own

    def note_revealed(self, decision: int) -> None:
        own = self.memory.own.get(decision)
        if own is not None:
            self.memory.own[decision] = replace(own, opened=True)

    def _check_promise(self, seed_commit: str) -> None:
        known = self.memory.seed_commit
        if known and known != seed_commit:
            self._raise_alarm(Alarm("promise", heard=known, came=seed_commit))
        self.memory.seed_commit = known or seed_commit

    def _check_deal(self, seats: tuple[SeatInfo, ...]) -> None:
        """Check the seats of the deal, fixed from then on; a machine may replace a person later."""
        memory = self.memory
        now = {each.seat: each.commit or "" for each in seats}
        if not memory.dealt:
            memory.dealt = {
                each.seat: ("machine" if each.commit is None else "person", each.commit or "")
                for each in seats
            }
        for seat, (_, commit) in memory.dealt.items():
            if now.get(seat) != commit:
                self._raise_alarm(Alarm("seats", seat=seat, heard=commit, came=now.get(seat, "")))
        for each in seats:
            if each.opened:
                self._check_entropy(each.seat, each.opened, (each,))
        mine = next((each for each in seats if each.seat == memory.seat), None)
        if memory.opened and mine is not None and mine.replaced_at is None and mine.opened != memory.entropy:
            self._raise_alarm(
                Alarm("unopened", seat=memory.seat, heard=memory.entropy, came=mine.opened or "")
            )

    def _check_entropy(self, seat: int, entropy: str, seats: tuple[SeatInfo, ...]) -> None:
        """Check that a seat opened what it promised; `seats` are the current ones."""
        place = next((each for each in seats if each.seat == seat), None)
        if place is None or place.commit is None:
            return
        if entropy_commitment(self.memory.table, seat, bytes.fromhex(entropy)).hex() != place.commit:
            self._raise_alarm(Alarm("entropy", seat=seat, heard=place.commit, came=entropy))

    def _note_seals(self, decision: int, seals: Iterable[SealInfo]) -> None:
        heard = self.memory.seals.setdefault(decision, [])
        for each in seals:
            known = next((one for one in heard if one.seat == each.seat), None)
            if known is None:
                heard.append(each)
            elif known.commit != each.commit and not each.flag:
                self._raise_alarm(Alarm("seal", decision, each.seat, known.commit, each.commit))
            mine = self.memory.own.get(decision) if each.seat == self.memory.seat else None
            if mine is not None and not each.flag and each.commit != mine.commit:
                self._raise_alarm(Alarm("pick", decision, each.seat, mine.commit, each.commit))

    def _check_opened(self, decision: int, seat: int, pick: str, nonce: str) -> None:
        if not nonce and self.memory.blind:
            self._check_forfeit(decision, seat)
            return
        commit = pick_commitment(self.memory.table, decision, seat, pick, bytes.fromhex(nonce)).hex()
        known = next((each for each in self.memory.seals.get(decision, ()) if each.seat == seat), None)
        if known is None or known.commit != commit:
            self._raise_alarm(Alarm("seal", decision, seat, "" if known is None else known.commit, commit))

    def _check_forfeit(self, decision: int, seat: int) -> None:
        """A seat did not open its pick: false for mine, once the server has acknowledged it."""
        own = self.memory.own.get(decision)
        if seat == self.memory.seat and own is not None and own.opened:
            self._raise_alarm(Alarm("pick", decision, seat, own.commit, "forfeit"))

    def _check_seed(self, seed: str | None) -> None:
        if not seed:
            return
        commit = seed_commitment(self.memory.table, bytes.fromhex(seed)).hex()
        if self.memory.seed_commit and commit != self.memory.seed_commit:
            self._raise_alarm(Alarm("seed", heard=self.memory.seed_commit, came=commit))

    def _raise_alarm(self, alarm: Alarm) -> None:
        if self.memory.alarm is None:
            self.memory.alarm = alarm

    # --- the record ----------------------------------------------------------------------------------

    def differences(self, record: Record) -> list[Alarm]:
        """Where the record of the game differs from what this client received and did."""
        fair, memory = record.fair, self.memory
        if fair is None:
            return [Alarm("record")] if memory.seals else []
        found: list[Alarm] = []
        if memory.seed_commit and fair.seed_commit.hex() != memory.seed_commit:
            found.append(Alarm("promise", heard=memory.seed_commit, came=fair.seed_commit.hex()))
        shares = {each.seat: each for each in fair.entropy_shares}
        if memory.dealt and len(memory.dealt) != len(record.seats):
            found.append(Alarm("seats", heard=str(len(memory.dealt)), came=str(len(record.seats))))
        for seat, (_, commit) in memory.dealt.items():
            came = "" if seat not in shares else shares[seat].commit.hex()
            if came != commit:
                found.append(Alarm("seats", seat=seat, heard=commit, came=came))
        mine = shares.get(memory.seat)
        opened = "" if mine is None or mine.opened is None else mine.opened.hex()
        if memory.opened and opened != memory.entropy:
            found.append(Alarm("unopened", seat=memory.seat, heard=memory.entropy, came=opened))
        for decision, heard in memory.seals.items():
            found += _seal_differences(record, decision, heard)
        for decision, own in memory.own.items():
            found += self._own_differences(record, decision, own)
        return found

    def _own_differences(self, record: Record, decision: int, own: OwnSeal) -> list[Alarm]:
        """Check that my pick is the one I sealed, and that machines were bound when the record says so."""
        fair, seat = record.fair, self.memory.seat
        if fair is None or decision > len(fair.seals):
            return []
        seals = fair.seals[decision - 1]
        places = [each.seat for each in seals]
        if seat not in places:
            return []
        mine = seals[places.index(seat)]
        if mine.flag or mine.machine:
            return []
        if mine.forfeit and not own.opened and mine.commit.hex() == own.commit:
            return []
        if (mine.commit.hex(), str(record.picks[decision - 1][seat - 1])) != (own.commit, own.pick):
            return [Alarm("pick", decision, seat, own.commit, mine.commit.hex())]
        before = {each.seat for each in seals[: places.index(seat)] if each.machine}
        return [Alarm("seal", decision, each) for each in before if each not in own.after and own.after]


def _seal_differences(record: Record, decision: int, heard: list[SealInfo]) -> list[Alarm]:
    fair = record.fair
    if fair is None or decision > len(fair.seals) or not fair.seals[decision - 1]:
        return []  # the decision was never turned: a player resigned, or the game was over
    seals = {each.seat: each for each in fair.seals[decision - 1]}
    found = []
    for each in heard:
        seal = seals.get(each.seat)
        came = "" if seal is None else seal.commit.hex()
        if seal is None or (came != each.commit and not seal.flag):
            found.append(Alarm("seal", decision, each.seat, each.commit, came))
        elif seal.flag and not each.flag and came == each.commit:
            found.append(Alarm("seal", decision, each.seat, each.commit, "flag"))
    return found


def _read(kept: bytes | None, table: str, seat: int) -> WitnessMemory | None:
    """The memory of this seat; None if there is none that can be read."""
    if not kept:
        return None
    try:
        found = msgspec.json.decode(kept, type=WitnessMemory)
    except (msgspec.MsgspecError, ValueError):
        return None
    same: tuple[Any, ...] = (found.format, found.table, found.seat)
    return found if same == (FORMAT, table, seat) else None
