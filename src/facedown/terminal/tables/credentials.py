"""Credentials on disk: seat keys and session tokens of servers, in the state folder (mode 0600)."""

from __future__ import annotations

import json
from dataclasses import asdict
from dataclasses import fields as dataclass_fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from facedown.client.rest import SeatKey
from facedown.files import replace_file
from facedown.terminal.paths import newest_first, state_folder


def save_seat_key(key: SeatKey, *names: str) -> None:
    """Store a seat's key, to be found by its table and by these names: an invitation, the command that made
    the table. Raises `OSError`."""
    path = _seat_file(key)
    known = _read(path)
    shorts = {*known.get("names", ()), *(_short(name) for name in names if name)}
    _write(path, {**asdict(key), "names": sorted(shorts)})


def find_seat_key(server: str, name: str) -> SeatKey | None:
    """The key of a seat at that table, or of that other name; None where there is none."""
    for path in newest_first((state_folder() / "seats").glob(f"{_short(server)}-*.json")):
        fields = _read(path)
        key = _key(fields)
        if key is not None and (key.table == name or _short(name) in fields.get("names", ())):
            return key
    return None


def memory_file(key: SeatKey) -> Path:
    """The file in which a seat's client keeps what it heard, until the game is reviewed."""
    return state_folder() / "heard" / f"{_short(key.server)}-{_short(key.table)}-{key.seat}.json"


def delete_seat_key(key: SeatKey) -> None:
    """Delete a seat's key: nothing here can go back to the seat."""
    for path in (state_folder() / "seats").glob(f"{_short(key.server)}-*.json"):
        if _read(path).get("token") == key.token:
            path.unlink(missing_ok=True)


def _key(fields: dict[str, Any]) -> SeatKey | None:
    try:
        return SeatKey(**{each.name: fields[each.name] for each in dataclass_fields(SeatKey)})
    except KeyError:
        return None


def save_session_token(server: str, token: str, *, named: bool) -> None:
    """Store the session token of a server, and whether the person chose a name; raises `OSError`."""
    _write(_person_file(server), {"token": token, "named": named})


def find_session_token(server: str) -> str:
    """The session token of a server; empty where none is stored."""
    return str(_read(_person_file(server)).get("token", ""))


def is_named(server: str) -> bool:
    """Whether this person chose a name on a server; otherwise the server made one up."""
    return bool(_read(_person_file(server)).get("named"))


def _seat_file(key: SeatKey) -> Path:
    return state_folder() / "seats" / f"{_short(key.server)}-{_short(key.table)}.json"


def _person_file(server: str) -> Path:
    return state_folder() / "servers" / f"{_short(server)}.json"


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _write(path: Path, fields: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    replace_file(path, json.dumps(fields).encode(), mode=0o600)


def _read(path: Path) -> dict[str, Any]:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return fields if isinstance(fields, dict) else {}
