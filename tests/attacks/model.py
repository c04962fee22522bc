"""Model of the fairness protocol, on the code's own state machines: every message of a dishonest server.

The victim is the shipped witness with its chain, on seat 1 of a table of two. The server and seat 2 are one
party. It sends any link of the alphabet below at any time with any value, acknowledges or not, and lets time
pass. The victim does what the shipped client does on its own. The search visits every state that raises no
alarm, and checks in each what the protocol promises. Hashes are real, but no one can find collisions; what is
signed is not modelled: the server signs whatever it sends.

The game: one deal and `decisions` decisions, in which both seats are due; at an ordinary table seat 2 first.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from facedown.client import witness as code
from facedown.client.memory import Alarm
from facedown.client.witness import Witness
from facedown.core.chain import _RULES, CLOCK, PERSON, Chain, LinkRefused
from facedown.core.chance import entropy_commitment, pick_commitment, seed_commitment
from facedown.core.game import FORFEIT
from facedown.core.links import NO_KEY, ChainSetup, ClockSetup, Link
from facedown.protocol.messages import OpenedPick

TABLE: Final = "0" * 26
SEED: Final = bytes(32)
ME, FRIEND = 1, 2
MINE: Final = b"\x11" * 32
PROMISED, OTHER = b"\x22" * 32, b"\x33" * 32
"""The number that the friend has promised, and one that would suit it better."""
SECONDS: Final = 30
OPENING: Final = 60_000
LONG: Final = 100
"""Seconds after which every clock has run out."""
START: Final = 1_000_000
NONCE: Final = b"\x44" * 32


class Broken(Exception):
    """A promise of the protocol was broken without an alarm; its text says which, and how."""


class Move(NamedTuple):
    """Something that the server does."""

    say: str
    run: Callable[[World], None]
    is_link: bool = True


class _Tried(Exception):
    """A link was only tried; the alarm of the chain, empty if it is allowed there."""


class World:
    """The victim, and what the search has to know besides."""

    def __init__(self, blind: bool, decisions: int) -> None:
        self.blind, self.decisions = blind, decisions
        self.witness = Witness(TABLE, ME, MINE.hex())
        self.time = 0
        """How often a long time has passed."""
        self.opened_on: tuple[bytes, str] | None = None
        """The head and the friend's promise on which the victim opened its number."""
        self.sealed_at: dict[int, int] = {}
        """When the victim could first seal in a decision."""
        self.all_sealed_at: dict[int, int] = {}
        self.sent: set[tuple[str, int]] = set()
        self.acked: set[int] = set()
        self.opening_acked: set[int] = set()
        self.path: tuple[str, ...] = ()
        self.is_trying = False
        """Whether a link is only held against the chain, which changes nothing: most are refused there."""
        setup = ChainSetup(
            "model",
            1,
            "",
            ("", ""),
            ClockSetup("decision", SECONDS),
            seal="blind" if blind else "server",
            opening=OPENING,
        )
        self._seed = seed_commitment(TABLE, SEED).hex()
        self.give("made", TABLE, NO_KEY, setup.plain(), self._seed)
        for seat, number in ((ME, MINE), (FRIEND, PROMISED)):
            self.give("sat", seat, entropy_commitment(TABLE, seat, number).hex())

    def key(self) -> bytes:
        """What tells this state from others."""
        chain = self.witness.chain
        parts = (self.time, self.opened_on, sorted(self.sent), sorted(self.acked), sorted(self.opening_acked))
        return msgspec.json.encode(
            (self.witness.memory.links, chain.number, *map(str, parts), str(self.sealed_at))
        )

    def copy(self) -> World:
        other = copy.copy(self)
        for name in ("sealed_at", "all_sealed_at", "sent", "acked", "opening_acked"):
            setattr(other, name, copy.copy(getattr(self, name)))
        other.witness = copy.deepcopy(self.witness)
        return other

    # --- what the server sends -------------------------------------------------------------------------

    def now(self) -> int:
        return START + self.time * LONG * 1000 + self.witness.chain.number

    def give(self, kind: str, *fields: Any, at: int = 0) -> None:
        link = Link(kind, at or self.now(), fields)
        if self.is_trying:
            raise _Tried(_refusal(self.witness.chain, link))
        self.witness._take_link(self.witness.chain.number + 1, link, live=True)
        if self.witness.doubted is not None:
            self.witness.asks()
            self.witness.is_welcome(self.now(), plays=True)

    def due(self) -> tuple[tuple[int, ...], ...]:
        """Who is due by the rules in the next decision."""
        if self.witness.chain.decision >= self.decisions:
            return ()
        return ((ME, FRIEND),) if self.blind else ((FRIEND,), (ME,))

    def see(self, due: tuple[tuple[int, ...], ...]) -> None:
        """The view that follows a link: the client works out who is due from it."""
        if self.witness.alarm is None:
            self.witness.take_view({"decision": self.witness.chain.decision}, lambda _: due)

    def commit(self, seat: int, pick: str) -> str:
        chain = self.witness.chain
        return pick_commitment(TABLE, chain.decision, seat, chain.decision_head, pick, NONCE).hex()

    # --- the victim --------------------------------------------------------------------------------------

    def react(self) -> None:
        """What the shipped client does on its own, with the checks of what is promised to it."""
        witness, chain = self.witness, self.witness.chain
        if witness.alarm is not None:
            return
        if witness.to_open() and ("open", chain.voids) not in self.sent:
            self.sent.add(("open", chain.voids))
            assert chain.full is not None
            self.opened_on = chain.full, chain.promises[FRIEND]
        decision = chain.decision
        if chain.dealt is not None and ME in chain.may_seal:
            self.sealed_at.setdefault(decision, self.time)
        if witness.may_seal(decision) and ("pick", decision) not in self.sent:
            witness.seal(decision, "mine", NONCE)
            self.sent.add(("pick", decision))
            if not self.blind and FRIEND not in chain.sealed:
                raise Broken(
                    "P2: the victim sealed at an ordinary table before the friend, who then knows its pick"
                )
        if chain.unopened:
            self.all_sealed_at.setdefault(decision, self.time)
        if witness.to_reveal() is not None and ("reveal", decision) not in self.sent:
            witness.note_reveal_sent(decision)
            self.sent.add(("reveal", decision))
            if FRIEND not in chain.sealed:
                raise Broken("P4: the victim opened its pick before the friend was bound")

    def check(self) -> None:
        """Raise unless everything holds that is promised to a client without an alarm."""
        chain, memory = self.witness.chain, self.witness.memory
        now = (chain.full, chain.promises.get(FRIEND))
        if self.opened_on is not None and chain.voids == 0 and now != self.opened_on:
            raise Broken("P1: the promises changed after the victim had opened its number")
        if chain.dealt is not None:
            if chain.opened.get(ME) != MINE.hex():
                raise Broken("P1: dealt with another number of the victim")
            made = entropy_commitment(TABLE, FRIEND, bytes.fromhex(chain.opened.get(FRIEND, "")))
            if self.opened_on is None or made.hex() != self.opened_on[1]:
                raise Broken(
                    "P1: dealt with a number of the friend that was not promised when the victim opened"
                )
        self._check_picks([tuple(each) for each in memory.links])

    def _check_picks(self, links: list[tuple[Any, ...]]) -> None:
        seen: set[tuple[int, int]] = set()
        for link in links:
            if link[0] == "sealed":
                _, _, decision, seat, placer, commit = link
                if (decision, seat) in seen:
                    raise Broken("P2: a second seal of one seat")
                seen.add((decision, seat))
                if seat == ME:
                    self._check_own(decision, placer, commit)
            elif link[0] == "revealed":
                self._check_forfeits(link[2], link[3])
            elif link[0] in ("resigned", "replaced") and link[3] == ME and not self._is_told():
                raise Broken("P3: an act in the victim's name that it did not send")

    def _is_told(self) -> bool:
        """Whether the victim will raise the alarm unless another device explains it."""
        return bool(self.witness._suspects or self.witness.memory.elsewhere)

    def _check_own(self, decision: int, placer: str, commit: str) -> None:
        own = self.witness.memory.own.get(decision)
        if placer == PERSON and (own is None or own.commit != commit) and not self._is_told():
            raise Broken("P3: a pick in the victim's name that it did not send")
        if placer == CLOCK and decision in self.acked:
            raise Broken("P3: the clock's pick instead of an acknowledged one")
        if placer == CLOCK and self.time <= self.sealed_at.get(decision, self.time):
            raise Broken("P3: the clock's pick before its time")

    def _check_forfeits(self, decision: int, forfeited: tuple[int, ...]) -> None:
        if ME not in forfeited or ("reveal", decision) not in self.sent:
            return
        if decision in self.opening_acked:
            raise Broken("P3: an acknowledged opening was forfeited")
        if self.time <= self.all_sealed_at[decision]:
            raise Broken("P3: an opening was forfeited before its time")


# --- every move of the server ------------------------------------------------------------------------------


def moves(world: World) -> Iterator[Move]:
    chain, decision = world.witness.chain, world.witness.chain.decision
    if chain.ended:
        return
    if world.time < 2:
        yield Move("time passes", _wait, is_link=False)
    if chain.dealt is None:
        yield from _deal_moves()
        return
    for seat in (ME, FRIEND):
        picks = ("mine", "other") if seat == ME else ("zero", "one")
        for pick in picks:
            for placer in (PERSON, CLOCK):
                yield Move(f"sealed {seat} {placer} {pick}", partial(_seal, seat, pick, placer))
        yield Move(f"shown {seat}", partial(_show, seat))
    future = START + 50 * LONG * 1000
    yield Move(
        "sealed 1 clock, dated later",
        lambda w: w.give("sealed", decision, ME, CLOCK, w.commit(ME, "other"), at=future),
    )
    for forfeited in ((), (ME,), (FRIEND,), (ME, FRIEND)):
        yield Move(f"revealed, forfeited {forfeited}", partial(_reveal, forfeited=forfeited))
    yield Move("revealed, another pick of the friend", partial(_reveal, friend="one"))
    yield Move("revealed, only the victim due", partial(_reveal, due=((ME,),)))
    yield Move("resigned", lambda w: w.give("resigned", decision, ME, ()))
    yield Move("replaced", lambda w: w.give("replaced", decision, ME, "uniform"))
    if ("pick", decision) in world.sent and decision not in world.acked:
        yield Move("ack of the pick", _ack, is_link=False)
    if ("reveal", decision) in world.sent and decision not in world.opening_acked:
        yield Move("ack of the opening", _ack_opening, is_link=False)
    yield Move("over", lambda w: w.give("over", {"winner": None}, SEED.hex()))


def _deal_moves() -> Iterator[Move]:
    yield Move("full", lambda w: w.give("full"))
    yield Move(
        "another promise", lambda w: w.give("sat", FRIEND, entropy_commitment(TABLE, FRIEND, OTHER).hex())
    )
    for seat, number in ((ME, MINE), (ME, OTHER), (FRIEND, PROMISED), (FRIEND, OTHER)):
        yield Move(f"opened {seat} {number[:1].hex()}", partial(_open, seat, number))
    yield Move("void", lambda w: w.give("void", (FRIEND,)))
    yield Move("dealt", _deal)
    yield Move("dealt, only the victim due", lambda w: _deal(w, ((ME,),)))


def _open(seat: int, number: bytes, world: World) -> None:
    world.give("opened", seat, number.hex())


def _seal(seat: int, pick: str, placer: str, world: World) -> None:
    world.give("sealed", world.witness.chain.decision, seat, placer, world.commit(seat, pick))


def _show(seat: int, world: World) -> None:
    world.give("shown", world.witness.chain.decision, seat)


def _deal(world: World, due: tuple[tuple[int, ...], ...] | None = None) -> None:
    right = world.due()
    world.give("dealt", right if due is None else due)
    world.see(right)


def _reveal(
    world: World,
    forfeited: tuple[int, ...] = (),
    friend: str = "zero",
    due: tuple[tuple[int, ...], ...] | None = None,
) -> None:
    decision, right = world.witness.chain.decision, world.due()
    own = world.witness.memory.own.get(decision)
    world.give("revealed", decision, forfeited, right if due is None else due)
    picks = {ME: "mine" if own is not None else "other", FRIEND: friend}
    opens = [
        OpenedPick(seat, FORFEIT, "") if seat in forfeited else OpenedPick(seat, pick, NONCE.hex())
        for seat, pick in picks.items()
    ]
    world.witness._take_openings(decision, opens)
    world.see(right)


def _ack(world: World) -> None:
    chain = world.witness.chain
    decision = chain.decision
    number = next(
        (
            n
            for n, link in enumerate(world.witness.memory.links)
            if link[0] == "sealed" and link[2:4] == (decision, ME)
        ),
        chain.number + 1,
    )
    world.acked.add(decision)
    world.witness.note_sealed(decision, number)


def _ack_opening(world: World) -> None:
    world.opening_acked.add(world.witness.chain.decision)
    world.witness.note_revealed(world.witness.chain.decision)


def _wait(world: World) -> None:
    world.time += 1
    Clock.world = world


# --- the search ------------------------------------------------------------------------------------------


class Clock:
    """The victim's own clock: that of the world which is being looked at."""

    world: World | None = None

    @classmethod
    def read(cls) -> float:
        return 0.0 if cls.world is None else float(cls.world.time * LONG)


class Found(NamedTuple):
    """What a search has come to."""

    states: int
    alarms: dict[str, int]
    finished: int
    """States in which the game is over, without an alarm."""
    is_whole: bool
    """Whether everything was visited."""


def search(blind: bool, decisions: int = 1, most: int = 1_000_000) -> Found:
    """Visit every state without an alarm; raises `Broken` at the first that breaks a promise."""
    before, code._own_time = code._own_time, Clock.read
    try:
        return _search(blind, decisions, most)
    finally:
        code._own_time, Clock.world = before, None


def _search(blind: bool, decisions: int, most: int) -> Found:
    Clock.world = None
    first = World(blind, decisions)
    first.witness.asks()
    first.witness.is_welcome(first.now(), plays=True)
    waiting, known, finished = [first], {first.key()}, 0
    alarms: dict[str, int] = {}
    while waiting and len(known) < most:
        world = waiting.pop()
        finished += bool(world.witness.chain.ended)
        Clock.world = world
        for move in moves(world):
            refused = _try(world, move)
            if refused:
                alarms[refused] = alarms.get(refused, 0) + 1
                continue
            child = world.copy()
            Clock.world = child
            try:
                move.run(child)
                child.react()
                alarm = child.witness.alarm
                if alarm is None:
                    child.check()
            except Broken as broken:
                raise Broken(f"{broken}: {' → '.join((*world.path, move.say))}") from None
            if alarm is not None:
                _count(alarms, alarm)
                continue
            child.path = (*world.path, move.say)
            if (key := child.key()) not in known:
                known.add(key)
                waiting.append(child)
    return Found(len(known), alarms, finished, not waiting)


def _try(world: World, move: Move) -> str:
    """The alarm of the chain; empty if it allows the link, or if it is none."""
    if not move.is_link:
        return ""
    world.is_trying = True
    try:
        move.run(world)
    except _Tried as tried:
        return str(tried)
    finally:
        world.is_trying = False
    return ""


def _refusal(chain: Chain, link: Link) -> str:
    try:
        _RULES[link.kind](chain, link)
    except LinkRefused as refused:
        return refused.alarm
    return "order" if chain.ended else ""


def _count(alarms: dict[str, int], alarm: Alarm) -> None:
    alarms[alarm.kind] = alarms.get(alarm.kind, 0) + 1
