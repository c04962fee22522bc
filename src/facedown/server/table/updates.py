"""Live updates: the per-viewer `ev` messages for one committed transaction, including view deltas.

Like `snapshot`, an allow-list. What is the same for all viewers is encoded once; where a message differs, the
bytes of its parts are joined in the order of the fields of `Ev`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.json import Encoder
from msgspec.structs import asdict, replace

from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import ViewProtocol
from facedown.protocol.messages import (
    Ev,
    OpenedPick,
    Phase,
    SeatInfo,
    TurnInfo,
    decode_server_message,
    encode,
    padding,
)
from facedown.protocol.views import GameEvent, ViewDelta, ViewEncoder, game_event
from facedown.server.table import facts
from facedown.server.table.actor import Attendance
from facedown.server.table.facts import LogEntry, kind_of
from facedown.server.table.picks.face_down import StepResult
from facedown.server.table.seating.chat import may_read_chat
from facedown.server.table.seating.presence import Update
from facedown.server.table.snapshot import legal_of, seat_infos, turn_info
from facedown.server.table.state import TableState

_CHANGES_SEATS: Final = frozenset(
    {
        facts.PersonSeated,
        facts.SeatFreed,
        facts.SeatReleased,
        facts.MachineSeated,
        facts.SeatsDropped,
        facts.SeatRenamed,
        facts.EntropyOpened,
        facts.EntropyMissing,
        facts.SeatLeft,
        facts.SeatReturned,
        facts.ReplacementOffered,
        facts.ReplacementAgreed,
        facts.SeatReplaced,
        facts.SeatReclaimed,
    }
)
_CHANGES_VIEW: Final = frozenset(
    {
        facts.GameDealt,
        facts.PicksRevealed,
        facts.SeatResigned,
        facts.SeatReplaced,
        facts.SeatReclaimed,
        facts.GameEnded,
        facts.TableClosed,
    }
)
_CHANGES_NOTHING: Final = frozenset(
    {facts.ChatSent, facts.ChatSwitched, facts.RematchLinked, facts.GameShared}
)
"""Facts that change neither seats nor the game."""
_NO_PARTS: Final[Mapping[str, Any]] = {}
_encode: Final = Encoder().encode


class _TableParts(Struct, frozen=True, omit_defaults=True):
    """The fields of `Ev` that hold the table after the event, in their order: the same for all viewers."""

    state: Phase | UnsetType = UNSET
    seats: tuple[SeatInfo, ...] | UnsetType = UNSET
    turn: TurnInfo | UnsetType | None = UNSET


class _OwnParts(Struct, frozen=True, omit_defaults=True):
    """The last fields of `Ev`, in their order: how the game looks to one viewer after the event."""

    view: Raw | UnsetType = UNSET
    change: ViewDelta | UnsetType = UNSET
    legal: tuple[str, ...] | UnsetType = UNSET


def missed_events(
    state: TableState,
    viewer: Viewer,
    after: int,
    most: int | None = None,
    muted: frozenset[str] = frozenset(),
) -> list[bytes]:
    """The events later than `after`, for a viewer who reconnects: encoded, without the state after them.

    No more than `most` of them, the first ones: a long log is cut before it is encoded.
    """
    entries = state.log[after:] if most is None else state.log[after : after + most]
    return [
        encode(_event(entry, None if is_muted(state, entry, muted) else _body(state, entry, viewer)))
        for entry in entries
    ]


def is_muted(state: TableState, entry: LogEntry, muted: frozenset[str]) -> bool:
    """Whether an event is a message of somebody who is muted."""
    return bool(muted) and state.speaker_of(entry) in muted


def without_words(update: Update) -> Update:
    """The update of a chat message for somebody who has muted its sender."""
    told = decode_server_message(update.frame)  # the frame alone holds all that comes with it
    assert isinstance(told, Ev)
    message = replace(told, k="-", at=UNSET, seat=UNSET, name=UNSET, text=UNSET, preset=UNSET)
    return Update(message, encode(message))


class ViewerUpdates:
    """Builds the updates for the viewers of one table; remembers the last view of each, to send deltas."""

    __slots__ = ("_shown", "views")

    def __init__(self) -> None:
        self.views = ViewEncoder()
        self._shown: dict[Viewer, ViewProtocol] = {}

    def follow(self, state: TableState, viewer: Viewer) -> None:
        """This viewer has a snapshot of the current state, and gets deltas from now on."""
        if viewer not in self._shown and state.dealt:
            self._shown[viewer] = state.match.view(viewer)

    def unfollow(self, viewer: Viewer) -> None:
        """There is no listener for this viewer any more."""
        self._shown.pop(viewer, None)
        if not self._shown:
            self.views.clear()

    def updates(
        self,
        state: TableState,
        entries: list[LogEntry],
        attendance: Callable[[], Attendance],
        viewers: Iterable[Viewer],
    ) -> dict[Viewer, list[Update]]:
        """The updates for each viewer, one for each fact; the last one holds the state after them."""
        ready: dict[Viewer, list[Update]] = {viewer: [] for viewer in viewers}
        kinds = {type(entry.fact) for entry in entries}
        turns = state.dealt and not kinds.isdisjoint(_CHANGES_VIEW)
        last = entries[-1]
        parts = _table_parts(state, kinds, attendance)
        own = {viewer: self._own_parts(state, viewer) for viewer in ready} if turns else {}
        for entry in entries:
            after, views = (parts, own) if entry is last else (_NO_PARTS, {})
            body = _body_for_all(state, entry)
            if body is not None:
                shared = _update(entry, body, after)
                for viewer, updates in ready.items():
                    updates.append(_with_view(shared, views.get(viewer)))
            elif isinstance(entry.fact, facts.PicksRevealed):
                reveal = _Reveal(state, entry, entry.fact, after)
                for viewer, updates in ready.items():
                    updates.append(_with_view(reveal.seen_by(viewer), views.get(viewer)))
            else:
                for viewer, updates in ready.items():
                    view = asdict(views[viewer]) if viewer in views else {}
                    updates.append(_update(entry, _body(state, entry, viewer), {**after, **view}))
        return ready

    def _own_parts(self, state: TableState, viewer: Viewer) -> _OwnParts:
        """The view of the game for this viewer; after the first, only what has changed since the last."""
        view = state.match.view(viewer)
        before = self._shown.get(viewer)
        self._shown[viewer] = view
        legal = legal_of(state, viewer)
        if before is None:
            return _OwnParts(view=self.views.view(view), legal=legal)
        return _OwnParts(change=self.views.delta(before, view), legal=legal)


class _Reveal:
    """A reveal of which viewers may know different parts: what everybody may know is encoded once."""

    __slots__ = ("_after", "_begins", "_events", "_message", "_opens")

    def __init__(
        self, state: TableState, entry: LogEntry, fact: facts.PicksRevealed, after: Mapping[str, Any]
    ) -> None:
        result = state.step_results[entry.v]
        self._message = Ev(entry.v, kind_of(fact), entry.at, decision=fact.decision)
        self._begins = _encode(self._message)
        self._opens = [
            (None if state.game.lies_open(pick) else seat, _encode(OpenedPick(seat, pick, nonce)))
            for seat, pick, nonce in result.picks
        ]
        """For whom each opening is (None: for everybody), and its bytes."""
        self._events = [
            (event, _encode(game_event(event.seen_by(SPECTATOR))) if event.audience is None else None)
            for event in result.events
        ]
        """Each event, and the bytes of it where everybody may know it."""
        self._after = _encode(_TableParts(**after))

    def seen_by(self, viewer: Viewer) -> Update:
        """The update for this viewer, without how the game looks to them."""
        opens = [opening for only, opening in self._opens if only is None or only == viewer]
        events = [
            _encode(game_event(event.seen_by(viewer))) if for_all is None else for_all
            for event, for_all in self._events
        ]
        told = b'{"opens":[%b],"events":[%b]}' % (b",".join(opens), b",".join(events))
        return Update(self._message, _joined(_joined(self._begins, told), self._after))


def _with_view(update: Update, view: _OwnParts | None) -> Update:
    """An update, and how the game looks to its viewer after it."""
    return update if view is None else Update(update.message, _joined(update.frame, _encode(view)))


def _joined(one: bytes, other: bytes) -> bytes:
    """Two JSON objects as one, the fields of the first one first.

    >>> _joined(b'{"v":1}', b'{"legal":[]}'), _joined(b'{"v":1}', b'{}')
    (b'{"v":1,"legal":[]}', b'{"v":1}')
    """
    return one if other == b"{}" else one[:-1] + b"," + other[1:]


def _table_parts(state: TableState, kinds: set[type], attendance: Callable[[], Attendance]) -> dict[str, Any]:
    """The parts of the table that these facts have changed, and that are the same for all viewers."""
    parts: dict[str, Any] = {}
    if kinds <= _CHANGES_NOTHING:
        return parts
    if state.dealt:
        parts["turn"] = turn_info(state)
    if not kinds.isdisjoint(_CHANGES_SEATS):
        parts["seats"] = seat_infos(state, attendance())
        parts["state"] = state.phase
    elif not kinds.isdisjoint(_CHANGES_VIEW):
        parts["state"] = state.phase
    return parts


# --- one event -------------------------------------------------------------------------------------------


def _update(entry: LogEntry, body: dict[str, Any] | None, parts: Mapping[str, Any]) -> Update:
    message = _event(entry, body, parts)
    return Update(message, encode(message))


def _event(entry: LogEntry, body: dict[str, Any] | None, parts: Mapping[str, Any] = _NO_PARTS) -> Ev:
    """An event message, with the state after it; without a body where this viewer may not know of it."""
    if body is None:
        return Ev(entry.v, "-", **parts)
    return Ev(entry.v, kind_of(entry.fact), entry.at, **body, **parts)


def _body_for_all(state: TableState, entry: LogEntry) -> dict[str, Any] | None:
    """The body that all viewers get; None where viewers get different ones."""
    fact = entry.fact
    if isinstance(fact, facts.ChatSent) or (isinstance(fact, facts.PickSealed) and _placed(state, entry)):
        return None
    result = state.step_results.get(entry.v)
    if result is not None:
        hidden = any(event.audience is not None for event in result.events)
        if hidden or not all(state.game.lies_open(pick) for _, pick, _ in result.picks):
            return None
    return _BODIES[type(fact)](state, entry, fact, SPECTATOR)


def _body(state: TableState, entry: LogEntry, viewer: Viewer) -> dict[str, Any] | None:
    """The body for this viewer; None where it may not know that there was a chat message."""
    fact = entry.fact
    if isinstance(fact, facts.ChatSent) and not may_read_chat(viewer, fact.seat):
        return None
    return _BODIES[type(fact)](state, entry, fact, viewer)


def _game_events(result: StepResult, viewer: Viewer) -> tuple[GameEvent, ...]:
    return tuple([game_event(event.seen_by(viewer)) for event in result.events])


def _opens(state: TableState, result: StepResult, viewer: Viewer) -> tuple[OpenedPick, ...]:
    """The openings of all picks that lie open now, and of the viewer's own."""
    return tuple(
        OpenedPick(seat, pick, nonce)
        for seat, pick, nonce in result.picks
        if seat == viewer or state.game.lies_open(pick)
    )


def _revealed(
    state: TableState, entry: LogEntry, fact: facts.PicksRevealed, viewer: Viewer
) -> dict[str, Any]:
    result = state.step_results[entry.v]
    return {
        "decision": fact.decision,
        "opens": _opens(state, result, viewer),
        "events": _game_events(result, viewer),
    }


def _placed(state: TableState, entry: LogEntry) -> bool:
    """Whether the clock placed the pick of a seal, or a machine did for somebody who may come back."""
    fact = entry.fact
    assert isinstance(fact, facts.PickSealed)
    return fact.flag or (bool(fact.machine) and state.place(fact.seat).person is not None)


def _sealed(state: TableState, entry: LogEntry, fact: facts.PickSealed, viewer: Viewer) -> dict[str, Any]:
    """A seal; its own seat is told what the pick is where the clock or a machine placed it."""
    secret = entry.secret if viewer == fact.seat and _placed(state, entry) else None
    return {
        "decision": fact.decision,
        "seat": fact.seat,
        "commit": fact.commit,
        "flag": fact.flag or UNSET,
        "placed": secret.pick if isinstance(secret, facts.PickSecret) else UNSET,
        "pad": padding(secret.pick) if isinstance(secret, facts.PickSecret) else UNSET,
    }


_Body = Callable[[TableState, LogEntry, Any, Viewer], dict[str, Any]]
_BODIES: Final[dict[type, _Body]] = {
    facts.TableCreated: lambda *_: {},
    facts.PersonSeated: lambda _s, _e, fact, _v: {
        "seat": fact.seat,
        "name": fact.name,
        "commit": fact.commit,
    },
    facts.SeatFreed: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.SeatReleased: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.MachineSeated: lambda _s, _e, fact, _v: {"seat": fact.seat, "machine": fact.machine},
    facts.SeatsDropped: lambda *_: {},
    facts.GameShared: lambda _s, _e, fact, _v: {"by": fact.by},
    facts.SeatRenamed: lambda _s, _e, fact, _v: {"seat": fact.seat, "name": fact.name},
    facts.EntropyOpened: lambda _s, _e, fact, _v: {"seat": fact.seat, "entropy": fact.entropy},
    facts.EntropyMissing: lambda _s, _e, fact, _v: {"unopened": fact.seats},
    facts.GameDealt: lambda s, entry, _f, viewer: {"events": _game_events(s.step_results[entry.v], viewer)},
    facts.PickPromised: lambda _s, _e, fact, _v: {
        "decision": fact.decision,
        "seat": fact.seat,
        "commit": fact.commit,
    },
    facts.PickSealed: _sealed,
    facts.PickOpened: lambda _s, _e, fact, _v: {
        "decision": fact.decision,
        "seat": fact.seat,
        "forfeit": fact.forfeit or UNSET,
    },
    facts.PicksRevealed: _revealed,
    facts.SeatResigned: lambda s, entry, fact, viewer: {
        "decision": fact.decision,
        "seat": fact.seat,
        "events": _game_events(s.step_results[entry.v], viewer),
    },
    facts.GameEnded: lambda _s, _e, fact, _v: {"result": fact.result, "seed": fact.seed},
    facts.SeatLeft: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.SeatReturned: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.ReplacementOffered: lambda s, _e, fact, _v: {
        "seat": fact.seat,
        "machine": s.bot_name(fact.machine),
        "by": fact.by,
    },
    facts.ReplacementAgreed: lambda _s, _e, fact, _v: {"seat": fact.seat, "by": fact.by},
    facts.SeatReclaimed: lambda _s, _e, fact, _v: {"seat": fact.seat, "decision": fact.decision},
    facts.SeatReplaced: lambda s, _e, fact, _v: {
        "seat": fact.seat,
        "machine": s.bot_name(fact.machine),
        "decision": fact.decision,
    },
    facts.ChatSent: lambda _s, _e, fact, _v: {
        "seat": fact.seat,
        "name": fact.name,
        "text": fact.text or UNSET,
        "preset": fact.preset or UNSET,
    },
    facts.ChatSwitched: lambda _s, _e, fact, _v: {"on": fact.on},
    facts.RematchLinked: lambda _s, _e, fact, _v: {"by": fact.by, "next": fact.next},
    facts.ServerOutage: lambda _s, _e, fact, _v: {"ms": fact.ms},
    facts.TableClosed: lambda _s, _e, fact, _v: {"say": fact.say},
}
