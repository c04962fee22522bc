"""The knowledge of one viewer at one moment, as text: views, reprs, answers and errors, each by its name.

Owns what is compared between worlds. Knowledge is equal in both or there is a leak, to the byte.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable

from facedown.core.ballot import Ballot
from facedown.core.errors import FacedownError
from facedown.core.events import Event, Redacted, Seen
from facedown.core.game import Pick
from facedown.core.replay import AnyMatch
from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.views import Plain, plain

Knowledge = dict[str, str]
"""What a viewer can see or provoke: a text for each thing, by its name."""


def events_seen(events: Iterable[Event], viewer: Viewer) -> list[Seen]:
    """The events that the viewer may know: by these the game declares what it tells to whom."""
    seen = (event.seen_by(viewer) for event in events)
    return [each for each in seen if not isinstance(each, Redacted)]


def knowledge_of(
    match: AnyMatch, viewer: Viewer, happened: Iterable[Event], probes: Iterable[Pick]
) -> Knowledge:
    """Everything that the viewer can see or provoke at this moment. Changes nothing."""
    view = match.view(viewer)
    seen = [event.seen_by(viewer) for event in happened]
    found = {
        "its view": json.dumps(plain(view)),
        "the repr of its view": repr(view),
        "the list of events, the redacted ones among them,": repr([_event_text(each) for each in seen]),
        "the repr of an event": repr(seen),
        "who has to pick": repr(match.pending),
        "who has sealed": repr(match.sealed),
        "who may seal": repr(match.may_seal),
        "the outcome": repr(match.outcome),
        "the repr of the match": f"{match!r} {match}",
        "the repr of the ballot": " ".join(repr(ballot) for ballot in _ballots(match)),
    }
    if match.game.encoding(match.rules, len(match.names)) is not None:
        found["the numeric form of its view"] = repr(tuple(match.game.encode(view)))
    if viewer != SPECTATOR:
        found["what it may pick"] = repr(match.legal(viewer))
    for pick in probes:
        found[f"the answer when it tries to seal {pick!r}"] = answer(match, viewer, pick)
    return found


def glance(match: AnyMatch, viewer: Viewer, happened: Iterable[Event]) -> tuple[object, ...]:
    """What a viewer sees, as values: quicker to compare than `Knowledge`, without errors and reprs."""
    legal = match.legal(viewer) if viewer != SPECTATOR else ()
    return match.view(viewer), match.pending, legal, [event.seen_by(viewer) for event in happened]


def answer(match: AnyMatch, viewer: Viewer, pick: Pick) -> str:
    """The error a seat gets for sealing a pick; empty if it may."""
    try:
        match.check_pick(viewer, pick)
    except FacedownError as refused:
        return _error_text(refused)
    except Exception as crash:
        return f"{crash!r}"
    return ""


def _error_text(error: FacedownError) -> str:
    return f"{type(error).__name__} {error.code} {error} {error!r} {vars(error)}"


def _event_text(event: object) -> str:
    return json.dumps([type(event).__name__, plain(event)])


def _ballots(match: AnyMatch) -> list[Ballot]:
    return [each for each in gc.get_referents(match) if isinstance(each, Ballot)]


# --- where two sights differ -----------------------------------------------------------------------------


def difference(one: Knowledge, other: Knowledge) -> str | None:
    """The first thing in which two sights differ, in words; None where they are equal."""
    for what, text in one.items():
        if text != other[what]:
            return _difference(what, text, other[what])
    return None


def _difference(what: str, one: str, other: str) -> str:
    if what == "its view":
        return _in_views(json.loads(one), json.loads(other))
    lengths = f", and even its length differs ({len(one)} and {len(other)})" if len(one) != len(other) else ""
    return f"{what} is {_short(one)} in one and {_short(other)} in the other{lengths}"


def _in_views(one: dict[str, Plain], other: dict[str, Plain]) -> str:
    name = next(name for name in (*one, *other) if one.get(name) != other.get(name))
    return _difference(f"{name!r} in its view", json.dumps(one.get(name)), json.dumps(other.get(name)))


def _short(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:157]}…"
