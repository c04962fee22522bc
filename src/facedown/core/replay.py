"""Replay and verification of a record: the fold over its decisions, and the checks of what it claims.

Knows no rule: the game refuses what does not follow it, and the place is added here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from facedown.core import registry
from facedown.core.chance import Scripted, Seeded, clock_stream, deal_key, forfeit_stream
from facedown.core.errors import FacedownError, IllegalChance, NotVerified
from facedown.core.fairness import (
    RANDOM,
    Pool,
    Proof,
    check_entropy,
    check_placers,
    check_seals,
    check_seed,
    commits_of,
    missing_entropy,
)
from facedown.core.game import Joint, Step
from facedown.core.match import Match
from facedown.core.record import Origin, Record, result_of
from facedown.core.text.translation import Domain, Slot, Text, all_of

message: Final = Domain("facedown.core")

Drawn = TypeVar("Drawn", bound=str)

AnyMatch: TypeAlias = Match[Any, Any, Any]
"""A match of a game of which only the protocol is known."""


class ReplayedTurn(NamedTuple):
    """One decision of a replayed record: the state before it, the picks, and what came of them."""

    before: Any
    joint: Joint
    step: Step[Any]


def start(record: Record) -> AnyMatch:
    """The record's table before its first decision, with the record's own chance."""
    game = registry.get(record.game, record.version)
    try:
        return Match(game, game.rules.read(record.rules), record.seats, Scripted(record.chance))
    except IllegalChance as error:
        raise error.at(decision=0) from None


def turns(record: Record, match: AnyMatch) -> Iterator[ReplayedTurn]:
    """Play every decision of the record on the match that `start` made.

    Raises at the first decision that does not follow the rules, and at chance entries that nothing drew.
    """
    for decision, joint in enumerate(record.picks, match.decision):
        before = match.state
        try:
            yield ReplayedTurn(before, joint, match.decide(joint))
        except FacedownError as error:
            raise error.at(decision=decision) from None
    left = len(record.chance) - len(match.chance.drawn)
    if left:
        entry = record.chance[-left]
        say = f"the chance list has {left} more than the game drew, from {entry!r} on"
        raise IllegalChance(say, text=entry)


def replay(record: Record) -> AnyMatch:
    """The match of a record, played to its last decision."""
    match = start(record)
    for _ in turns(record, match):
        pass
    return match


def pools(record: Record) -> tuple[Pool, ...]:
    """What the record's draws were made from: with it they can be checked without the rules."""
    game = registry.get(record.game, record.version)
    noted = _Noted(record.chance)
    match = Match(game, game.rules.read(record.rules), record.seats, noted)
    for joint in record.picks:
        match.decide(joint)
    return tuple(noted.pools)


class _Noted(Scripted):
    """A record's chance that notes the options wherever they are not what the last draw left."""

    __slots__ = ("_left", "pools")

    def __init__(self, script: Sequence[str]) -> None:
        super().__init__(script)
        self._left: list[str] | None = None
        self.pools: list[Pool] = []

    def draw(self, options: Sequence[Drawn], /) -> Drawn:
        listed = [str(each) for each in options]
        if listed != self._left:
            self.pools.append(Pool(len(self.drawn), tuple(listed)))
        drawn = super().draw(options)
        listed.remove(drawn)
        self._left = listed
        return drawn


class Continued(Scripted):
    """The chance of a continued game: what came up in its origin, then draws from the seed."""

    __slots__ = ("_seeded",)

    def __init__(self, before: Sequence[str], key: bytes) -> None:
        super().__init__(before)
        self._seeded = Seeded(key)

    def draw(self, options: Sequence[Drawn], /) -> Drawn:
        """What the other game drew, as long as that lasts; then the first that the seed brings, and so on."""
        if self.left > 0:
            return super().draw(options)
        drawn = self._seeded.draw(options)
        self.drawn.append(drawn)
        return drawn


def until(record: Record, decisions: int) -> AnyMatch:
    """The match of a record as it stood after that number of decisions."""
    match = start(record)
    for joint in record.picks[:decisions]:
        match.decide(joint)
    return match


# --- the proof -------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    """One thing that was checked: `holds` is None where the record does not hold what the check needs."""

    check: str
    """What was checked, in a word: `picks`, `result`, `deal`; the code of the error if it does not hold."""
    holds: bool | None
    """True, False, or None if the record lacks what the check needs."""
    say: Text
    """What was found, in a sentence."""


def verify(
    record: Record,
    origin: Record | None = None,
    others: Sequence[Callable[[Record], Finding | None]] = (),
) -> Iterator[Finding]:
    """Check everything a record claims, one finding at a time; raises at the first claim that does not hold.

    `MissingEntropy` is raised last, so a caller that catches it has already received every other finding.
    `origin` is the record of the game that this one continues: it proves what was taken over. `others` are
    checks that need more than the rules: of machines' picks, of signatures (`facedown.proof`).
    """
    match = replay(record)
    yield Finding("picks", True, message("proof.picks", count=len(record.picks), rules=str(match.rules)))
    yield _result(record, match)
    if record.continues is not None:
        yield _check_origin(record, record.continues, origin)
    elif origin is not None:
        raise NotVerified("the record goes on from no other game")
    if record.fair is not None:
        yield _promises(record, record.fair)
        yield _seals(record, record.fair)
        yield from _placers(record, record.fair)
    yield _deal(record)
    for check in others:
        if (finding := check(record)) is not None:
            yield finding
    missing = None if record.fair is None else missing_entropy(record.fair, len(record.seats))
    if missing is not None:
        raise missing


def key_of(record: Record) -> bytes:
    """The key that dealt a record whose seed is known."""
    entropy = () if record.fair is None else record.fair.entropy
    return deal_key(bytes.fromhex(record.seed or ""), record.id, entropy)


def _result(record: Record, match: AnyMatch) -> Finding:
    outcome = match.outcome
    if not record.result:
        return Finding("result", None, message("proof.unfinished" if outcome is None else "proof.no_result"))
    if outcome is None:
        raise NotVerified("the record claims a result, but its picks do not end the game")
    result = result_of(outcome)
    for name, value in result.items():
        if name in record.result and record.result[name] != value:
            claimed = record.result[name]
            raise NotVerified(f"the record claims {name} {claimed!r}, but its picks lead to {value!r}")
    slots: dict[str, Slot] = {"score": _score(outcome.score), "ending": str(outcome.termination)}
    if outcome.winner is None:
        return Finding("result", True, message("proof.drawn", **slots))
    return Finding("result", True, message("proof.won", winner=outcome.winner, **slots))


def _score(score: Sequence[float]) -> Text:
    score_text: Text = str(score[0])
    for each in score[1:]:
        score_text = message("proof.score", left=score_text, right=str(each))
    return score_text


def _check_origin(record: Record, claim: Origin, origin: Record | None) -> Finding:
    """What was taken over is named; whether it happened like that, the other game's record proves."""
    own = len(record.picks) - claim.decisions
    if own < 0 or (record.result and own == 0):
        say = f"the record takes over {claim.decisions} decisions, but has only {len(record.picks)}"
        raise NotVerified(say)
    drawn = len(until(record, claim.decisions).chance.drawn)
    if drawn != claim.draws:
        say = f"the record takes over {claim.draws} draws, but its first decisions made {drawn}"
        raise NotVerified(say)
    decisions = message("proof.decisions", count=claim.decisions)
    taken = all_of([decisions, message("proof.draws", count=claim.draws)])
    if origin is None:
        return Finding("origin", None, message("proof.origin_unproved", taken=taken, game=claim.id))
    _compare_with_origin(record, claim, origin)
    return Finding("origin", True, message("proof.origin", taken=taken, game=claim.id))


def _compare_with_origin(record: Record, claim: Origin, origin: Record) -> None:
    if origin.id != claim.id:
        raise NotVerified(f"the record goes on from game {claim.id}, this is the record of {origin.id}")
    if (origin.game, origin.rules) != (record.game, record.rules):
        raise NotVerified(f"game {claim.id} was {origin.game}, {origin.rules}")
    if origin.version != record.version:
        raise NotVerified(f"game {claim.id} was played by version {origin.version} of the rules")
    for what, mine, theirs, taken in (
        ("decision", record.picks, origin.picks, claim.decisions),
        ("chance entry", record.chance, origin.chance, claim.draws),
    ):
        for place in range(taken):
            if mine[place : place + 1] != theirs[place : place + 1]:
                raise NotVerified(f"{what} {place + 1} is not the one that game {claim.id} made")


def _promises(record: Record, fair: Proof) -> Finding:
    """What was published before the deal: the server's seed, and what the seats threw in."""
    check_entropy(fair, record.id, len(record.seats))
    entropy = message("proof.entropy", count=len(fair.entropy))
    if record.seed is None:
        return Finding("promises", None, message("proof.promises_open", entropy=entropy))
    check_seed(fair, record.id, bytes.fromhex(record.seed))
    return Finding("promises", True, message("proof.promises", entropy=entropy))


def _seals(record: Record, fair: Proof) -> Finding:
    after = 0 if record.continues is None else record.continues.decisions
    checked = check_seals(fair, record.id, record.picks, after)
    return Finding("seals", True, message("proof.seals", count=checked))


def _placers(record: Record, fair: Proof) -> Iterator[Finding]:
    """Who placed the seals, people or the table itself, and in which order."""
    if fair.table is None:
        yield Finding("people", None, message("proof.people_unknown"))
        return
    people = sum(each.person for each in fair.table.seats)
    if missing_entropy(fair, len(record.seats)) is None:
        yield Finding("people", True, message("proof.people", count=people))
    if record.seed is None:
        yield Finding("placers", None, message("proof.no_seed"))
        return
    after = 0 if record.continues is None else record.continues.decisions
    clocked, late = check_placers(fair, fair.table, key_of(record), after)
    yield Finding("placers", True, message("proof.placers", count=clocked))
    forfeits = _check_forfeits(record, fair, after)
    if fair.table.blind:
        yield Finding("forfeits", True, message("proof.forfeits", count=forfeits))
    if any(seal.machine for seals in fair.seals for seal in seals):
        order = message("proof.order_late", count=late) if late else message("proof.order")
        yield Finding("order", None if late else True, order)
    if clocked and fair.table.flag == RANDOM:
        _check_clock(record, fair, after)


def _check_clock(record: Record, fair: Proof, after: int) -> None:
    key, match = key_of(record), start(record)
    for decision, (seals, joint) in enumerate(zip(fair.seals, record.picks, strict=True), 1):
        for seal in seals if decision > after else ():
            legal = match.legal(seal.seat)
            drawn = clock_stream(key, decision, seal.seat).below(len(legal)) if seal.flag else 0
            if seal.flag and joint[seal.seat - 1] != legal[drawn]:
                raise NotVerified("the clock's pick is not the one that the seed draws").at(
                    decision=decision, seat=seal.seat
                )
        match.decide(joint)


def _check_forfeits(record: Record, fair: Proof, after: int) -> int:
    """Raise unless the picks of seats that did not open their seals are those of the stream; how many."""
    if not any(seal.forfeit for seals in fair.seals for seal in seals):
        return 0
    key, match, found = key_of(record), start(record), 0
    for decision, (seals, joint) in enumerate(zip(fair.seals, record.picks, strict=True), 1):
        for seal in seals if decision > after else ():
            if not seal.forfeit:
                continue
            legal = match.legal(seal.seat)
            drawn = forfeit_stream(key, decision, seal.seat, commits_of(seals)).below(len(legal))
            if joint[seal.seat - 1] != legal[drawn]:
                raise NotVerified("a pick that was never opened is not the one that the seed draws").at(
                    decision=decision, seat=seal.seat
                )
            found += 1
        match.decide(joint)
    return found


def _deal(record: Record) -> Finding:
    if record.fair is not None and record.fair.pools not in (None, pools(record)):
        raise NotVerified("the record claims draws from other options than the rules give")
    if record.seed is None:
        return Finding("deal", None, message("proof.no_seed"))
    before = 0 if record.continues is None else record.continues.draws
    if len(record.chance) == before:
        return Finding("deal", True, message("proof.no_chance"))
    game = registry.get(record.game, record.version)
    dealt = Continued(record.chance[:before], key_of(record))
    again = Match(game, game.rules.read(record.rules), record.seats, _Compared(dealt, record.chance))
    for joint in record.picks:
        again.decide(joint)
    key = "proof.deal_own" if before else "proof.deal"
    return Finding("deal", True, message(key, count=len(record.chance) - before))


class _Compared:
    """Chance from the seed that must agree with the record's list, entry by entry."""

    __slots__ = ("_dealt", "_expected", "drawn")

    def __init__(self, dealt: Continued, expected: tuple[str, ...]) -> None:
        self._dealt = dealt
        self._expected = expected
        self.drawn = dealt.drawn

    def draw(self, options: Any, /) -> Any:
        place = len(self.drawn)
        drawn = self._dealt.draw(options)
        if drawn != self._expected[place]:
            claimed = self._expected[place]
            say = f"chance entry {place + 1} is {claimed!r}, but the seed deals {str(drawn)!r} there"
            raise NotVerified(say, text=claimed)
        return drawn
