"""Credentials on disk: seat keys and session tokens of servers, in the state folder (mode 0600)."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from facedown.client.connection import SeatKey
from facedown.files import replace_file
from facedown.terminal.paths import state_folder


def save_seat_key(key: SeatKey, invite: str = "") -> None:
    """Store a seat's key, to be found by its table and by the invitation; raises `OSError`."""
    for name in filter(None, (key.table, invite)):
        _write(_seat_file(key.server, name), asdict(key))


def find_seat_key(server: str, name: str) -> SeatKey | None:
    """The key of a seat at that table, or of that invitation; None where there is none."""
    fields = _read(_seat_file(server, name))
    try:
        return SeatKey(**fields) if fields else None
    except TypeError:
        return None


def delete_seat_key(key: SeatKey) -> None:
    """Delete a seat's key, under every name it is stored by."""
    for path in (state_folder() / "seats").glob(f"{_short(key.server)}-*.json"):
        if _read(path).get("token") == key.token:
            path.unlink(missing_ok=True)


def save_session_token(server: str, token: str) -> None:
    """Store the session token of a server; raises `OSError`."""
    _write(_person_file(server), {"token": token})


def find_session_token(server: str) -> str:
    """The session token of a server; empty where none is stored."""
    return str(_read(_person_file(server)).get("token", ""))


def _seat_file(server: str, name: str) -> Path:
    return state_folder() / "seats" / f"{_short(server)}-{_short(name)}.json"


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
