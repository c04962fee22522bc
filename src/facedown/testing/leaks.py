"""Non-interference: nothing that reaches a viewer depends on what it may not know. Knows no game by name.

What a viewer may know is what the game itself declares: its own picks, and the events of which it is the
audience. In any two worlds that agree in these, every view, error, repr and length must agree too.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import settings

from facedown.core.errors import FacedownError
from facedown.core.events import Event
from facedown.core.game import AnyGame, Joint, Pick
from facedown.core.replay import AnyMatch
from facedown.core.seats import SPECTATOR, Seat, Viewer, viewer_name
from facedown.testing.checks import HOW, Check, Leak
from facedown.testing.knowledge import Knowledge, difference, events_seen, glance, knowledge_of
from facedown.testing.reach import way_out
from facedown.testing.tables import Deal, TableSetup, driven, uniform
from facedown.testing.worlds import Trace, World, bent, stopped_world

_BENDS = 8
"""The number of other worlds that are tried beside each one."""
_DECISIONS = 60
"""No world is followed further."""
_PLACES = 2
"""The number of places in each game at which two ballots are compared."""
_CLOSELY = 4
"""The first decisions, and then one in this number, are looked at in all respects, the others at a glance."""
_PROBES: tuple[Pick, ...] = ("", "?")


# --- what is hidden: two worlds that differ only in that -------------------------------------------------


def hidden_worlds_look_alike(game: AnyGame, how: settings = HOW) -> None:
    """Worlds that differ in hidden hands, stocks or seeds look alike to each viewer with the same events."""
    doubts: Counter[Viewer] = Counter()

    def look(deal: Deal) -> None:
        stream = deal.stream("worlds")
        world = stopped_world(deal, _DECISIONS, stream)
        _compare(deal, world, world.trace)  # these two differ in their seeds alone
        for _ in range(_BENDS):
            doubts.update(_compare(deal, world, bent(world, stream)))

    driven(look)(game, how)
    if game.meta.hidden_hands and not doubts[SPECTATOR]:
        raise Leak("the game says hidden_hands=True, but the spectator sees everything: it is never in doubt")


def _compare(deal: Deal, world: World, other_trace: Trace) -> Counter[Viewer]:
    """Play the world and the other one side by side, for all viewers who cannot tell them apart.

    Returns the number of moments in which a viewer was in doubt: it saw the same in different worlds.
    """
    one = World(deal.table, world.trace, f"{deal.seed}")
    other = World(deal.table, other_trace, f"{deal.seed} in another world")
    doubts: Counter[Viewer] = Counter()
    blind = set(deal.table.viewers)
    while True:
        blind = {
            viewer
            for viewer in blind
            if events_seen(one.happened, viewer) == events_seen(other.happened, viewer)
        }
        last = one.over or other.over or one.match.decision > len(world.match.picks)
        close = last or one.match.decision < _CLOSELY or one.match.decision % _CLOSELY == 0
        if one.trace != other.trace or other_trace == world.trace:
            for viewer in blind:
                _must_look_alike(one, other, viewer, _probes(world, one) if close else ())
        if one.match.state != other.match.state:
            doubts.update(blind)
        if last or not blind:
            return doubts
        joints = one.next_joint(), other.next_joint()
        blind -= {
            seat for seat, (pick, another) in enumerate(zip(*joints, strict=True), 1) if pick != another
        }
        one.decide(joints[0])
        other.decide(joints[1])


def _probes(world: World, now: World) -> tuple[Pick, ...]:
    """Picks to provoke errors with: nonsense, and what others pick in this decision and in the next."""
    decision = now.match.decision - 1
    near = (pick for joint in world.match.picks[decision : decision + 2] for pick in joint if pick)
    return tuple(dict.fromkeys((*_PROBES, *near)))


def _must_look_alike(one: World, other: World, viewer: Viewer, probes: tuple[Pick, ...]) -> Knowledge:
    """Raise unless the viewer sees the same in both worlds; without probes only a glance."""
    if not probes and glance(one.match, viewer, one.happened) == glance(other.match, viewer, other.happened):
        return {}
    seen = knowledge_of(one.match, viewer, one.happened, probes)
    found = difference(seen, knowledge_of(other.match, viewer, other.happened, probes))
    if found:
        place = f"before decision {one.match.decision}, {viewer_name(viewer)}"
        raise Leak(f"{place} can tell apart two worlds that differ only in what it may not know: {found}")
    return seen


# --- what is sealed: two ballots that differ only in others' picks ---------------------------------------


class Canary(str):
    """A pick that is the same as its text to the table, but sings wherever it is shown."""

    __slots__ = ()
    song = "a canary sings"

    def __repr__(self) -> str:
        return self.song

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return self.song


@driven
def sealed_picks_stay_face_down(deal: Deal) -> None:
    """Until the reveal nothing that reaches a viewer depends on what others have sealed, nor leads to it."""
    stream = deal.stream("ballots")
    for _ in range(_PLACES):
        world = stopped_world(deal, _DECISIONS, stream)
        if world.over:
            continue
        for viewer in deal.table.viewers:
            joint = uniform(world.match, stream)
            others = tuple(
                pick if pick is None or seat == viewer else _another(pick, world.match.legal(seat))
                for seat, pick in enumerate(joint, 1)
            )
            order = _order(world.match, viewer, first=stream.below(2) == 0)
            sealing = order[: 1 + stream.below(len(order))][:-1] if stream.below(3) == 0 else order[:-1]
            _seal_both(deal.table, world.trace, viewer, sealing, (joint, others))


def _another(pick: Pick, legal: tuple[Pick, ...]) -> Pick:
    """The legal pick after this one; the same where there is no other."""
    return legal[(legal.index(pick) + 1) % len(legal)]


def _order(match: AnyMatch, viewer: Viewer, *, first: bool) -> list[Seat]:
    """An order of sealing in which the viewer comes first, or last, in its own wave."""
    return [
        seat
        for wave in match.pending
        for seat in sorted(wave, key=lambda seat: (seat == viewer) is not first)
    ]


def _seal_both(
    table: TableSetup, trace: Trace, viewer: Viewer, sealing: list[Seat], joints: tuple[Joint, Joint]
) -> None:
    """Some seats seal in two worlds, others' picks differing; then a seat resigns, and all is thrown away."""
    one, other = (World(table, trace, "sealed").run(len(trace.picks)) for _ in joints)
    for world, joint in ((one, joints[0]), (other, joints[1])):
        world.happened = ()
        for seat in sealing:
            pick = str(joint[seat - 1])
            step = world.match.seal(seat, pick if seat == viewer else Canary(pick))
            world.happened += () if step is None else step.events
    _must_keep_the_secret(one, other, viewer, _sealing_probes(one.match, viewer, joints[0]))
    for seat in one.match.game.standing(one.match.state)[-1:]:
        one.happened = one.match.resign(seat).events
        other.happened = other.match.resign(seat).events
        _must_keep_the_secret(one, other, viewer, _PROBES)


def _sealing_probes(match: AnyMatch, viewer: Viewer, joint: Joint) -> tuple[Pick, ...]:
    own = match.legal(viewer) if viewer != SPECTATOR else ()
    return tuple(dict.fromkeys((*_PROBES, *own[:2], *(pick for pick in joint if pick))))


def _must_keep_the_secret(one: World, other: World, viewer: Viewer, probes: tuple[Pick, ...]) -> None:
    """The two look alike, no text shows the viewer a canary, and no way leads from its view to one."""
    for what, text in _must_look_alike(one, other, viewer, probes).items():
        if Canary.song in text:
            before, _, after = text.partition(Canary.song)
            shown = f"…{before[-60:]}{Canary.song}{after[:20]}…"
            raise Leak(f"{what} shows {viewer_name(viewer)} a pick that is face down: {shown}")
    seen = tuple(event.seen_by(viewer) for event in one.happened)
    way = way_out((one.match.view(viewer), seen), "what it sees", one.match.state, Canary)
    if way:
        raise Leak(f"{viewer_name(viewer)} can reach {way}")


# --- where one can get from a view -----------------------------------------------------------------------


@driven
def views_lead_nowhere(deal: Deal) -> None:
    """No view, event or error leads to a state, a ballot, a chance or a seed."""
    match = deal.open()
    for viewer in deal.table.viewers:
        _check_ways(match, viewer, match.dealt.events)
    for after, _, step in deal.play():
        if after.decision % _CLOSELY == 0 or after.outcome is not None:
            for viewer in deal.table.viewers:
                _check_ways(after, viewer, step.events)


def _check_ways(match: AnyMatch, viewer: Viewer, happened: tuple[Event, ...]) -> None:
    errors = [error for pick in _PROBES if (error := _refusal(match, viewer, pick))]
    roots = {
        "the view": match.view(viewer),
        "an event": tuple(event.seen_by(viewer) for event in happened),
        "an error": tuple((error.args, *vars(error).values()) for error in errors),
    }
    for name, root in roots.items():
        way = way_out(root, name, match.state)
        if way:
            raise Leak(f"{viewer_name(viewer)} can reach {way}")


def _refusal(match: AnyMatch, viewer: Viewer, pick: Pick) -> FacedownError | None:
    try:
        match.check_pick(viewer, pick)
    except FacedownError as error:
        return error
    return None


LEAKS: tuple[Check, ...] = (sealed_picks_stay_face_down, hidden_worlds_look_alike, views_lead_nowhere)
"""All checks for leaks."""
