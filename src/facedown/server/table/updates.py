"""What just happened, for each viewer: the frames of a step, and where the table stands after it.

Like `telling`, an allow-list. What is the same for everybody is written once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import UNSET

from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import Sight
from facedown.protocol.messages import Ev, Opening, Told, changed, encode, shown, told
from facedown.server.table import facts
from facedown.server.table.facts import Entry, kind_of
from facedown.server.table.presence import Attendance
from facedown.server.table.snapshot import hears, legal_of, seat_infos, turn_info
from facedown.server.table.state import Situation, Turned

_SEATING: Final = frozenset(
    {
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
    }
)
_TURNING: Final = frozenset({facts.Dealt, facts.Revealed, facts.Resigned, facts.Over, facts.Closed})
_BESIDES: Final = frozenset({facts.Spoke, facts.Rematch})
"""What changes nothing at the table."""


def past(situation: Situation, viewer: Viewer, after: int) -> list[bytes]:
    """What happened after an event, for somebody who missed it: frames without where it led to."""
    return [encode(_event(entry, _body(situation, entry, viewer))) for entry in situation.log[after:]]


class News:
    """Tells the viewers of one table what happens: knows what each has been shown, and sends what is new."""

    __slots__ = ("_shown",)

    def __init__(self) -> None:
        self._shown: dict[Viewer, Sight] = {}

    def begin(self, situation: Situation, viewer: Viewer) -> None:
        """This viewer has the whole table already, and follows it from now on."""
        if viewer not in self._shown and situation.dealt:
            self._shown[viewer] = situation.match.view(viewer)

    def end(self, viewer: Viewer) -> None:
        """Nobody follows the table as this viewer any more."""
        self._shown.pop(viewer, None)

    def frames(
        self,
        situation: Situation,
        entries: list[Entry],
        attendance: Attendance,
        viewers: Iterable[Viewer],
    ) -> dict[Viewer, list[bytes]]:
        """What just happened, for each viewer; the last frame says where the table stands after it."""
        ready: dict[Viewer, list[bytes]] = {viewer: [] for viewer in viewers}
        kinds = {type(entry.fact) for entry in entries}
        turns = situation.dealt and not kinds.isdisjoint(_TURNING)
        for entry in entries:
            last = entry is entries[-1]
            parts = _parts(situation, kinds, attendance) if last else {}
            body = _body_for_all(situation, entry)
            if body is not None and not (last and turns):
                frame = encode(_event(entry, body | parts))
                for frames in ready.values():
                    frames.append(frame)
                continue
            for viewer, frames in ready.items():
                own = self._new_to(situation, viewer) if last and turns else {}
                known = _body(situation, entry, viewer) if body is None else body
                frames.append(encode(_event(entry, None if known is None else {**known, **parts, **own})))
        return ready

    def _new_to(self, situation: Situation, viewer: Viewer) -> dict[str, Any]:
        """How the game looks now to this viewer: what has changed since it was shown last."""
        view = situation.match.view(viewer)
        before = self._shown.get(viewer)
        self._shown[viewer] = view
        legal = legal_of(situation, viewer)
        if before is None:
            return {"view": shown(view), "legal": legal}
        return {"change": changed(before, view), "legal": legal}


def _parts(situation: Situation, kinds: set[type], attendance: Attendance) -> dict[str, Any]:
    """The parts of a table that these events have changed, as far as they are the same for everybody."""
    parts: dict[str, Any] = {}
    if kinds <= _BESIDES:
        return parts
    if situation.dealt:
        parts["turn"] = turn_info(situation)
    if not kinds.isdisjoint(_SEATING):
        parts["seats"] = seat_infos(situation, attendance)
        parts["state"] = situation.phase
    elif not kinds.isdisjoint(_TURNING):
        parts["state"] = situation.phase
    return parts


# --- one event -------------------------------------------------------------------------------------------


def _event(entry: Entry, body: dict[str, Any] | None) -> Ev:
    """An event; without a body it is one that this viewer may not know."""
    if body is None:
        return Ev(entry.v, "-")
    return Ev(entry.v, kind_of(entry.fact), entry.at, **body)


def _body_for_all(situation: Situation, entry: Entry) -> dict[str, Any] | None:
    """What everybody is told; None where that differs."""
    fact = entry.fact
    if isinstance(fact, facts.Spoke):
        return None
    turned = situation.turned.get(entry.v)
    if turned is not None:
        hidden = any(event.audience is not None for event in turned.events)
        if hidden or not all(situation.game.lies_open(pick) for _, pick, _ in turned.picks):
            return None
    return _BODIES[type(fact)](situation, entry, fact, SPECTATOR)


def _body(situation: Situation, entry: Entry, viewer: Viewer) -> dict[str, Any] | None:
    """What this viewer is told; None where it may not know that anything was said."""
    fact = entry.fact
    if isinstance(fact, facts.Spoke) and not hears(viewer, fact.seat):
        return None
    return _BODIES[type(fact)](situation, entry, fact, viewer)


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
