"""Recap of the reveals that a viewer missed: the table as it was, then the updates that were sent meanwhile.

Made by the same functions as live updates, from the same facts: it says nothing that was not said then.
"""

from __future__ import annotations

from typing import Final

from facedown.core.seats import Viewer
from facedown.protocol.messages import encode
from facedown.server.table import facts
from facedown.server.table.actor import Attendance
from facedown.server.table.facts import LogEntry
from facedown.server.table.snapshot import snapshot_of
from facedown.server.table.state import TableState
from facedown.server.table.updates import ViewerUpdates, is_muted, without_words

MOST_REVEALS: Final = 3
"""How many reveals are shown again; of a longer absence, the last ones."""


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
    """A snapshot as of an earlier event, and every update since; nothing where no reveal was missed."""
    reveals = [entry.v for entry in state.log[after:] if isinstance(entry.fact, facts.PicksRevealed)]
    if not reveals:
        return []
    start = max(after, *(reveals[-MOST_REVEALS - 1 : -MOST_REVEALS] or (after,)))
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
                without_words(frame) if is_muted(past, said, muted) else frame
                for said, frame in zip(together, ready.frames, strict=True)
            ]
            together = []
    return frames


def _is_settled(state: TableState, following: LogEntry | None) -> bool:
    """Whether this is a state that viewers were shown: the last seal of a decision, its reveal and the end of
    the game come together."""
    over = following is not None and isinstance(following.fact, facts.GameEnded)
    return state.step is None and not over
