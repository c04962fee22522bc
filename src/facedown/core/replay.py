"""Replay and verification of a record: the fold over its decisions, and the checks of what it claims.

Knows no rule: the game refuses what does not follow it, and the place is added here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from facedown.core import registry
from facedown.core.chain import CLOCK, MACHINE, PERSON, Chain
from facedown.core.chance import (
    Scripted,
    Seeded,
    clock_stream,
    deal_key,
    pick_commitment,
    seed_commitment,
    table_nonce,
)
from facedown.core.errors import FacedownError, IllegalChance, NotVerified
from facedown.core.fairness import History, OpenedSeal, Pool, Proof, SealedDecision, history_of
from facedown.core.game import FORFEIT, RESIGN, Joint, Step
from facedown.core.links import RANDOM
from facedown.core.match import Match
from facedown.core.record import Origin, Record, result_of
from facedown.core.text.translation import Domain, Slot, Text, all_of
from facedown.core.views import Plain

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
    """One thing that was checked: `holds` is None where something is missing that the check needs."""

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
    if record.fair is None:
        if any(FORFEIT in joint for joint in record.picks):
            raise NotVerified("a pick was forfeited, but there are no links that say so")
        yield Finding("links", None, message("proof.local"))
    else:
        yield from _check_links(record, record.fair, origin)
    yield _deal(record)
    for check in others:
        if (finding := check(record)) is not None:
            yield finding


def key_of(record: Record) -> bytes:
    """The key that dealt a record whose seed is known."""
    seed = bytes.fromhex(record.seed or "")
    return deal_key(seed, record.id) if record.fair is None else history_of(record.fair).key(seed)


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


# --- the links -------------------------------------------------------------------------------------------


def _check_links(record: Record, fair: Proof, origin: Record | None) -> Iterator[Finding]:
    """The public events of the table: in order, about this game, and every seal and number opens."""
    history = history_of(fair)
    chain = history.chain
    _check_setup(record, chain, origin)
    _check_due(record, history)
    ended = chain.ended == "over"
    yield Finding("links", True if ended else None, message("proof.links", count=len(fair.links)))
    yield _promises(record, chain)
    yield Finding("seals", True, message("proof.seals", count=_check_seals(record, history)))
    if record.seed is None:
        yield Finding("placers", None, message("proof.no_seed"))
    else:
        clocked = _check_placers(record, history, key_of(record))
        yield Finding("placers", True, message("proof.placers", count=clocked))
    if chain.setup.blind:
        count = sum(chain.forfeits.values())
        unclear = count > 0 and len(chain.machines) > 2  # a coalition may have sacrificed a seat
        yield Finding("forfeits", None if unclear else True, message("proof.forfeits", count=count))


def _check_setup(record: Record, chain: Chain, origin: Record | None) -> None:
    """Raise unless the links are about the game of the record."""
    setup = chain.setup
    continued = setup.continues
    for what, mine, theirs in (
        ("id", record.id, chain.table),
        ("game", record.game, setup.game),
        ("version", record.version, setup.version),
        ("rules", record.rules, setup.rules),
        ("number of seats", len(record.seats), len(chain.machines)),
        (
            "origin",
            record.continues and (record.continues.id, record.continues.decisions, record.continues.draws),
            continued and (continued.id, continued.decisions, continued.draws),
        ),
    ):
        if mine != theirs:
            raise NotVerified(f"the links are about another game: their {what} is not the record's")
    if origin is not None and continued is not None and origin.game_digest.hex() != continued.digest:
        raise NotVerified("the record goes on from another game: its digest is not the one in the links")
    if chain.result is not None:
        result: dict[str, Plain] = {"replaced": [], **(record.result or {})}
        if result != chain.result or record.seed != chain.seed:
            raise NotVerified("the result or the seed is not the one in the last link")


def _check_due(record: Record, history: History) -> None:
    """Raise unless every list of due seats, every resignation and every forfeit is as in the record."""
    after = 0 if record.continues is None else record.continues.decisions
    if history.chain.dealt is not None and len(record.picks) - after != len(history.decisions):
        decided, own = len(history.decisions), len(record.picks) - after
        raise NotVerified(f"there are links for {decided} decisions, but picks for {own}")
    match = until(record, after)
    for turned, joint in zip(history.decisions, record.picks[after:], strict=False):
        if match.pending != turned.due:
            raise NotVerified("the seats that were due are not those of the rules").at(decision=turned.number)
        resigned = joint.index(RESIGN) + 1 if RESIGN in joint else None
        forfeited = tuple(seat for seat, pick in enumerate(joint, 1) if pick == FORFEIT)
        if (resigned, forfeited) != (turned.resigned, tuple(sorted(turned.forfeited))):
            raise NotVerified("a resignation or a forfeit is not as in the links").at(decision=turned.number)
        match.decide(joint)
    if history.chain.dealt is not None and match.pending != history.chain.due:
        raise NotVerified("the seats that were due are not those of the rules").at(decision=match.decision)


def _promises(record: Record, chain: Chain) -> Finding:
    """What was published before the deal: the server's seed, and the number of every person."""
    entropy = message("proof.entropy", count=len(chain.opened))
    if record.seed is None:
        return Finding("promises", None, message("proof.promises_open", entropy=entropy))
    if seed_commitment(record.id, bytes.fromhex(record.seed)).hex() != chain.seed_commit:
        raise NotVerified("the seed is not the one that was promised before the game")
    if chain.voids:
        return Finding("promises", None, message("proof.voids", count=chain.voids, entropy=entropy))
    return Finding("promises", True, message("proof.promises", entropy=entropy))


def _check_seals(record: Record, history: History) -> int:
    """Raise unless every pick of a person is the one that was sealed; how many there are."""
    checked = 0
    for turned in history.decisions:
        joint = record.picks[turned.number - 1]
        for seal in turned.seals:
            pick, thrown = joint[seal.seat - 1], turned.resigned is not None
            hidden = thrown or seal.seat in turned.forfeited
            if (seal.nonce is None) is not (hidden or seal.placer != PERSON):
                raise NotVerified("a nonce is missing, or there is one too many").at(
                    decision=turned.number, seat=seal.seat
                )
            if seal.nonce is not None:
                _check_seal(record, turned, seal, pick or "", bytes.fromhex(seal.nonce))
                checked += 1
    return checked


def _check_seal(record: Record, turned: SealedDecision, seal: OpenedSeal, pick: str, nonce: bytes) -> None:
    made = pick_commitment(record.id, turned.number, seal.seat, turned.head, pick, nonce)
    if made.hex() != seal.commit:
        raise NotVerified("the pick is not the one that was sealed", text=pick).at(
            decision=turned.number, seat=seal.seat
        )


def _check_placers(record: Record, history: History, key: bytes) -> int:
    """Raise unless machines and the clock placed what the links say; how many the clock placed.

    Their nonces follow from the key of the deal, which no person knows during the game.
    """
    clocked, match = 0, until(record, 0 if record.continues is None else record.continues.decisions)
    for turned in history.decisions:
        joint = record.picks[turned.number - 1]
        for seal in turned.seals:
            number, seat = turned.number, seal.seat
            nonces = {by: table_nonce(key, by, number, seat) for by in (MACHINE, CLOCK)}
            if seal.nonce is not None and bytes.fromhex(seal.nonce) in nonces.values():
                say = "the table itself placed this pick, but the record hides it"
                raise NotVerified(say).at(decision=number, seat=seat)
            if seal.placer == PERSON or turned.resigned is not None:
                continue
            _check_seal(record, turned, seal, joint[seat - 1] or "", nonces[seal.placer])
            if seal.placer == CLOCK:
                clocked += 1
                _check_clock(history, match, key, turned, seal, joint)
        match.decide(joint)
    return clocked


def _check_clock(
    history: History, match: AnyMatch, key: bytes, turned: SealedDecision, seal: OpenedSeal, joint: Joint
) -> None:
    """Raise unless the clock drew this pick; one that a machine chose is checked with those of machines."""
    legal = match.legal(seal.seat)
    drawn = legal[clock_stream(key, turned.number, seal.seat).below(len(legal))]
    if history.chain.setup.flag == RANDOM and joint[seal.seat - 1] != drawn:
        raise NotVerified("the clock's pick is not the one that the seed draws").at(
            decision=turned.number, seat=seal.seat
        )


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
