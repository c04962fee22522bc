"""What just happened, for each viewer: the frames of a step, and where the table stands after it.

Like `telling`, an allow-list. What is the same for everybody is written once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UNSET

from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import ViewProtocol
from facedown.protocol.messages import Ev, Opening, encode
from facedown.protocol.views import GameEvent, ViewEncoder, game_event
from facedown.server.table import facts
from facedown.server.table.facts import LogEntry, kind_of
from facedown.server.table.presence import Attendance
from facedown.server.table.snapshot import hears, legal_of, seat_infos, turn_info
from facedown.server.table.state import StepResult, TableState

_CHANGES_SEATS: Final = frozenset(
    {
        facts.PersonSeated,
        facts.SeatFreed,
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
_CHANGES_NOTHING: Final = frozenset({facts.ChatSent, facts.RematchLinked})
"""What changes nothing at the table."""


def past(state: TableState, viewer: Viewer, after: int) -> list[bytes]:
    """What happened after an event, for somebody who missed it: frames without where it led to."""
    return [encode(_event(entry, _body(state, entry, viewer))) for entry in state.log[after:]]


class ViewerUpdates:
    """Tells the viewers of one table what happens: knows what each has been shown, and sends what is new."""

    __slots__ = ("_shown", "views")

    def __init__(self) -> None:
        self.views = ViewEncoder()
        self._shown: dict[Viewer, ViewProtocol] = {}

    def begin(self, state: TableState, viewer: Viewer) -> None:
        """This viewer has the whole table already, and follows it from now on."""
        if viewer not in self._shown and state.dealt:
            self._shown[viewer] = state.match.view(viewer)

    def end(self, viewer: Viewer) -> None:
        """Nobody follows the table as this viewer any more."""
        self._shown.pop(viewer, None)
        if not self._shown:
            self.views.clear()

    def frames(
        self,
        state: TableState,
        entries: list[LogEntry],
        attendance: Attendance,
        viewers: Iterable[Viewer],
    ) -> dict[Viewer, list[bytes]]:
        """What just happened, for each viewer; the last frame says where the table stands after it."""
        ready: dict[Viewer, list[bytes]] = {viewer: [] for viewer in viewers}
        kinds = {type(entry.fact) for entry in entries}
        turns = state.dealt and not kinds.isdisjoint(_CHANGES_VIEW)
        for entry in entries:
            last = entry is entries[-1]
            parts = _parts(state, kinds, attendance) if last else {}
            body = _body_for_all(state, entry)
            if body is not None and not (last and turns):
                frame = encode(_event(entry, body | parts))
                for frames in ready.values():
                    frames.append(frame)
                continue
            for viewer, frames in ready.items():
                own = self._view_update(state, viewer) if last and turns else {}
                known = _body(state, entry, viewer) if body is None else body
                frames.append(encode(_event(entry, None if known is None else {**known, **parts, **own})))
        return ready

    def _view_update(self, state: TableState, viewer: Viewer) -> dict[str, Any]:
        """How the game looks now to this viewer: what has changed since it was shown last."""
        view = state.match.view(viewer)
        before = self._shown.get(viewer)
        self._shown[viewer] = view
        legal = legal_of(state, viewer)
        if before is None:
            return {"view": self.views.view(view), "legal": legal}
        return {"change": self.views.delta(before, view), "legal": legal}


def _parts(state: TableState, kinds: set[type], attendance: Attendance) -> dict[str, Any]:
    """The parts of a table that these events have changed, as far as they are the same for everybody."""
    parts: dict[str, Any] = {}
    if kinds <= _CHANGES_NOTHING:
        return parts
    if state.dealt:
        parts["turn"] = turn_info(state)
    if not kinds.isdisjoint(_CHANGES_SEATS):
        parts["seats"] = seat_infos(state, attendance)
        parts["state"] = state.phase
    elif not kinds.isdisjoint(_CHANGES_VIEW):
        parts["state"] = state.phase
    return parts


# --- one event -------------------------------------------------------------------------------------------


def _event(entry: LogEntry, body: dict[str, Any] | None) -> Ev:
    """An event; without a body it is one that this viewer may not know."""
    if body is None:
        return Ev(entry.v, "-")
    return Ev(entry.v, kind_of(entry.fact), entry.at, **body)


def _body_for_all(state: TableState, entry: LogEntry) -> dict[str, Any] | None:
    """What everybody is told; None where that differs."""
    fact = entry.fact
    if isinstance(fact, facts.ChatSent):
        return None
    turned = state.turned.get(entry.v)
    if turned is not None:
        hidden = any(event.audience is not None for event in turned.events)
        if hidden or not all(state.game.lies_open(pick) for _, pick, _ in turned.picks):
            return None
    return _BODIES[type(fact)](state, entry, fact, SPECTATOR)


def _body(state: TableState, entry: LogEntry, viewer: Viewer) -> dict[str, Any] | None:
    """What this viewer is told; None where it may not know that anything was said."""
    fact = entry.fact
    if isinstance(fact, facts.ChatSent) and not hears(viewer, fact.seat):
        return None
    return _BODIES[type(fact)](state, entry, fact, viewer)


def _turned(turned: StepResult, viewer: Viewer) -> tuple[GameEvent, ...]:
    return tuple([game_event(event.seen_by(viewer)) for event in turned.events])


def _opens(state: TableState, turned: StepResult, viewer: Viewer) -> tuple[Opening, ...]:
    """The openings of all picks that lie open now; one's own always."""
    return tuple(
        Opening(seat, pick, nonce)
        for seat, pick, nonce in turned.picks
        if seat == viewer or state.game.lies_open(pick)
    )


def _revealed(
    state: TableState, entry: LogEntry, fact: facts.PicksRevealed, viewer: Viewer
) -> dict[str, Any]:
    turned = state.turned[entry.v]
    return {
        "decision": fact.decision,
        "opens": _opens(state, turned, viewer),
        "events": _turned(turned, viewer),
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
    facts.SeatRenamed: lambda _s, _e, fact, _v: {"seat": fact.seat, "name": fact.name},
    facts.EntropyOpened: lambda _s, _e, fact, _v: {"seat": fact.seat, "entropy": fact.entropy},
    facts.EntropyMissing: lambda _s, _e, fact, _v: {"unopened": fact.seats},
    facts.GameDealt: lambda s, entry, _f, viewer: {"events": _turned(s.turned[entry.v], viewer)},
    facts.PickSealed: lambda _s, _e, fact, _v: {
        "decision": fact.decision,
        "seat": fact.seat,
        "commit": fact.commit,
        "flag": fact.flag or UNSET,
    },
    facts.PicksRevealed: _revealed,
    facts.SeatResigned: lambda s, entry, fact, viewer: {
        "decision": fact.decision,
        "seat": fact.seat,
        "events": _turned(s.turned[entry.v], viewer),
    },
    facts.GameEnded: lambda _s, _e, fact, _v: {"result": fact.result, "seed": fact.seed},
    facts.SeatLeft: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.SeatReturned: lambda _s, _e, fact, _v: {"seat": fact.seat},
    facts.ReplacementOffered: lambda _s, _e, fact, _v: {
        "seat": fact.seat,
        "machine": fact.machine,
        "by": fact.by,
    },
    facts.ReplacementAgreed: lambda _s, _e, fact, _v: {"seat": fact.seat, "by": fact.by},
    facts.SeatReplaced: lambda _s, _e, fact, _v: {
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
    facts.RematchLinked: lambda _s, _e, fact, _v: {"by": fact.by, "next": fact.next},
    facts.ServerOutage: lambda _s, _e, fact, _v: {"ms": fact.ms},
    facts.TableClosed: lambda _s, _e, fact, _v: {"say": fact.say},
}
