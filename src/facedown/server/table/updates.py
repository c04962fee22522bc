"""Live updates: the per-viewer `ev` messages for one committed transaction, including view deltas.

Like `snapshot`, an allow-list. A message that is the same for all viewers is encoded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UNSET

from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import ViewProtocol
from facedown.protocol.messages import Ev, OpenedPick, encode
from facedown.protocol.views import GameEvent, ViewEncoder, game_event
from facedown.server.table import facts
from facedown.server.table.chat import may_read_chat
from facedown.server.table.facts import LogEntry, kind_of
from facedown.server.table.presence import Attendance, Update
from facedown.server.table.snapshot import legal_of, seat_infos, turn_info
from facedown.server.table.state import StepResult, TableState

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
    }
)
_CHANGES_VIEW: Final = frozenset(
    {facts.GameDealt, facts.PicksRevealed, facts.SeatResigned, facts.GameEnded, facts.TableClosed}
)
_CHANGES_NOTHING: Final = frozenset({facts.ChatSent, facts.RematchLinked, facts.GameShared})
"""Facts that change neither seats nor the game."""


def missed_events(state: TableState, viewer: Viewer, after: int) -> list[bytes]:
    """The events later than `after`, for a viewer who reconnects: encoded, without the state after them."""
    return [encode(_event(entry, _body(state, entry, viewer))) for entry in state.log[after:]]


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
        for entry in entries:
            last = entry is entries[-1]
            parts = _table_parts(state, kinds, attendance) if last else {}
            body = _body_for_all(state, entry)
            if body is not None and not (last and turns):
                shared = _update(entry, body | parts)
                for updates in ready.values():
                    updates.append(shared)
                continue
            for viewer, updates in ready.items():
                own = self._view_update(state, viewer) if last and turns else {}
                known = _body(state, entry, viewer) if body is None else body
                updates.append(_update(entry, None if known is None else {**known, **parts, **own}))
        return ready

    def _view_update(self, state: TableState, viewer: Viewer) -> dict[str, Any]:
        """The view of the game for this viewer; after the first, only what has changed since the last."""
        view = state.match.view(viewer)
        before = self._shown.get(viewer)
        self._shown[viewer] = view
        legal = legal_of(state, viewer)
        if before is None:
            return {"view": self.views.view(view), "legal": legal}
        return {"change": self.views.delta(before, view), "legal": legal}


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


def _update(entry: LogEntry, body: dict[str, Any] | None) -> Update:
    message = _event(entry, body)
    return Update(message, encode(message))


def _event(entry: LogEntry, body: dict[str, Any] | None) -> Ev:
    """An event message; without a body where this viewer may not know what happened."""
    if body is None:
        return Ev(entry.v, "-")
    return Ev(entry.v, kind_of(entry.fact), entry.at, **body)


def _body_for_all(state: TableState, entry: LogEntry) -> dict[str, Any] | None:
    """The body that all viewers get; None where viewers get different ones."""
    fact = entry.fact
    if isinstance(fact, facts.ChatSent) or (isinstance(fact, facts.PickSealed) and fact.flag):
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


def _sealed(_: TableState, entry: LogEntry, fact: facts.PickSealed, viewer: Viewer) -> dict[str, Any]:
    """A seal; where the clock placed the pick, its own seat, which does not know it, is told what it is."""
    secret = entry.secret if fact.flag and viewer == fact.seat else None
    return {
        "decision": fact.decision,
        "seat": fact.seat,
        "commit": fact.commit,
        "flag": fact.flag or UNSET,
        "placed": secret.pick if isinstance(secret, facts.PickSecret) else UNSET,
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
    facts.PickSealed: _sealed,
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
    facts.RematchLinked: lambda _s, _e, fact, _v: {"by": fact.by, "next": fact.next},
    facts.ServerOutage: lambda _s, _e, fact, _v: {"ms": fact.ms},
    facts.TableClosed: lambda _s, _e, fact, _v: {"say": fact.say},
}
