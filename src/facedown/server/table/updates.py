"""Live updates: the per-viewer `ev` messages for one committed transaction, including view deltas.

Like `snapshot`, an allow-list. What is the same for all viewers is encoded once; where a message differs, the
bytes of its parts are joined in the order of the fields of `Ev`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, final

from msgspec import UNSET
from msgspec.json import Encoder
from msgspec.structs import replace

from facedown.core.events import Event
from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import ViewProtocol
from facedown.protocol.deltas import GameEvent
from facedown.protocol.message_parts import OwnParts, RevealedEvent, SealedEvent, TableParts
from facedown.protocol.messages import Ev, OpenedPick, decode_server_message, encode, padding
from facedown.protocol.views import KeptBytes, ViewEncoder, game_event
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
_NO_PARTS: Final = b"{}"
_encode: Final = Encoder().encode
_public: Final[KeptBytes[Event, bytes]] = KeptBytes(
    lambda event: _encode(game_event(event.seen_by(SPECTATOR)))
)
"""Of events of games that everybody may know."""


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


def without_words(frame: bytes) -> bytes:
    """The event of a chat message for somebody who has muted its sender."""
    told = decode_server_message(frame)  # the frame alone holds all that comes with it
    assert isinstance(told, Ev)
    return encode(replace(told, k="-", at=UNSET, seat=UNSET, name=UNSET, text=UNSET, preset=UNSET))


@final
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
        entries: Sequence[LogEntry],
        attendance: Callable[[], Attendance],
        viewers: Iterable[Viewer],
    ) -> dict[Viewer, Update]:
        """What each viewer is told: an event for each fact, the last one with the state after them."""
        kinds = {type(entry.fact) for entry in entries}
        after = _table_parts(state, kinds, attendance)
        events = [_event_frames(state, entry, _NO_PARTS) for entry in entries[:-1]]
        events.append(_event_frames(state, entries[-1], after))
        changes_view = state.dealt and not kinds.isdisjoint(_CHANGES_VIEW)
        if not changes_view and all(isinstance(event, bytes) for event in events):
            return dict.fromkeys(viewers, Update(tuple(events)))  # type: ignore[arg-type]  # all are bytes
        told: dict[Viewer, Update] = {}
        for viewer in viewers:
            frames = [event if isinstance(event, bytes) else event(viewer) for event in events]
            if changes_view:
                frames[-1] = _joined(frames[-1], _encode(self._own_parts(state, viewer)))
            told[viewer] = Update(tuple(frames))
        return told

    def _own_parts(self, state: TableState, viewer: Viewer) -> OwnParts:
        """The view of the game for this viewer; after the first, only what has changed since the last."""
        view = state.match.view(viewer)
        before = self._shown.get(viewer)
        self._shown[viewer] = view
        legal = legal_of(state, viewer)
        if before is None:
            return OwnParts(view=self.views.view(view), legal=legal)
        return OwnParts(change=self.views.delta(before, view), legal=legal)


def _event_frames(state: TableState, entry: LogEntry, after: bytes) -> bytes | Callable[[Viewer], bytes]:
    """The frame of an event that all viewers get, or what makes one for each of them."""
    fact = entry.fact
    if isinstance(fact, facts.PicksRevealed):
        return _revealed_frames(state, entry, fact, after)
    if isinstance(fact, facts.PickSealed) and not _placed(state, fact):
        sealed = SealedEvent(entry.v, "sealed", entry.at, fact.seat, fact.commit, fact.decision)
        return _joined(_encode(sealed), after)
    if isinstance(fact, facts.ChatSent | facts.PickSealed) or _has_hidden_events(state, entry):
        return lambda viewer: _joined(encode(_event(entry, _body(state, entry, viewer))), after)
    return _joined(encode(_event(entry, _body(state, entry, SPECTATOR))), after)


def _has_hidden_events(state: TableState, entry: LogEntry) -> bool:
    """Whether there are events of the game that only some may know."""
    result = state.step_results.get(entry.v)
    return result is not None and any(event.audience is not None for event in result.events)


def _revealed_frames(
    state: TableState, entry: LogEntry, fact: facts.PicksRevealed, after: bytes
) -> bytes | Callable[[Viewer], bytes]:
    """The frames of a reveal: what everybody may know is encoded once."""
    result, lies_open = state.step_results[entry.v], state.game.lies_open
    begins = _encode(RevealedEvent(entry.v, "revealed", entry.at, fact.decision))
    opens = [
        (None if lies_open(pick) else seat, _encode(OpenedPick(seat, pick, nonce)))
        for seat, pick, nonce in result.picks
    ]  # for whom each opening is (None: for everybody), and its bytes
    events = [(event, _public.of(event) if event.audience is None else None) for event in result.events]

    def seen_by(viewer: Viewer) -> bytes:
        opened = b",".join([opening for only, opening in opens if only is None or only == viewer])
        happened = b",".join(
            [
                _encode(game_event(event.seen_by(viewer))) if known is None else known
                for event, known in events
            ]
        )
        return _joined(b'%b,"opens":[%b],"events":[%b]}' % (begins[:-1], opened, happened), after)

    for_all = all(only is None for only, _ in opens) and all(known is not None for _, known in events)
    return seen_by(SPECTATOR) if for_all else seen_by


def _joined(one: bytes, other: bytes) -> bytes:
    """Two JSON objects as one, the fields of the first one first.

    >>> _joined(b'{"v":1}', b'{"legal":[]}'), _joined(b'{"v":1}', b'{}')
    (b'{"v":1,"legal":[]}', b'{"v":1}')
    """
    return one if other == b"{}" else one[:-1] + b"," + other[1:]


def _table_parts(state: TableState, kinds: set[type], attendance: Callable[[], Attendance]) -> bytes:
    """The parts of the table that these facts have changed, and that are the same for all viewers."""
    if kinds <= _CHANGES_NOTHING:
        return _NO_PARTS
    turn = turn_info(state) if state.dealt else UNSET
    if not kinds.isdisjoint(_CHANGES_SEATS):
        return _encode(TableParts(state.phase, seat_infos(state, attendance()), turn))
    if not kinds.isdisjoint(_CHANGES_VIEW):
        return _encode(TableParts(state.phase, UNSET, turn))
    return _encode(TableParts(turn=turn))


# --- one event -------------------------------------------------------------------------------------------


def _event(entry: LogEntry, body: dict[str, Any] | None) -> Ev:
    """An event message; without a body where this viewer may not know of it."""
    if body is None:
        return Ev(entry.v, "-")
    return Ev(entry.v, kind_of(entry.fact), entry.at, **body)


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


def _placed(state: TableState, fact: facts.PickSealed) -> bool:
    """Whether the clock placed the pick of a seal, or a machine did for somebody who may come back."""
    return fact.flag or (bool(fact.machine) and state.place(fact.seat).person is not None)


def _sealed(state: TableState, entry: LogEntry, fact: facts.PickSealed, viewer: Viewer) -> dict[str, Any]:
    """A seal; its own seat is told what the pick is where the clock or a machine placed it."""
    secret = entry.secret if viewer == fact.seat and _placed(state, fact) else None
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
        "machine": fact.machine,
        "by": fact.by,
    },
    facts.ReplacementAgreed: lambda _s, _e, fact, _v: {"seat": fact.seat, "by": fact.by},
    facts.SeatReclaimed: lambda _s, _e, fact, _v: {"seat": fact.seat, "decision": fact.decision},
    facts.SeatReplaced: lambda s, _e, fact, _v: {
        "seat": fact.seat,
        "machine": fact.machine,
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
