"""Witness of one table: folds every link, and compares what the server sends with what it sent before.

The first thing that does not fit becomes the `alarm`: nothing more is sent, and the evidence is kept. It also
says when this client may open its number, seal its pick and open its pick: from its own chain alone, never by
the server's word.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any, Final, Protocol

from msgspec import UNSET
from msgspec.structs import asdict, replace

from facedown.client.memory import (
    Alarm,
    OwnPick,
    SeatMemory,
    Statement,
    differences,
    evidence_of,
)
from facedown.client.memory import read_memory as read_kept
from facedown.core.chain import CLOCK, PERSON, Chain, LinkRefused
from facedown.core.chance import digest, entropy_commitment, pick_commitment
from facedown.core.errors import FacedownError, Unreadable
from facedown.core.game import FORFEIT, Waves
from facedown.core.links import NO_KEY, Link, canonical_json, head_after, head_digest, read_link
from facedown.core.record import Record
from facedown.proof.evidence import AlarmKind
from facedown.proof.signatures import can_sign, decode_signature, is_signed
from facedown.protocol.links import link_of_event
from facedown.protocol.messages import Ev, Links, OpenedPick, Snap, TurnInfo
from facedown.protocol.rest import ServerKeys

_SLACK_MS: Final = 5000
"""How far the server's times may be off, by this client's own clock, before that is an alarm."""
_PATIENCE_S: Final = 30.0
"""How long another device may have acted for this seat before this client must have been notified: a server
that lost the hint of another one gets it again after 20 s."""
_SETTLED_S: Final = 60.0
"""How long a connection lasts before a machine in its place is an alarm: servers have to agree first."""


class Dues(Protocol):
    """Who is due, as the rules say: from the view of this seat."""

    def __call__(self, view: dict[str, Any]) -> Waves | None:
        """None if this program does not know the game."""


def _own_time() -> float:
    """Seconds on a clock that cannot be set, and that counts sleep where the system has such a clock."""
    steady = getattr(time, "CLOCK_BOOTTIME", None) or getattr(time, "CLOCK_MONOTONIC", None)
    try:  # on macOS the second one counts sleep, and `time.monotonic` does not
        return time.monotonic() if steady is None else time.clock_gettime(steady)
    except OSError:
        return time.monotonic()


class Witness:
    """Checks what comes against what was received and done before."""

    def __init__(
        self, table: str, seat: int, entropy: str = "", kept: bytes | None = None, origin: str = ""
    ) -> None:
        self.memory = read_kept(kept, table, seat) or SeatMemory(table, seat)
        self.memory.entropy = self.memory.entropy or entropy
        self._joined = entropy
        """The number with which this client sat down; after a void deal it has another one."""
        self.memory.origin = origin or self.memory.origin
        self.chain = Chain()
        self._heads: list[bytes] = []
        self.keys: frozenset[str] = frozenset()
        """The keys that this server is known by; empty if it is not known yet."""
        self.published: ServerKeys | None = None
        """How it changed its key, for the evidence."""
        self.plays = True
        """Whether this connection plays its seat."""
        self._connected_at: float | None = None
        self._asked_at = 0.0
        self._offset: tuple[float, float] | None = None
        """The least and the most by which the server's clock is ahead of this one, in milliseconds."""
        self.doubted: int | None = None
        """The time of a link that this client's clock does not allow: measured again by a new connection."""
        self._suspects: dict[int, float] = {}
        """Links of the own seat that this client did not cause, and when they came."""
        self._newest = 0
        """The last event of the table when it welcomed this client: earlier ones are of the past."""
        self._sent: dict[int, float] = {}
        """The least time of the server at which this client sent a pick, by the decision."""
        self._made_at = float("-inf")
        """When the newest link was made at the earliest, in milliseconds on the own clock."""
        self._turn: tuple[float, int, int] | None = None
        """While the own seat's clock runs: a time on the own clock, how long it ran on from there, its end on
        the server's clock."""
        self._all_sealed_at: float | None = None
        self._compared = 0
        """The last decision whose due seats were compared with the rules: no other pick is opened."""
        self._is_seated = False
        """Whether the own promise is in the chain: before that, another person may have had the seat."""
        self.is_freed = False
        """Whether the seat was freed since: another person may have it, and nothing is sent for it."""
        self._is_new = not self.memory.links
        """Whether what comes is the past of the table, of which this client remembers nothing."""
        self._after_alarm: list[Link] = []
        """The links that came with the alarm, and the number of the first: signed, they prove it."""
        self._other_from = 0

        for each in self.memory.links:
            link = read_link(each)
            self._heads.append(self.chain.add(link))
            self._note_seat(link)

    @property
    def alarm(self) -> Alarm | None:
        """What did not fit; None as long as everything does."""
        return self.memory.alarm

    def _is_stopped(self) -> bool:
        return self.memory.alarm is not None

    @property
    def key(self) -> str:
        """The public key of the table."""
        return self.chain.key

    @property
    def covered(self) -> int:
        """The number of the last link that a signature covers; the last of all if nothing can be checked."""
        return self.memory.signed if self._can_check else self.chain.number

    @property
    def _can_check(self) -> bool:
        return self.key not in ("", NO_KEY) and can_sign()

    def head(self, number: int) -> str:
        """The head after a link that was folded."""
        return self._heads[number].hex()

    def evidence(self) -> bytes:
        return evidence_of(self.memory, self.key, self.published)

    # --- the connection --------------------------------------------------------------------------------

    def asks(self) -> None:
        """This client says hello."""
        self._asked_at, self._connected_at = _own_time(), None

    def is_welcome(self, now: int, *, plays: bool, newest: int = 0) -> None:
        """The server answered with its time, which bounds its clock."""
        at, self._newest = _own_time(), newest
        self._offset = (now - at * 1000, now - self._asked_at * 1000)
        self._connected_at, self.plays = at, plays
        if self.doubted is not None and self.doubted > at * 1000 + self._offset[1] + _SLACK_MS:
            self._raise_alarm("clock", came=str(self.doubted))
        self.doubted = None

    def is_lost(self) -> None:
        """The connection is lost: what happens from now on may be another device's."""
        self._connected_at = None
        self.memory.elsewhere += self._suspects
        self._suspects.clear()

    def set_role(self, *, plays: bool) -> None:
        """Another device plays the seat, or this one again."""
        if self.plays and not plays:
            self.memory.elsewhere += self._suspects
            self._suspects.clear()
        self.plays = plays

    # --- what comes ------------------------------------------------------------------------------------

    def take_links(self, message: Links) -> None:
        """Take in the links that this client has missed. One that it knows must be the same."""
        if message.first > self.chain.number + 1:
            self._raise_alarm("fork", came=f"link {message.first}")
            return
        links: list[Link] = []
        try:
            links = [read_link(each) for each in message.links]
        except Unreadable:
            self._raise_alarm("order", came="unreadable link")
            return
        for number, link in enumerate(links, message.first):
            self._take_link(number, link, live=False)
        self._is_new = False
        last = message.first + len(links) - 1
        if last < self.chain.number and not self.alarm:
            self._raise_alarm("fork", heard=str(self.chain.number), came=str(last))
        self._take_signature(message.sig)

    def take_event(self, event: Ev) -> None:
        """Take in one event of the table."""
        try:
            link = link_of_event(event)
        except FacedownError:
            self._raise_alarm("order", came="unreadable link")
            return
        if link is not None and event.n is not UNSET:
            self._take_link(event.n, link, live=True)
        if event.k == "revealed" and event.opens is not UNSET and event.decision is not UNSET:
            self._take_openings(event.decision, event.opens)
        if event.turn and event.v >= self._newest:
            self._check_deadline(event.turn)
        if event.sig is not UNSET:
            self._take_signature(event.sig)
        self._check_suspects()

    def take_view(self, view: dict[str, Any] | None, dues: Dues) -> None:
        """Take in the own view after the last link: it must make those due that the server says."""
        chain = self.chain
        if view is None or chain.dealt is None or self.alarm is not None:
            return
        seen = digest("facedown/2/view", canonical_json(view)).hex()
        known = self.memory.views.setdefault(chain.decision, seen)
        if known != seen:
            self._raise_alarm("hand", chain.decision, self.memory.seat, known, seen)
            return
        due = dues(view)
        if due is not None and due != chain.due:
            self._raise_alarm("due", chain.decision, heard=str(due), came=str(chain.due))
        elif due is not None:
            self._compared = chain.decision

    def take_snapshot(self, snap: Snap) -> None:
        """Compare a snapshot with the chain: it may only repeat what links say."""
        info, chain, setup = snap.table, self.chain, self.chain.setup
        mine = (chain.key, chain.seed_commit, setup.game, setup.rules, setup.seal, setup.flag, setup.opening)
        shown = (info.key, info.seed_commit, info.game, info.rules, info.seal, info.flag, info.opening)
        if shown != mine or asdict(info.clock) != setup.clock.plain():
            self._raise_alarm("fork", came="snapshot")
        elif info.turn is not None:
            sealed = {each.seat: (each.placer, each.commit) for each in info.turn.sealed}
            if (info.turn.decision, sealed) != (chain.decision, dict(chain.sealed)):
                self._raise_alarm("fork", chain.decision, came="snapshot")
            self._check_deadline(info.turn)

    def _check_deadline(self, turn: TurnInfo) -> None:
        """The deadline that the player is shown must be that of the chain."""
        mine, seat = self.chain.clocks.deadlines.get(self.memory.seat), self.memory.seat
        shown = turn.deadlines.get(str(seat))
        if shown != mine:
            self._raise_alarm("fork", self.chain.decision, seat, f"deadline {mine}", f"deadline {shown}")

    def _take_link(self, number: int, link: Link, *, live: bool) -> None:
        if self.alarm is not None:
            if self._after_alarm and number == self._other_from + len(self._after_alarm):
                self._after_alarm.append(link)
            return
        if number <= self.chain.number:
            before = self._heads[number - 1] if number else bytes(32)
            if head_after(before, number, link) != self._heads[number]:
                self._raise_alarm("fork", heard=self.head(number), came=str(link.plain()))
                self._after_alarm, self._other_from = [link], number
            return
        if number > self.chain.number + 1:
            self._raise_alarm("fork", heard=str(self.chain.number), came=str(number))
            return
        self._check_link(number, link, live=live)
        if not self._is_stopped():
            try:
                self._heads.append(self.chain.add(link))
            except LinkRefused as refused:
                where, say = refused.where, str(refused.message)
                self._raise_alarm(refused.alarm, where.decision or 0, where.seat or 0, came=say)
            except Unreadable as error:
                self._raise_alarm("order", came=str(error.message))
        if self._is_stopped():
            self._after_alarm, self._other_from = [link], number
            return
        self.memory.links.append(tuple(link.plain()))
        self._note_link(link)

    def _take_signature(self, sig: str | None) -> None:
        """Check the signature of the newest head; of what came after an alarm, keep it as evidence."""
        if sig is None or not self.key or self.key == NO_KEY:
            return
        if self.alarm is not None:
            if self._after_alarm:
                before = self.memory.links[: self._other_from]
                after = [tuple(each.plain()) for each in self._after_alarm]
                self.memory.statements.append(Statement((*before, *after), sig))
                self._after_alarm = []
            return
        number = self.chain.number
        if number <= self.memory.signed or not self._can_check:
            return
        try:
            whole = head_digest(self.chain.table, number, self.chain.head)
            holds = is_signed(self.key, whole, decode_signature(sig))
        except FacedownError:
            holds = False
        if not holds:
            self.memory.statements.append(Statement(tuple(self.memory.links), sig))
            self._raise_alarm("fork", heard=self.chain.head.hex(), came=sig)
            return
        self.memory.sig, self.memory.signed = sig, number

    # --- a link ----------------------------------------------------------------------------------------

    def _check_link(self, number: int, link: Link, *, live: bool) -> None:
        """What this client knows better than the chain: its own acts, and its own clock."""
        if live:
            self._check_time(link)
        seat = link.get("seat") if "seat" in _FIELDS.get(link.kind, ()) else 0
        check = _OWN.get(link.kind)
        if link.kind == "revealed":
            self._check_forfeit(link)
        elif link.kind == "made":
            self._check_made(link)
        elif link.kind == "sealed" and self._is_opened(link):
            self._raise_alarm("due", link.get("decision"), seat)
        elif check is not None and seat == self.memory.seat and seat:
            check(self, number, link, live)
        acked = next((at for at, own in self.memory.own.items() if own.acked == number), None)
        if acked is not None and self.alarm is None:
            own = self.memory.own[acked]
            if link.kind != "sealed" or link.fields != (acked, self.memory.seat, PERSON, own.commit):
                self._raise_alarm("pick", acked, self.memory.seat, own.commit, str(link.plain()))

    def _is_opened(self, link: Link) -> bool:
        """Whether this client has opened its pick in the decision of a seal."""
        own = self.memory.own.get(link.get("decision"))
        return own is not None and own.opened

    def _check_made(self, link: Link) -> None:
        if link.get("id") != self.memory.table:
            self._raise_alarm("fork", heard=self.memory.table, came=link.get("id"))
        elif self.keys and link.get("key") not in self.keys:
            self._raise_alarm("key", heard=" ".join(sorted(self.keys)), came=link.get("key"))

    def _check_time(self, link: Link) -> None:
        """No link comes from the future; one that seems to is measured again by a new connection."""
        if self._offset is not None and link.at > _own_time() * 1000 + self._offset[1] + _SLACK_MS:
            self.doubted = link.at

    def _check_sent(self, link: Link, decision: int) -> None:
        """The link of the own pick is not older than the pick."""
        if link.at < self._sent.get(decision, 0) - _SLACK_MS:
            self._raise_alarm("clock", decision, self.memory.seat, came=str(link.at))

    def _check_flag(self, link: Link, decision: int) -> None:
        """The clock picks for the own seat only once its time has passed here as well, connected or not."""
        if self._turn is None:
            return
        began, left, _ = self._turn
        if _own_time() * 1000 - began < left - _SLACK_MS:
            self._raise_alarm("clock", decision, self.memory.seat, came=str(link.at))

    def _own_sat(self, number: int, link: Link, live: bool) -> None:
        mine = self.own_promise()
        own = (mine, self._promise_of(self._joined) if self._joined else "")
        if self._is_seated and link.get("commit") not in own:
            self._raise_alarm("promises", 0, self.memory.seat, mine, link.get("commit"))

    def _own_opened(self, number: int, link: Link, live: bool) -> None:
        if self._is_seated and link.get("entropy") != self.memory.entropy:
            self._raise_alarm("promises", 0, self.memory.seat, came=link.get("entropy"))

    def _own_sealed(self, number: int, link: Link, live: bool) -> None:
        decision, seat, placer, commit = link.fields
        own = self.memory.own.get(decision)
        if own is None:
            if placer == PERSON:
                self._suspect(number, live)
        elif placer == PERSON and commit != own.commit:
            self._raise_alarm("pick", decision, seat, own.commit, commit)
        elif placer != PERSON and own.acked is not None:
            self._raise_alarm("pick", decision, seat, own.commit, placer)
        elif placer == PERSON:
            self._check_sent(link, decision)
        if placer == CLOCK:
            self._check_flag(link, decision)

    def _own_shown(self, number: int, link: Link, live: bool) -> None:
        own = self.memory.own.get(link.get("decision"))
        if own is None:  # the device that sealed a pick opens it, whichever one plays by then
            self.memory.elsewhere.append(number)
        elif not own.opened:
            self._suspect(number, live)

    def _own_resigned(self, number: int, link: Link, live: bool) -> None:
        asked = self.memory.resigned
        if not asked or link.get("decision") not in (asked, asked + 1):  # the next one, if all had sealed
            self._suspect(number, live)

    def _own_ready(self, number: int, link: Link, live: bool) -> None:
        if not self.memory.ready:
            self._suspect(number, live)

    def _own_replaced(self, number: int, link: Link, live: bool) -> None:
        if not self.memory.left:
            since = self._connected_at
            settled = since is not None and _own_time() - since > _SETTLED_S
            self._suspect(number, live and settled)

    def _check_forfeit(self, link: Link) -> None:
        """An opening that was acknowledged, or whose time is not over, is not forfeited."""
        seat, decision = self.memory.seat, link.get("decision")
        own = self.memory.own.get(decision)
        if seat not in link.get("forfeited") or own is None or not own.opened:
            return
        since = self._all_sealed_at
        early = since is not None and _own_time() * 1000 - since < self.chain.setup.opening - _SLACK_MS
        if own.opening_acked or seat in self.chain.shown or early:
            self._raise_alarm("opening", decision, seat, own.commit, FORFEIT)

    def _note_time(self, link: Link) -> None:
        """Bound when the newest link was made, however late it came; from there, how long the own turn is."""
        if self._offset is not None:
            self._made_at = max(self._made_at, link.at - self._offset[1])
        deadline = self.chain.clocks.deadlines.get(self.memory.seat)
        if deadline is None:
            self._turn = None
        elif self._turn is None or deadline < self._turn[2]:  # earlier: everyone was ready
            self._turn = (self._made_at, deadline - link.at, deadline)

    def _note_link(self, link: Link) -> None:
        chain, memory = self.chain, self.memory
        self._note_time(link)
        if link.kind == "sealed":
            own = memory.own.get(chain.decision)
            mine = chain.sealed.get(memory.seat)
            if own is not None and own.acked is None and mine == (PERSON, own.commit):
                memory.own[chain.decision] = replace(own, acked=chain.number)
            self._all_sealed_at = self._made_at if chain.unopened else None
        elif link.kind == "shown" and link.get("seat") == memory.seat:
            self.note_revealed(chain.decision)
        elif link.kind == "void":
            memory.full = ""
        self._note_seat(link)

    def _note_seat(self, link: Link) -> None:
        """Note whether the own promise, which no other device has, is the one of the own seat."""
        if link.kind == "sat" and link.get("seat") == self.memory.seat:
            joins = bool(self._joined) and link.get("commit") == self._promise_of(self._joined)
            if joins and self.memory.attempt <= self.chain.voids:
                self.memory.entropy = self._joined  # sat down again, with another number
            self._is_seated = joins or link.get("commit") == self.own_promise()
        elif link.kind in ("freed", "void") and self.memory.seat not in self.chain.taken:
            self.is_freed, self._is_seated = self.is_freed or self._is_seated, False
        elif link.kind == "void" and self._is_new:  # it opened its number: it has promised another since
            self._is_seated = False
        self.is_freed = self.is_freed and not self._is_seated

    def _suspect(self, number: int, live: bool) -> None:
        """An act of the own seat that this client did not send: another device's, unless none plays."""
        if live and self.plays and self._connected_at is not None:
            self._suspects[number] = _own_time()
        else:
            self.memory.elsewhere.append(number)

    def _check_suspects(self) -> None:
        """Raise the alarm for an act that no other device can have sent: this one has played all along."""
        for number, since in self._suspects.items():
            if self.plays and _own_time() - since > _PATIENCE_S:
                self._raise_suspect(number)

    def _raise_suspect(self, number: int) -> None:
        link = read_link(self.memory.links[number])
        decision = link.get("decision") if "decision" in _FIELDS[link.kind] else 0
        self._raise_alarm("mine", decision, self.memory.seat, came=str(link.plain()))

    def _take_openings(self, decision: int, opens: Sequence[OpenedPick]) -> None:
        """Check openings against the seals in the chain, which has just closed the decision."""
        memory = self.memory
        if self.alarm is not None or decision in memory.turned:
            return
        sealed, head, forfeited = self._seals_of(decision)
        memory.turned[decision] = list(opens)
        for each in opens:
            placer, commit = sealed.get(each.seat, ("", ""))
            if each.seat in forfeited and each.pick == FORFEIT and not each.nonce:
                continue
            try:
                nonce = bytes.fromhex(each.nonce)
            except ValueError:
                nonce = b""
            made = pick_commitment(memory.table, decision, each.seat, head, each.pick, nonce).hex()
            if made != commit:
                self._raise_alarm("seal", decision, each.seat, commit, made)
                return
            own = memory.own.get(decision) if each.seat == memory.seat else None
            if own is not None and placer == PERSON and each.pick != own.pick:
                self._raise_alarm("pick", decision, each.seat, own.pick, each.pick)

    def _seals_of(self, decision: int) -> tuple[dict[int, tuple[str, str]], bytes, tuple[int, ...]]:
        """The seals of a decision that was turned, its head, and the seats that forfeited it."""
        sealed: dict[int, tuple[str, str]] = {}
        head, forfeited = bytes(32), ()
        for number, link in enumerate(self.memory.links):
            if link[0] == "sealed" and link[2] == decision:
                sealed[link[3]] = (link[4], link[5])
            elif link[0] == "revealed" and link[2] == decision:
                forfeited = tuple(link[3])
            if link[0] in ("dealt", "revealed", "resigned") and not sealed:
                head = self._heads[number]
        return sealed, head, forfeited

    # --- what this client does -------------------------------------------------------------------------

    def own_promise(self) -> str:
        """The commitment to the own number; empty if this device has none."""
        return self._promise_of(self.memory.entropy) if self.memory.entropy else ""

    def _promise_of(self, entropy: str) -> str:
        return entropy_commitment(self.memory.table, self.memory.seat, bytes.fromhex(entropy)).hex()

    def to_promise(self) -> bool:
        """Whether a deal came to nothing, and this seat has to promise a fresh number."""
        chain, seat = self.chain, self.memory.seat
        return (
            bool(seat)
            and self.alarm is None
            and bool(chain.voids)
            and chain.full is None
            and not chain.ended
            and seat in chain.taken
            and seat not in chain.promises
        )

    def promise(self) -> str:
        """The commitment to a fresh number, which is the same as long as this deal is attempted."""
        if self.memory.attempt != self.chain.voids:
            self.memory.entropy, self.memory.attempt = secrets.token_hex(32), self.chain.voids
        return self.own_promise()

    def to_be_ready(self) -> bool:
        """Whether the clocks of the first decision wait for this seat, which this client is about to end."""
        waits = self.memory.seat in self.chain.clocks.unready and self.plays and self.alarm is None
        self.memory.ready |= waits
        return waits

    def to_open(self) -> str:
        """The number that this client has to open now; empty if none.

        All promises are fixed then, its own is among them, and the server has signed them.
        """
        chain, memory = self.chain, self.memory
        if self.alarm is not None or chain.full is None or chain.dealt is not None or not memory.entropy:
            return ""
        if memory.seat in chain.opened or memory.seat not in chain.promises:
            return ""
        if chain.promises[memory.seat] != self.own_promise():
            if not self._is_seated:  # the seat was freed, and another person has it
                return ""
            self._raise_alarm("promises", 0, memory.seat, self.own_promise(), chain.promises[memory.seat])
            return ""
        full = next(n for n in range(chain.number, -1, -1) if self._heads[n] == chain.full)
        if self.covered < full:
            return ""
        memory.full = chain.full.hex()
        return memory.entropy

    def may_seal(self, decision: int) -> bool:
        """Whether this seat is to seal now, and every machine is bound, by the own chain."""
        chain = self.chain
        is_open = decision == chain.decision and self.memory.seat in chain.may_seal
        return is_open and not chain.unpromised and not self.is_freed

    def seal(self, decision: int, pick: str, nonce: bytes) -> OwnPick:
        """The own pick of the decision, kept before it is sent: the first one, if it was sent already."""
        chain, memory = self.chain, self.memory
        known = memory.own.get(decision)
        if known is None:
            head = chain.decision_head
            commit = pick_commitment(memory.table, decision, memory.seat, head, pick, nonce).hex()
            known = memory.own[decision] = OwnPick(pick, nonce.hex(), commit)
        if self._offset is not None:
            self._sent.setdefault(decision, _own_time() * 1000 + self._offset[0])
        return known

    def forget_refused(self, decision: int) -> None:
        """The server refused the pick: this client may choose another."""
        own = self.memory.own.get(decision)
        if own is not None and own.acked is None:
            del self.memory.own[decision]
            self._sent.pop(decision, None)

    def note_sealed(self, decision: int, number: int | None) -> None:
        """The server acknowledged the pick with this link: remembered even if something else does not fit."""
        own = self.memory.own.get(decision)
        if own is None:
            return
        seat, chain = self.memory.seat, self.chain
        self.memory.own[decision] = replace(own, acked=own.acked if own.acked is not None else number)
        known = None if number is None or number > chain.number else self.memory.links[number]
        if number is None or (known is not None and known[2:] != (decision, seat, PERSON, own.commit)):
            self._raise_alarm("pick", decision, seat, own.commit, str(known))

    def note_unanswered(self, decision: int) -> None:
        if decision not in self.memory.unanswered:
            self.memory.unanswered.append(decision)

    def to_reveal(self) -> OwnPick | None:
        """The pick that this client has to open now: every seat that is due has sealed, and the server has
        signed all of these seals."""
        chain, memory = self.chain, self.memory
        own = memory.own.get(chain.decision)
        if self.alarm is not None or own is None or memory.seat not in chain.unopened:
            return None
        if self._compared != chain.decision:  # who is due would be the server's word
            return None
        last = max(number for number, link in enumerate(memory.links) if link[0] == "sealed")
        return own if chain.sealed[memory.seat] == (PERSON, own.commit) and self.covered >= last else None

    def note_reveal_sent(self, decision: int) -> None:
        """This client is about to send its opening."""
        self.memory.own[decision] = replace(self.memory.own[decision], opened=True)

    def note_revealed(self, decision: int) -> None:
        """The server acknowledged the opening."""
        own = self.memory.own.get(decision)
        if own is not None:
            self.memory.own[decision] = replace(own, opening_acked=True)

    def note_resigned(self, decision: int) -> None:
        self.memory.resigned = decision

    def note_broken_log(self, why: str, statements: Sequence[Statement]) -> None:
        """The public log of the server does not hold what it must."""
        if self.alarm is None:
            self.memory.statements += statements
            self._raise_alarm("log", came=why)

    def _raise_alarm(
        self, kind: AlarmKind, decision: int = 0, seat: int = 0, heard: str = "", came: str = ""
    ) -> None:
        if self.memory.alarm is None:
            self.memory.alarm = Alarm(kind, decision, seat, heard, came)

    # --- the record ------------------------------------------------------------------------------------

    def differences(self, record: Record) -> list[Alarm]:
        """Where the record of the game differs from what this client received and did."""
        for number in self._suspects:
            self._raise_suspect(number)
        return [*(() if self.alarm is None else (self.alarm,)), *differences(self.memory, record)]


_FIELDS: Final = {
    kind: frozenset(fields)
    for kind, fields in (
        ("sat", ("seat",)),
        ("opened", ("seat",)),
        ("sealed", ("decision", "seat")),
        ("shown", ("decision", "seat")),
        ("ready", ("seat",)),
        ("resigned", ("decision", "seat")),
        ("replaced", ("decision", "seat")),
        ("reclaimed", ("decision", "seat")),
    )
}
_OWN: Final = {
    "sat": Witness._own_sat,
    "opened": Witness._own_opened,
    "sealed": Witness._own_sealed,
    "shown": Witness._own_shown,
    "ready": Witness._own_ready,
    "resigned": Witness._own_resigned,
    "replaced": Witness._own_replaced,
}
"""What a link of the own seat is compared with."""
