"""The snapshot of a table for one viewer.

The state holds secrets: a snapshot is built up from what the viewer may know, never cut down from the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from facedown.core.chain import MACHINE
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.messages import (
    ChatMessage,
    ReplacementOffer,
    SealInfo,
    SeatInfo,
    Snap,
    TableInfo,
    TurnInfo,
    padding,
)
from facedown.protocol.rest import ListedTurn
from facedown.protocol.views import NO_VIEW, ViewEncoder
from facedown.server.table.actor import Attendance
from facedown.server.table.facts import may_read_chat
from facedown.server.table.presence import replaceable_seats
from facedown.server.table.seating import consent_needed
from facedown.server.table.state import SeatPlace, TableState
from facedown.server.table.summary import NO_PROGRESS, GameProgress


def progress_of(state: TableState, views: ViewEncoder) -> GameProgress:
    """The people who may seal now, and the spectator's view."""
    if not state.playing:
        return NO_PROGRESS
    deadlines, starts = state.clocks.deadlines, sorted(state.clocks.since.items())
    waiting = tuple(ListedTurn(seat, since, deadlines.get(seat)) for seat, since in starts)
    return GameProgress(waiting, views.view(state.match.view(SPECTATOR)))


def snapshot_of(
    state: TableState,
    viewer: Viewer,
    person: str | None,
    attendance: Attendance,
    invite: str | None,
    now: int,
    views: ViewEncoder,
    muted: frozenset[str] = frozenset(),
) -> Snap:
    """The whole table as this viewer may see it now, without chat messages of muted people."""
    placed = state.face_down.get(viewer) if viewer != SPECTATOR else None
    return Snap(
        v=state.head,
        now=now,
        table=table_info(state, viewer, person, attendance, invite, muted),
        view=views.view(state.match.view(viewer)) if state.dealt else NO_VIEW,
        legal=legal_of(state, viewer),
        placed=placed,
        pad=UNSET if placed is None else padding(placed),
    )


def table_info(
    state: TableState,
    viewer: Viewer,
    person: str | None,
    attendance: Attendance,
    invite: str | None,
    muted: frozenset[str] = frozenset(),
) -> TableInfo:
    """Everything about the table but the game itself."""
    setup = state.setup
    over = state.phase == "over"
    unnamed = state.unnamed_seats(viewer, person)
    seated = bool(state.seats_of(person)) or (person is not None and person == state.host)
    return TableInfo(
        id=state.id,
        game=setup.game,
        version=setup.version,
        rules=setup.rules,
        title=str(state.game.meta.title),
        state=state.phase,
        hotseat=setup.hotseat,
        public=setup.public,
        watch=setup.watch,
        clock=setup.clock,
        flag=setup.flag,
        host_is_you=person is not None and person == state.host,
        yours=state.seats_of(person),
        invite=invite if seated else None,
        seed_commit=setup.seed_commit,
        seed=state.seed.hex() if over else None,
        seats=without_names(seat_infos(state, attendance), unnamed),
        turn=turn_info(state),
        series=setup.series,
        next=state.next,
        result=state.result,
        said=without_names(
            [
                each.message
                for each in state.chat
                if may_read_chat(viewer, each.message.seat) and each.person not in muted
            ],
            unnamed,
        ),
        created_at=state.created_at,
        ended_at=state.ended_at,
        continues=setup.continues,
        substitute=state.substitute,
        chat=state.chat_on,
        seal=setup.seal,
        key=setup.key,
        opening=setup.opening,
        story=state.story or UNSET,
    )


N = TypeVar("N", SeatInfo, ChatMessage)


def without_names(named: Sequence[N], unnamed: frozenset[Seat]) -> tuple[N, ...]:
    """The same, without the names of these seats."""
    return tuple([replace(each, name="") if each.seat in unnamed else each for each in named])


def legal_of(state: TableState, viewer: Viewer) -> tuple[str, ...]:
    """The legal picks of the viewer in the open decision; none while a machine plays the viewer's seat."""
    if not state.playing or (viewer != SPECTATOR and state.place(viewer).kind == "machine"):
        return ()
    return tuple([str(pick) for pick in state.match.legal(viewer)])


def seat_infos(state: TableState, attendance: Attendance) -> tuple[SeatInfo, ...]:
    """All seats, with the people or machines on them."""
    here, replaceable = attendance.here, replaceable_seats(state, attendance)
    return tuple(_seat_info(state, place, here, replaceable) for place in state.places)


def _seat_info(
    state: TableState, place: SeatPlace, here: frozenset[Seat], replaceable: frozenset[Seat]
) -> SeatInfo:
    offer = None
    if place.offered is not None:
        offer = ReplacementOffer(place.offered, place.agreed, consent_needed(state, place))
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
        kept_for=place.kept_name if place.kept_name and not place.taken else UNSET,
    )


def turn_info(state: TableState) -> TurnInfo | None:
    """The open decision, if there is one."""
    if not state.playing:
        return None
    match, clocks, seals, promises = state.match, state.clocks, state.seals, state.promises
    sealed = [SealInfo(seat, seals[seat].commit, seals[seat].placer) for seat in sorted(seals)]
    promised = [SealInfo(seat, promises[seat].commit, MACHINE) for seat in sorted(promises)]
    return TurnInfo(
        match.decision,
        match.pending,
        match.may_seal,
        tuple(sealed),
        {str(seat): deadline for seat, deadline in clocks.deadlines.items()},
        {str(seat): bank for seat, bank in clocks.banks.items()},
        min(clocks.since.values(), default=state.log[-1].at),
        tuple(promised) or UNSET,
        UNSET if state.open_until is None else match.unopened,
        UNSET if state.open_until is None else state.open_until,
        tuple(sorted(clocks.unready)) or UNSET,
        state.decision_head.hex(),
    )
