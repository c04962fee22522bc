"""What a viewer is told of a table: the one way from a situation, which holds secrets, to the wire.

An allow-list: every message is built up from what this viewer may know; nothing is taken away from a whole.
"""

from __future__ import annotations

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.messages import Offer, SealInfo, SeatInfo, Snap, TableInfo, TurnInfo, shown
from facedown.server.table.commands import needed
from facedown.server.table.presence import Attendance, replaceable_seats
from facedown.server.table.state import Place, Situation


def snap(
    situation: Situation,
    viewer: Viewer,
    person: str | None,
    attendance: Attendance,
    invite: str | None,
    now: int,
) -> Snap:
    """The table as a viewer may see it now."""
    return Snap(
        v=situation.head,
        now=now,
        table=table_info(situation, viewer, person, attendance, invite),
        view=shown(situation.match.view(viewer)) if situation.dealt else None,
        legal=legal_of(situation, viewer),
        placed=situation.under.get(viewer) if viewer != SPECTATOR else None,
    )


def table_info(
    situation: Situation, viewer: Viewer, person: str | None, attendance: Attendance, invite: str | None
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
        seats=seat_infos(situation, attendance),
        turn=turn_info(situation),
        series=made.series,
        next=situation.next,
        result=situation.result,
        said=tuple(each for each in situation.said if hears(viewer, each.seat)),
        created_at=situation.created_at,
        ended_at=situation.ended_at,
        continues=made.continues,
    )


def legal_of(situation: Situation, viewer: Viewer) -> tuple[str, ...]:
    """What the viewer may pick in the open decision."""
    if not situation.playing:
        return ()
    return tuple([str(pick) for pick in situation.match.legal(viewer)])


def seat_infos(situation: Situation, attendance: Attendance) -> tuple[SeatInfo, ...]:
    """Who sits where."""
    here, replaceable = attendance.here, replaceable_seats(situation, attendance.away)
    return tuple(_seat_info(situation, place, here, replaceable) for place in situation.places)


def _seat_info(
    situation: Situation, place: Place, here: frozenset[Seat], replaceable: frozenset[Seat]
) -> SeatInfo:
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
        replaceable=place.seat in replaceable,
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


def hears(viewer: Viewer, speaker: Seat) -> bool:
    """Seats talk among themselves, and spectators among themselves."""
    return (viewer == SPECTATOR) == (speaker == SPECTATOR)
