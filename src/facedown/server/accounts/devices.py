"""The program and the system that a session is used with, as its `User-Agent` names them.

For people who look through the list of their devices: it proves nothing.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypedDict

from facedown.core.text.sanitise import one_line
from facedown.server.store.accounts import StoredSession

_APPS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Marks of browsers, the more specific ones first: most also name the browsers that they are like."""
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
_LONGEST: Final = 40


class Device(NamedTuple):
    """A program and a system, each empty if it is not known."""

    app: str = ""
    system: str = ""


UNKNOWN: Final = Device()


class SessionFacts(TypedDict):
    """What a person may know of a session, in the list of devices and in the export."""

    kind: str
    app: str
    system: str
    made: str
    since: int
    used_at: int


def facts_of(session: StoredSession) -> SessionFacts:
    """A session as its person sees it."""
    return {
        "kind": session.kind,
        "app": session.app,
        "system": session.system,
        "made": session.made,
        "since": session.at,
        "used_at": session.used,
    }


def device_of(user_agent: str) -> Device:
    """The device of a `User-Agent`; for other programs than browsers their name, without a version.

    >>> device_of("Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    Device(app='Firefox', system='Android')
    >>> device_of("facedown/1.0"), device_of("")
    (Device(app='facedown', system=''), Device(app='', system=''))
    """
    text = user_agent[:500]
    system = _first(_SYSTEMS, text)
    if text.startswith("Mozilla/"):
        return Device(_first(_APPS, text), system)
    return Device(one_line(re.split(r"[/ (]", text, maxsplit=1)[0], _LONGEST), system)


def _first(marks: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in marks if mark in text), "")
