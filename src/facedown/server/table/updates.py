"""Live updates: the `ev` messages of a transaction for each viewer, with view deltas, and who receives them.

A viewer receives only what the fact classes declare. Parts that are the same for all viewers are encoded
once; the bytes of the parts are joined in the order of the fields of `Ev`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, final

from msgspec import UNSET
from msgspec.json import Encoder
from msgspec.structs import replace

from facedown.core.events import Event
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.views import ViewProtocol
from facedown.protocol.messages import Ev, EventState, OpenedPick, Snap, decode_server_message, encode
from facedown.protocol.views import KeptBytes, ViewEncoder, game_event
from facedown.server.ops.logs import get_log
from facedown.server.signing import Signing
from facedown.server.store.failures import StoreFailed
from facedown.server.table import facts
from facedown.server.table.actor import Attendance
from facedown.server.table.facts import ChatSent, LogEntry
from facedown.server.table.presence import Listener, Presence, Update
from facedown.server.table.relations import Relations
from facedown.server.table.snapshot import legal_of, seat_infos, snapshot_of, turn_info, without_names
from facedown.server.table.state import TableState

MOST_RECAP_REVEALS: Final = 3
"""How many reveals a recap shows; after a longer absence, the last ones."""
_NO_PARTS: Final = b"{}"
_encode: Final = Encoder().encode
_log = get_log("facedown.table")
_public: Final[KeptBytes[Event, bytes]] = KeptBytes(
    lambda event: _encode(game_event(event.seen_by(SPECTATOR)))
)
"""The encoded events of games that all viewers may see."""


def missed_events(
    state: TableState,
    viewer: Viewer,
    after: int,
    most: int | None = None,
    muted: frozenset[str] = frozenset(),
) -> list[bytes]:
    """The first `most` events later than `after`, for a viewer who reconnects; without the state after."""
    entries = state.log[after:] if most is None else state.log[after : after + most]
    return [
        encode(Ev(entry.v, "-") if is_muted(state, entry, muted) else _event(state, entry, viewer))
        for entry in entries
    ]


def is_muted(state: TableState, entry: LogEntry, muted: frozenset[str]) -> bool:
    """Whether an event is a chat message of a muted person."""
    return bool(muted) and state.speaker_of(entry) in muted


def without_words(frame: bytes) -> bytes:
    """The event of a chat message, for a viewer who has muted its sender."""
    event = decode_server_message(frame)  # it may hold the state after it as well
    assert isinstance(event, Ev)
    return encode(replace(event, k="-", at=UNSET, seat=UNSET, name=UNSET, text=UNSET, preset=UNSET))


def leave_out_names(frames: list[bytes], unnamed: frozenset[Seat]) -> list[bytes]:
    """The same messages without the names of these seats."""
    return [_unnamed(frame, unnamed) for frame in frames] if unnamed else frames


def _unnamed(frame: bytes, unnamed: frozenset[Seat]) -> bytes:
    message = decode_server_message(frame)
    if isinstance(message, Snap):
        table = message.table
        seats, said = without_names(table.seats, unnamed), without_names(table.said, unnamed)
        return encode(replace(message, table=replace(table, seats=seats, said=said)))
    assert isinstance(message, Ev)
    if message.seats is not UNSET:
        message = replace(message, seats=without_names(message.seats, unnamed))
    hides = message.name is not UNSET and message.seat in unnamed
    return encode(replace(message, name="") if hides else message)


@final
class ViewerUpdates:
    """Builds the updates for the viewers of one table; remembers the last view of each, to send deltas."""

    __slots__ = ("_shown", "views")

    def __init__(self) -> None:
        self.views = ViewEncoder()
        self._shown: dict[Viewer, ViewProtocol] = {}

    def follow(self, state: TableState, viewer: Viewer) -> None:
        """Send this viewer deltas from now on: it has a snapshot of the current state."""
        if viewer not in self._shown and state.dealt:
            self._shown[viewer] = state.match.view(viewer)

    def unfollow(self, viewer: Viewer) -> None:
        self._shown.pop(viewer, None)
        if not self._shown:
            self.views.clear()

    def updates(
        self,
        state: TableState,
        entries: Sequence[LogEntry],
        attendance: Callable[[], Attendance],
        viewers: Iterable[Viewer],
        end: bytes = _NO_PARTS,
    ) -> dict[Viewer, Update]:
        """What each viewer receives: an event for each fact, the last one with the state after them, and
        with `end`."""
        changed = frozenset[str]().union(*[entry.fact.changes for entry in entries])
        after = _table_parts(state, changed, attendance)
        events = [_event_frames(state, entry, _NO_PARTS) for entry in entries[:-1]]
        events.append(_event_frames(state, entries[-1], after))
        changes_view = state.dealt and "view" in changed
        shared = [event for event in events if isinstance(event, bytes)]
        if not changes_view and len(shared) == len(events):
            shared[-1] = _join(shared[-1], end)
            return dict.fromkeys(viewers, Update(tuple(shared)))
        updates: dict[Viewer, Update] = {}
        for viewer in viewers:
            frames = [event if isinstance(event, bytes) else event(viewer) for event in events]
            if changes_view:
                frames[-1] = _join(frames[-1], _encode(self._own_parts(state, viewer)))
            frames[-1] = _join(frames[-1], end)
            updates[viewer] = Update(tuple(frames))
        return updates

    def _own_parts(self, state: TableState, viewer: Viewer) -> EventState:
        """The view for this viewer: the first time all of it, then what has changed."""
        view = state.match.view(viewer)
        before = self._shown.get(viewer)
        self._shown[viewer] = view
        legal = legal_of(state, viewer)
        if before is None:
            return EventState(view=self.views.view(view), legal=legal)
        return EventState(change=self.views.delta(before, view), legal=legal)


@final
class Publisher:
    """Sends a table's listeners the facts that the store has confirmed, each once and in order."""

    def __init__(
        self, head: int, presence: Presence, updates: ViewerUpdates, relations: Relations, signing: Signing
    ) -> None:
        self.saved = head
        """The last event that the store has confirmed. Only `confirm` moves it."""
        self._sent = head
        """The last event that listeners have."""
        self._presence = presence
        self._updates = updates
        self._relations = relations
        self._signing = signing

    @property
    def has_listeners(self) -> bool:
        return self._presence.has_listeners

    def seats_here(self) -> frozenset[Seat]:
        return self._presence.here

    def confirm(self, head: int) -> None:
        self.saved = max(self.saved, head)

    def covers(self, state: TableState) -> bool:
        """Whether the store has confirmed everything in this state."""
        return state.head <= self.saved

    def publish(self, state: TableState) -> None:
        """Send every listener the new events; nothing while the state is ahead of the store."""
        if not self.covers(state):
            return
        entries, self._sent = state.log[self._sent :], state.head
        if self._presence.has_listeners:
            if entries:
                self._send(state, entries)
            self._presence.state_changed()

    def _send(self, state: TableState, entries: list[LogEntry]) -> None:
        presence = self._presence
        receivers = [(each, _viewer_of(each, state)) for each in presence.seated]  # seats first
        viewers = {viewer for _, viewer in receivers}
        if presence.spectators:
            receivers += [(each, SPECTATOR) for each in presence.spectators]
            viewers.add(SPECTATOR)
        end = self._signature(state, entries)
        updates = self._updates.updates(state, entries, presence.attendance, viewers, end)
        messages = [(number, entry) for number, entry in enumerate(entries) if type(entry.fact) is ChatSent]
        ready = [
            (
                listener,
                self._unmuted(state, updates[viewer], messages, listener.person)
                if messages
                else updates[viewer],
            )
            for listener, viewer in receivers
        ]
        if state.result is not None and any(entry.fact.changes & {"seats"} for entry in entries):
            ready = [(each, _for_reader(update, state, each)) for each, update in ready]
        for listener, update in ready:
            listener.notify(update)

    def _signature(self, state: TableState, entries: list[LogEntry]) -> bytes:
        """The end of an update: the signature of the last head if one of these events is a link."""
        if not any(entry.v in state.link_numbers for entry in entries):
            return _NO_PARTS
        number = len(state.links) - 1
        sig = self._signing.sign_head(state.setup.key, state.id, number, state.heads[number])
        return _encode(EventState(sig=sig)) if sig else _NO_PARTS

    def _unmuted(
        self, state: TableState, update: Update, messages: list[tuple[int, LogEntry]], person: str
    ) -> Update:
        """An update without the chat messages of the people whom this person has muted."""
        muted, frames = self._relations.muted_by(person), [*update.frames]
        for number, entry in messages:
            if is_muted(state, entry, muted):
                frames[number] = without_words(frames[number])
        return Update(tuple(frames)) if muted else update

    def disconnect_all(self, error: StoreFailed) -> None:
        """Disconnect every listener; clients connect again, to this server or another one."""
        for listener in (*self._presence.seated, *self._presence.spectators):
            try:
                listener.disconnect(error)
            except Exception:  # the others are disconnected all the same
                _log.exception("a listener could not be disconnected")


def _for_reader(update: Update, state: TableState, listener: Listener) -> Update:
    """An update of a finished game without the names that this listener may not know."""
    unnamed = state.unnamed_seats(_viewer_of(listener, state), listener.person)
    return Update(tuple(leave_out_names([*update.frames], unnamed)))


def _viewer_of(listener: Listener, state: TableState) -> Viewer:
    """A listener whose person left the seat is a spectator: another person may hold the seat now."""
    if listener.viewer == SPECTATOR:
        return SPECTATOR
    return listener.viewer if state.holds_seat(listener.person, listener.viewer) else SPECTATOR


def _event_frames(state: TableState, entry: LogEntry, after: bytes) -> bytes | Callable[[Viewer], bytes]:
    """The frame of an event for all viewers, or a function that makes the frame for one."""
    fact = entry.fact
    if isinstance(fact, facts.PicksRevealed):
        return _revealed_frames(state, entry, fact, after)
    if isinstance(fact, facts.PickSealed) and not fact.is_placed_for_person(state):
        sealed = Ev(
            *(entry.v, "sealed", entry.at, fact.seat),
            commit=fact.commit,
            decision=fact.decision,
            placer=fact.placer,
            n=state.link_numbers[entry.v],
        )
        return _join(_encode(sealed), after)
    if fact.differs_by_viewer or _has_hidden_events(state, entry):
        return lambda viewer: _join(encode(_event(state, entry, viewer)), after)
    return _join(encode(_event(state, entry, SPECTATOR)), after)


def _has_hidden_events(state: TableState, entry: LogEntry) -> bool:
    """Whether only some viewers may see an event of the game."""
    result = state.step_results.get(entry.v)
    return result is not None and any(event.audience is not None for event in result.events)


def _revealed_frames(
    state: TableState, entry: LogEntry, fact: facts.PicksRevealed, after: bytes
) -> bytes | Callable[[Viewer], bytes]:
    """The frames of a reveal: what all viewers may see is encoded once."""
    result, lies_open = state.step_results[entry.v], state.game.lies_open
    begins = _encode(
        Ev(
            *(entry.v, "revealed", entry.at),
            decision=fact.decision,
            forfeited=fact.forfeited,
            due=result.due,
            n=state.link_numbers[entry.v],
        )
    )
    opens = [
        (None if lies_open(pick) else seat, _encode(OpenedPick(seat, pick, nonce)))
        for seat, pick, nonce in result.picks
    ]  # the only seat that may see each opening (None: all viewers may), and its bytes
    events = [(event, _public.of(event) if event.audience is None else None) for event in result.events]

    def seen_by(viewer: Viewer) -> bytes:
        opened = b",".join([opening for only, opening in opens if only is None or only == viewer])
        happened = b",".join(
            [
                _encode(game_event(event.seen_by(viewer))) if known is None else known
                for event, known in events
            ]
        )
        return _join(b'%b,"opens":[%b],"events":[%b]}' % (begins[:-1], opened, happened), after)

    for_all = all(only is None for only, _ in opens) and all(known is not None for _, known in events)
    return seen_by(SPECTATOR) if for_all else seen_by


def _join(one: bytes, other: bytes) -> bytes:
    """Two JSON objects as one, the fields of the first one first.

    >>> _join(b'{"v":1}', b'{"legal":[]}'), _join(b'{"v":1}', b'{}')
    (b'{"v":1,"legal":[]}', b'{"v":1}')
    """
    return one if other == b"{}" else one[:-1] + b"," + other[1:]


def _table_parts(state: TableState, changed: frozenset[str], attendance: Callable[[], Attendance]) -> bytes:
    """The changed parts of the table that are the same for all viewers."""
    if "turn" not in changed:
        return _NO_PARTS
    turn = turn_info(state) if state.dealt else UNSET
    if "seats" in changed:
        return _encode(EventState(state=state.phase, seats=seat_infos(state, attendance()), turn=turn))
    if "view" in changed:
        return _encode(EventState(state=state.phase, turn=turn))
    return _encode(EventState(turn=turn))


def _event(state: TableState, entry: LogEntry, viewer: Viewer) -> Ev:
    """The event message for this viewer, with its number alone if the viewer may not know more."""
    fact = entry.fact
    body = fact.body(state, entry, viewer)
    if body is None:
        return Ev(entry.v, "-")
    return Ev(entry.v, fact.kind, entry.at, **body, n=state.link_numbers.get(entry.v, UNSET))


# --- recap -----------------------------------------------------------------------------------------------


def recap_of(
    state: TableState,
    viewer: Viewer,
    person: str | None,
    after: int,
    attendance: Attendance,
    invite: str | None,
    now: int,
    muted: frozenset[str] = frozenset(),
) -> list[bytes]:
    """The reveals later than `after`: a snapshot of the table before them, then every update since.

    Live updates come from the same functions and facts, so a recap shows nothing that was not sent then.
    """
    reveals = [entry.v for entry in state.log[after:] if isinstance(entry.fact, facts.PicksRevealed)]
    if not reveals:
        return []
    start = max(after, *(reveals[-MOST_RECAP_REVEALS - 1 : -MOST_RECAP_REVEALS] or (after,)))
    past = TableState(state.id)
    updates = ViewerUpdates()
    frames: list[bytes] = []
    together: list[LogEntry] = []
    for number, entry in enumerate(state.log, 1):
        past.apply(entry)
        if not _is_settled(past, state.log[number] if number < state.head else None):
            together.append(entry)
        elif number < start:
            together.clear()
        elif not frames:
            first = snapshot_of(past, viewer, person, attendance, invite, now, updates.views, muted)
            frames.append(encode(first))
            updates.follow(past, viewer)
            together.clear()
        else:
            together.append(entry)
            ready = updates.updates(past, together, lambda: attendance, (viewer,))[viewer]
            frames += [
                without_words(frame) if is_muted(past, missed, muted) else frame
                for missed, frame in zip(together, ready.frames, strict=True)
            ]
            together = []
    return frames


def _is_settled(state: TableState, following: LogEntry | None) -> bool:
    """Whether viewers were shown this state: the last seal, its reveal and the end come together."""
    over = following is not None and isinstance(following.fact, facts.GameEnded)
    return state.step is None and not over
