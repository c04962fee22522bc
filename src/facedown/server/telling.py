"""What a viewer is told of a table: the one way from a situation, which holds secrets, to the wire.

An allow-list: every message is built up from what this viewer may know; nothing is taken away from a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UNSET, Raw

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.server import facts
from facedown.server.acts import needed
from facedown.server.facts import Entry
from facedown.server.situation import Place, Situation, Turned
from facedown.server.wire import (
    Ev,
    Offer,
    Opening,
    SealInfo,
    SeatInfo,
    Snap,
    TableInfo,
    Told,
    TurnInfo,
    encode,
    shown,
    told,
)

# --- the whole table -------------------------------------------------------------------------------------


def snap(
    situation: Situation,
    viewer: Viewer,
    person: str | None,
    here: frozenset[Seat],
    invite: str | None,
    now: int,
) -> Snap:
    """The table as a viewer may see it now."""
    view, legal = sight(situation, viewer)
    return Snap(
        v=situation.head,
        now=now,
        table=table_info(situation, viewer, person, here, invite),
        view=view,
        legal=legal,
        placed=situation.under.get(viewer) if viewer != SPECTATOR else None,
    )


def table_info(
    situation: Situation, viewer: Viewer, person: str | None, here: frozenset[Seat], invite: str | None
) -> TableInfo:
    """Everything about the table but the game itself."""
    made = situation.made
    over = situation.phase == "over"
    seated = bool(situation.seats_of(person)) or (person is not None and person == situation.host)
    return TableInfo(
        id=situation.id,
        game=made.game,
        version=made.version,
        rules=made.rules,
        title=situation.game.meta.title,
        state=situation.phase,
        hotseat=made.hotseat,
        public=made.public,
        watch=made.watch,
        clock=made.clock,
        flag=made.flag,
        host_is_you=person is not None and person == situation.host,
        yours=situation.seats_of(person),
        invite=invite if seated else None,
        seed_commit=made.seed_commit,
        seed=situation.seed.hex() if over else None,
        seats=seat_infos(situation, here),
        turn=turn_info(situation),
        series=made.series,
        next=situation.next,
        result=situation.result,
        said=tuple(each for each in situation.said if _hears(viewer, each.seat)),
        created_at=situation.created_at,
        ended_at=situation.ended_at,
    )


def sight(situation: Situation, viewer: Viewer) -> tuple[Raw | None, tuple[str, ...]]:
    """The game's own view, and what the viewer may pick."""
    if not situation.dealt:
        return None, ()
    match = situation.match
    legal = match.legal(viewer) if situation.playing else ()
    return shown(match.view(viewer)), tuple([str(pick) for pick in legal])


def seat_infos(situation: Situation, here: frozenset[Seat]) -> tuple[SeatInfo, ...]:
    """Who sits where."""
    return tuple(_seat_info(situation, place, here) for place in situation.places)


def _seat_info(situation: Situation, place: Place, here: frozenset[Seat]) -> SeatInfo:
    offer = None
    if place.offered is not None:
        offer = Offer(place.offered, place.agreed, needed(situation, place))
    return SeatInfo(
        seat=place.seat,
        kind=place.kind,
        name=place.name,
        machine=place.machine,
        taken=place.taken,
        commit=place.commit,
        opened=place.opened,
        left=place.left,
        here=place.kind == "machine" or place.seat in here,
        replaced_at=place.replaced_at,
        offer=offer,
    )


def turn_info(situation: Situation) -> TurnInfo | None:
    """The open decision; None where there is none."""
    if not situation.playing:
        return None
    match, clocks = situation.match, situation.clocks
    return TurnInfo(
        decision=match.decision,
        waiting=match.pending,
        may_seal=match.may_seal,
        sealed=tuple(
            SealInfo(seat, seal.commit.hex(), seal.flag) for seat, seal in sorted(situation.seals.items())
        ),
        deadlines={str(seat): deadline for seat, deadline in clocks.deadlines.items()},
        banks={str(seat): bank for seat, bank in clocks.banks.items()},
        since=min(clocks.since.values(), default=situation.log[-1].at),
    )


def _hears(viewer: Viewer, speaker: Seat) -> bool:
    """Seats talk among themselves, and spectators among themselves."""
    return (viewer == SPECTATOR) == (speaker == SPECTATOR)


# --- one event -------------------------------------------------------------------------------------------

_SEATING: Final = (
    facts.Sat,
    facts.Stood,
    facts.Named,
    facts.Opened,
    facts.Unopened,
    facts.Left,
    facts.Back,
    facts.Offered,
    facts.Agreed,
    facts.Replaced,
)
_TURNING: Final = (facts.Dealt, facts.Revealed, facts.Resigned, facts.Over, facts.Closed)


def past(situation: Situation, viewer: Viewer, after: int) -> list[bytes]:
    """What happened after an event, for somebody who missed it: frames without where it led to."""
    return [encode(_event(situation, entry, viewer, {})) for entry in situation.log[after:]]


def frames(
    situation: Situation, entries: list[Entry], here: frozenset[Seat], viewers: Iterable[Viewer]
) -> dict[Viewer, list[bytes]]:
    """What just happened, for each viewer; the last frame says where the table stands after it."""
    common = _parts(situation, entries, here)
    shows_game = any(isinstance(entry.fact, _TURNING) for entry in entries) and situation.dealt
    ready: dict[Viewer, list[bytes]] = {}
    shared: dict[int, bytes] = {}
    last = entries[-1].v
    for viewer in viewers:
        ready[viewer] = out = []
        for entry in entries:
            parts = common if entry.v == last else _NOTHING
            if entry.v == last and shows_game:
                view, legal = sight(situation, viewer)
                parts = {**common, "view": view, "legal": legal}
            elif isinstance(entry.fact, _SAME_FOR_ALL):
                if entry.v not in shared:
                    shared[entry.v] = encode(_event(situation, entry, viewer, parts))
                out.append(shared[entry.v])
                continue
            out.append(encode(_event(situation, entry, viewer, parts)))
    return ready


_NOTHING: Final[dict[str, Any]] = {}
_SAME_FOR_ALL: Final = (facts.Sealed, facts.Sat, facts.Opened, facts.Stood, facts.Named)


def _parts(situation: Situation, entries: list[Entry], here: frozenset[Seat]) -> dict[str, Any]:
    """The parts of a table that these events have changed, as far as they are the same for everybody."""
    kinds = [entry.fact for entry in entries]
    if not any(not isinstance(fact, facts.Spoke | facts.Rematch) for fact in kinds):
        return {}
    parts: dict[str, Any] = {}
    if situation.dealt:
        parts["turn"] = turn_info(situation)
    if any(isinstance(fact, _SEATING) for fact in kinds):
        parts["seats"] = seat_infos(situation, here)
    if any(isinstance(fact, _SEATING + _TURNING) for fact in kinds):
        parts["state"] = situation.phase
    return parts


def _event(situation: Situation, entry: Entry, viewer: Viewer, parts: dict[str, Any]) -> Ev:
    fact = entry.fact
    if isinstance(fact, facts.Spoke) and not _hears(viewer, fact.seat):
        return Ev(entry.v, "-")
    body = _BODIES[type(fact)](situation, entry, fact, viewer)
    return Ev(entry.v, fact.__struct_config__.tag, entry.at, **body, **parts)  # type: ignore[arg-type]  # a tag is text


def _turned(turned: Turned, viewer: Viewer) -> tuple[Told, ...]:
    return tuple([told(event.seen_by(viewer)) for event in turned.events])


def _opens(situation: Situation, turned: Turned, viewer: Viewer) -> tuple[Opening, ...]:
    """The openings of all picks that lie open now; one's own always."""
    return tuple(
        Opening(seat, pick, nonce)
        for seat, pick, nonce in turned.picks
        if seat == viewer or situation.game.lies_open(pick)
    )


def _revealed(situation: Situation, entry: Entry, fact: facts.Revealed, viewer: Viewer) -> dict[str, Any]:
    turned = situation.turned[entry.v]
    return {
        "decision": fact.decision,
        "opens": _opens(situation, turned, viewer),
        "events": _turned(turned, viewer),
    }


_Body = Callable[[Situation, Entry, Any, Viewer], dict[str, Any]]
_BODIES: Final[dict[type, _Body]] = {
    facts.Made: lambda *_: {},
    facts.Sat: lambda _s, _e, fact, _v: {"seat": fact.seat, "name": fact.name, "commit": fact.commit},
    facts.Stood: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.Named: lambda _s, _e, fact, _v: {"seat": fact.seat, "name": fact.name},
    facts.Opened: lambda _s, _e, fact, _v: {"seat": fact.seat, "entropy": fact.entropy},
    facts.Unopened: lambda _s, _e, fact, _v: {"unopened": fact.seats},
    facts.Dealt: lambda s, entry, _f, viewer: {"events": _turned(s.turned[entry.v], viewer)},
    facts.Sealed: lambda _s, _e, fact, _v: {
        "decision": fact.decision,
        "seat": fact.seat,
        "commit": fact.commit,
        "flag": fact.flag or UNSET,
    },
    facts.Revealed: _revealed,
    facts.Resigned: lambda s, entry, fact, viewer: {
        "decision": fact.decision,
        "seat": fact.seat,
        "events": _turned(s.turned[entry.v], viewer),
    },
    facts.Over: lambda _s, _e, fact, _v: {"result": fact.result, "seed": fact.seed},
    facts.Left: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.Back: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.Offered: lambda _s, _e, fact, _v: {"seat": fact.seat, "machine": fact.machine, "by": fact.by},
    facts.Agreed: lambda _s, _e, fact, _v: {"seat": fact.seat, "by": fact.by},
    facts.Replaced: lambda _s, _e, fact, _v: {
        "seat": fact.seat,
        "machine": fact.machine,
        "decision": fact.decision,
    },
    facts.Spoke: lambda _s, _e, fact, _v: {
        "seat": fact.seat,
        "name": fact.name,
        "text": fact.text or UNSET,
        "preset": fact.preset or UNSET,
    },
    facts.Rematch: lambda _s, _e, fact, _v: {"by": fact.by, "next": fact.next},
    facts.Outage: lambda _s, _e, fact, _v: {"ms": fact.ms},
    facts.Closed: lambda _s, _e, fact, _v: {"say": fact.say},
}
