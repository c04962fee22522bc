"""What people and machines may do at a table: each act is checked, then told as facts.

Nothing is done by halves: an act that is refused has added nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from facedown.bots.find import find_bot
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.core.errors import NotNow
from facedown.core.game import Pick
from facedown.core.seats import SPECTATOR, Seat
from facedown.protocol.errors import BadMessage, BadSeal, NotSeated, NotYours, SeatTaken, WrongDecision
from facedown.protocol.messages import Ack, Cmd, Hex32, Replaced, Result
from facedown.server.ids import kept
from facedown.server.store.base import Notice, SeatKey
from facedown.server.table import facts
from facedown.server.table.presence import replaceable_seats
from facedown.server.table.state import Place, Situation
from facedown.server.table.transaction import Story
from facedown.server.text import clean_text


class Actor(NamedTuple):
    """Who acts: the seat (0: a spectator), the person and what they are called; and who has not been seen."""

    seat: Seat
    person: str
    name: str
    away: frozenset[Seat] = frozenset()
    """The seats of people who have not been seen for a while."""


def act(story: Story, actor: Actor, cmd: Cmd) -> Ack:
    """Do what a command says, and say which fact it made; a repeated command gets its first answer again."""
    key = _key(actor, cmd)
    known = story.situation.answers.get((actor.seat, key))
    if known is not None:
        return Ack(cmd.id, known)
    if actor.seat == SPECTATOR and cmd.do != "say":
        raise NotSeated("spectators watch: sit down at a table to play")
    _check_seat(story.situation, actor)
    v = _ACTS[cmd.do](story, actor, cmd)
    if cmd.do != "leave" and actor.seat != SPECTATOR and story.situation.place(actor.seat).left:
        story.add(facts.Back(actor.seat))
    return Ack(cmd.id, v)


def _check_seat(situation: Situation, actor: Actor) -> None:
    """Raise unless the seat is the actor's own at this moment; machines have no person."""
    if actor.seat == SPECTATOR or situation.sits(actor.person, actor.seat):
        return
    if actor.person or situation.place(actor.seat).kind != "machine":
        raise NotYours("this is not your seat any more")


def _key(actor: Actor, cmd: Cmd) -> str:
    """Under which name the store knows this command: unique for a seat, and for every spectator."""
    return cmd.id if actor.seat != SPECTATOR else f"{actor.person}:{cmd.id}"


# --- the game --------------------------------------------------------------------------------------------


def _pick(story: Story, actor: Actor, cmd: Cmd) -> int:
    situation = story.situation
    if cmd.pick is None or cmd.commit is None or cmd.nonce is None:
        raise BadMessage("a pick needs `pick`, `commit`, `nonce` and `decision`")
    decision = _open_decision(situation, cmd)
    commit = pick_commitment(situation.id, decision, actor.seat, cmd.pick, bytes.fromhex(cmd.nonce))
    if commit.hex() != cmd.commit:
        raise BadSeal(
            "the seal does not fit the pick: it must be made of this table, decision, seat and nonce"
        )
    return seal(story, actor.seat, cmd.pick, cmd.commit, cmd.nonce, command=cmd.id)


def seal(
    story: Story,
    seat: Seat,
    pick: Pick,
    commit: Hex32,
    nonce: Hex32,
    *,
    command: str = "",
    flag: bool = False,
) -> int:
    """Place a pick face down. The one path that every pick takes: people's, machines', and the clock's."""
    situation = story.situation
    situation.match.check_pick(seat, pick)
    decision = situation.match.decision
    spent = situation.clocks.spent(seat, story.now)
    fact = facts.Sealed(decision, seat, commit, flag)
    entry = story.add(fact, facts.Under(pick, nonce), seat=seat, command=command, spent=spent)
    if situation.step is None:
        _give_notice(story, before={seat})
    else:
        story.add(facts.Revealed(decision), situation.newly_drawn())
        _go_on(story)
    return entry.v


def time_is_up(story: Story, now: int, chosen: Mapping[Seat, tuple[int, Pick]]) -> None:
    """Deal without those who did not open in time; where a clock ran out, seal what was chosen for the seat.

    `chosen` holds the decision as well: a pick for one that is over is not sealed.
    """
    situation = story.situation
    if (
        situation.phase == "opening"
        and situation.opening_until is not None
        and situation.opening_until <= now
    ):
        _begin_without(story)
    if not situation.playing:
        return
    for seat, (decision, pick) in chosen.items():
        if decision == situation.match.decision and seat in situation.clocks.due(now):
            _flag(story, seat, pick)


def _flag(story: Story, seat: Seat, pick: Pick) -> None:
    """The clock seals a pick: the same path as everybody's, and it says so."""
    nonce = secrets.token_bytes(32)
    decision = story.situation.match.decision
    commit = pick_commitment(story.situation.id, decision, seat, pick, nonce)
    seal(story, seat, pick, commit.hex(), nonce.hex(), flag=True)


def _resign(story: Story, actor: Actor, cmd: Cmd) -> int:
    situation = story.situation
    decision = _open_decision(situation, cmd)
    if actor.seat not in situation.game.standing(situation.match.state):
        raise NotNow("this seat is not in the game any more")
    fact = facts.Resigned(decision, actor.seat)
    entry = story.add(fact, seat=actor.seat, command=cmd.id)
    _go_on(story)
    return entry.v


def _open_decision(situation: Situation, cmd: Cmd) -> int:
    """The decision that is open, if it is the one that the command is for."""
    if not situation.playing:
        raise NotNow("the game is over" if situation.dealt else "the game has not begun")
    decision = situation.match.decision
    if cmd.decision != decision:
        raise WrongDecision(f"decision {decision} is open, this is for {cmd.decision}")
    return decision


def _go_on(story: Story) -> None:
    """After a reveal: the end, or the next decision."""
    situation = story.situation
    outcome = situation.match.outcome
    if outcome is None:
        _give_notice(story, before=())
        return
    replaced = tuple(
        Replaced(place.seat, place.machine or "", place.replaced_at)
        for place in situation.places
        if place.replaced_at is not None
    )
    result = Result(outcome.winner, str(outcome.termination), outcome.score, replaced)
    story.add(facts.Over(result, situation.seed.hex()))


def _give_notice(story: Story, before: Iterable[Seat]) -> None:
    """By correspondence, those whose turn it is now are told once, wherever they are."""
    situation = story.situation
    if situation.made.clock.kind != "correspondence":
        return
    for seat, since in situation.clocks.since.items():
        person = situation.place(seat).person
        if since == story.now and seat not in before and person is not None:
            story.notices.append(Notice(person, situation.id, situation.match.decision, "turn"))


# --- sitting down and the deal ---------------------------------------------------------------------------


def join(story: Story, seat: Seat, person: str, name: str, commit: str, token: str) -> None:
    """Sit down, with the promise of one's entropy."""
    situation = story.situation
    if not 1 <= seat <= len(situation.places):
        raise BadMessage(f"there is no seat {seat} at this table")
    place = situation.place(seat)
    if situation.phase != "open" or place.taken:
        raise SeatTaken(f"seat {seat} is taken")
    if place.kept_for is not None and place.kept_for != person:
        raise SeatTaken(f"seat {seat} is kept for somebody else")
    if situation.made.hotseat and person != situation.host:
        raise NotYours("this table is played on one device, by whoever set it up")
    if not situation.made.hotseat and situation.seats_of(person):
        raise SeatTaken("you sit at this table already")
    story.keys.append(SeatKey(seat, person, kept(token)))
    story.add(facts.Sat(seat, name, commit), facts.Who(person), seat=seat)
    begin_if_ready(story)


def _open(story: Story, actor: Actor, cmd: Cmd) -> int:
    situation = story.situation
    place = situation.place(actor.seat)
    if cmd.entropy is None:
        raise BadMessage("opening needs `entropy`")
    if situation.phase != "opening" or place.opened is not None:
        raise NotNow("entropy is opened once, when all seats are taken and before the deal")
    commit = entropy_commitment(situation.id, actor.seat, bytes.fromhex(cmd.entropy))
    if commit.hex() != place.commit:
        raise BadSeal("this is not the entropy that was promised on sitting down")
    entry = story.add(facts.Opened(actor.seat, cmd.entropy), seat=actor.seat, command=cmd.id)
    begin_if_ready(story)
    return entry.v


def begin_if_ready(story: Story) -> None:
    """Deal, once every person has opened their entropy."""
    situation = story.situation
    if situation.phase == "opening" and all(place.opened is not None for place in situation.people):
        _deal(story)


def _begin_without(story: Story) -> None:
    """Deal without the entropy that was not opened in time."""
    situation = story.situation
    story.add(facts.Unopened(tuple(place.seat for place in situation.people if place.opened is None)))
    _deal(story)


def _deal(story: Story) -> None:
    story.add(facts.Dealt(), story.situation.shuffle())
    _give_notice(story, before=())


# --- coming and going ------------------------------------------------------------------------------------


def rename(story: Story, person: str, name: str) -> None:
    """Call a person otherwise, on all their seats."""
    for seat in story.situation.seats_of(person):
        if story.situation.place(seat).name != name:
            story.add(facts.Named(seat, name))


def _leave(story: Story, actor: Actor, cmd: Cmd) -> int:
    situation = story.situation
    if situation.phase == "open":
        story.keys.append(SeatKey(actor.seat, "", b""))
        return story.add(facts.Stood(actor.seat), seat=actor.seat, command=cmd.id).v
    if situation.phase != "playing":
        raise NotNow("the deal is being made" if situation.phase == "opening" else "the game is over")
    if situation.place(actor.seat).left:
        raise NotNow("this seat has been left already")
    return story.add(facts.Left(actor.seat), seat=actor.seat, command=cmd.id).v


def _replace(story: Story, actor: Actor, cmd: Cmd) -> int:
    situation = story.situation
    if cmd.machine is None:
        raise BadMessage("the offer needs `seat` and `machine`")
    place = _leaver(situation, actor, cmd)
    check_machine(situation.made.game, cmd.machine)
    if place.offered is not None:
        raise NotNow(f"somebody has offered that {place.offered} takes over: agree to it, or not")
    offer = facts.Offered(place.seat, cmd.machine, actor.seat)
    entry = story.add(offer, seat=actor.seat, command=cmd.id)
    _hand_over(story, place)
    return entry.v


def _agree(story: Story, actor: Actor, cmd: Cmd) -> int:
    place = _leaver(story.situation, actor, cmd)
    if place.offered is None:
        raise NotNow("nobody has offered that a machine takes over this seat")
    if actor.seat in place.agreed:
        raise NotNow("this seat has agreed already")
    entry = story.add(facts.Agreed(place.seat, actor.seat), seat=actor.seat, command=cmd.id)
    _hand_over(story, place)
    return entry.v


def _leaver(situation: Situation, actor: Actor, cmd: Cmd) -> Place:
    """The seat of somebody who has left, or has not been seen for a while."""
    if not situation.playing:
        raise NotNow("no game goes on")
    if cmd.seat is None or cmd.seat > len(situation.places) or cmd.seat == actor.seat:
        raise BadMessage("`seat` must be another seat of this table")
    if cmd.seat not in replaceable_seats(situation, actor.away):
        raise NotNow("a machine takes over only a seat that somebody has left, or whose time ran out")
    return situation.place(cmd.seat)


def needed(situation: Situation, place: Place) -> tuple[Seat, ...]:
    """Who has to agree before a machine takes over: all other people who are still at the table."""
    return tuple(other.seat for other in situation.people if other.seat != place.seat and not other.left)


def _hand_over(story: Story, place: Place) -> None:
    if not set(needed(story.situation, place)) <= set(place.agreed):
        return
    story.keys.append(SeatKey(place.seat, "", b""))
    decision = story.situation.match.decision
    story.add(facts.Replaced(place.seat, place.offered or "", decision))


def check_machine(game: str, machine: str) -> None:
    """Raise unless this machine plays this game here: one of the installed ones, never a path to import."""
    if ":" in machine:
        raise BadMessage("a machine is named by its name")
    find_bot(game, machine)


# --- talking, and the next game --------------------------------------------------------------------------


def _say(story: Story, actor: Actor, cmd: Cmd) -> int:
    text = None if cmd.text is None else clean_text(cmd.text)
    if (not text) == (cmd.preset is None):
        raise BadMessage("say something: `text`, or one of the presets")
    if story.situation.phase == "closed":
        raise NotNow("this table is closed")
    fact = facts.Spoke(actor.seat, actor.name, text or None, cmd.preset)
    return story.add(fact, seat=actor.seat, command=_key(actor, cmd)).v


def name_next(story: Story, actor: Actor, cmd: Cmd, table: str) -> Ack:
    """Say which table is the next one; the first word counts."""
    situation = story.situation
    if situation.next is None:
        fact = facts.Rematch(actor.seat, table)
        return Ack(cmd.id, story.add(fact, seat=actor.seat, command=cmd.id).v, table)
    return Ack(cmd.id, situation.head, situation.next)


_ACTS: Final[dict[str, Callable[[Story, Actor, Cmd], int]]] = {
    "pick": _pick,
    "open": _open,
    "resign": _resign,
    "leave": _leave,
    "say": _say,
    "replace": _replace,
    "agree": _agree,
}
