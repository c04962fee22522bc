"""Live updates: the per-viewer `ev` messages for one committed transaction, including view deltas.

Like `snapshot`, an allow-list. What is the same for all viewers is encoded once; where a message differs, the
bytes of its parts are joined in the order of the fields of `Ev`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, final

from msgspec import UNSET
from msgspec.json import Encoder
from msgspec.structs import replace

from facedown.core.events import Event
from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import ViewProtocol
from facedown.protocol.message_parts import OwnParts, RevealedEvent, SealedEvent, TableParts
from facedown.protocol.messages import Ev, OpenedPick, decode_server_message, encode
from facedown.protocol.views import KeptBytes, ViewEncoder, game_event
from facedown.server.table import facts
from facedown.server.table.actor import Attendance
from facedown.server.table.facts import LogEntry
from facedown.server.table.seating.presence import Update
from facedown.server.table.snapshot import legal_of, seat_infos, turn_info
from facedown.server.table.state import TableState

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
        encode(Ev(entry.v, "-") if is_muted(state, entry, muted) else _event(state, entry, viewer))
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
        changed = frozenset[str]().union(*[entry.fact.changes for entry in entries])
        after = _table_parts(state, changed, attendance)
        events = [_event_frames(state, entry, _NO_PARTS) for entry in entries[:-1]]
        events.append(_event_frames(state, entries[-1], after))
        changes_view = state.dealt and "view" in changed
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
    if isinstance(fact, facts.PickSealed) and not fact.is_placed_for_person(state):
        sealed = SealedEvent(entry.v, "sealed", entry.at, fact.seat, fact.commit, fact.decision)
        return _joined(_encode(sealed), after)
    if fact.differs_by_viewer or _has_hidden_events(state, entry):
        return lambda viewer: _joined(encode(_event(state, entry, viewer)), after)
    return _joined(encode(_event(state, entry, SPECTATOR)), after)


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


def _table_parts(state: TableState, changed: frozenset[str], attendance: Callable[[], Attendance]) -> bytes:
    """The changed parts of the table that are the same for all viewers."""
    if "turn" not in changed:
        return _NO_PARTS
    turn = turn_info(state) if state.dealt else UNSET
    if "seats" in changed:
        return _encode(TableParts(state.phase, seat_infos(state, attendance()), turn))
    if "view" in changed:
        return _encode(TableParts(state.phase, UNSET, turn))
    return _encode(TableParts(turn=turn))


def _event(state: TableState, entry: LogEntry, viewer: Viewer) -> Ev:
    """The event message for this viewer, with its number alone if the viewer may not know more."""
    fact = entry.fact
    body = fact.body(state, entry, viewer)
    return Ev(entry.v, "-") if body is None else Ev(entry.v, fact.kind, entry.at, **body)
