"""What the listeners of a table receive: facts that the store has confirmed, each once and in order."""

from __future__ import annotations

from typing import final

from facedown.core.seats import SPECTATOR, Viewer
from facedown.server.ops.logs import get_log
from facedown.server.store.base import StoreFailed
from facedown.server.table.facts import ChatSent, LogEntry
from facedown.server.table.seating.presence import Listener, Presence, Update
from facedown.server.table.seating.relations import Relations
from facedown.server.table.state import TableState
from facedown.server.table.updates import ViewerUpdates, is_muted, without_words

_log = get_log("facedown.table")


@final
class Publisher:
    """Sends a table's listeners what is saved. A state that is ahead of the store publishes nothing."""

    def __init__(self, head: int, presence: Presence, updates: ViewerUpdates, relations: Relations) -> None:
        self.saved = head
        """The last event that the store has confirmed. Only `confirm` moves it."""
        self._sent = head
        """The last event that listeners have."""
        self._presence = presence
        self._updates = updates
        self._relations = relations

    def confirm(self, head: int) -> None:
        """The store holds everything up to this event: it was read there, or its append is committed."""
        self.saved = max(self.saved, head)

    def covers(self, state: TableState) -> bool:
        """Whether the store has confirmed everything in this state."""
        return state.head <= self.saved

    def publish(self, state: TableState) -> None:
        """Send every listener the events that are saved and were not sent yet."""
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
        updates = self._updates.updates(state, entries, presence.attendance, viewers)
        messages = [(number, entry) for number, entry in enumerate(entries) if type(entry.fact) is ChatSent]
        for listener, viewer in receivers:
            update = updates[viewer]
            listener.notify(self._unmuted(state, update, messages, listener.person) if messages else update)

    def _unmuted(
        self, state: TableState, update: Update, messages: list[tuple[int, LogEntry]], person: str
    ) -> Update:
        """An update without the chat messages of the people whom this person has muted."""
        muted, frames = self._relations.muted(person), [*update.frames]
        for number, entry in messages:
            if is_muted(state, entry, muted):
                frames[number] = without_words(frames[number])
        return Update(tuple(frames)) if muted else update

    def disconnect_all(self, error: StoreFailed) -> None:
        """End every listener: it has to connect again, to this server or another one."""
        for listener in (*self._presence.seated, *self._presence.spectators):
            try:
                listener.disconnect(error)
            except Exception:  # the others are ended all the same
                _log.exception("a listener could not be ended")


def _viewer_of(listener: Listener, state: TableState) -> Viewer:
    """A listener who stood up is a spectator: another person may hold the seat now."""
    if listener.viewer == SPECTATOR:
        return SPECTATOR
    return listener.viewer if state.holds_seat(listener.person, listener.viewer) else SPECTATOR
