"""Canaries: picks that lie face down for good, whose nonces begin with words that a tap can look for."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial
from pathlib import Path
from typing import Any

from tests.nodes.tap import PostgresTap
from tests.server.programs import Chair, call, open_body, pick_body, set_table

CANARY = b"this nonce is a canary"
_SOCKET = ".s.PGSQL.5432"


async def tapped_postgresql(cluster: Path, folder: Path) -> PostgresTap:
    """A tap in a new folder, before the PostgreSQL that listens in another one."""
    folder.mkdir(mode=0o755)
    tap = PostgresTap(partial(asyncio.open_unix_connection, str(cluster / _SOCKET)), CANARY)
    await tap.open_socket(folder / _SOCKET)
    return tap


async def face_down(bases: list[str]) -> None:
    """One seat seals at one server; the other one looks at another server, and never seals."""
    one, two = await set_table(bases[0], "ecard", 2, "decisive")
    for chair, base in zip((one, two), bases, strict=True):
        await _command(base, chair, open_body(chair))
    snap = await call(bases[0], "GET", f"/tables/{one.table}", None, one.bearer, Facedown_Seat=one.token)
    nonce = CANARY + secrets.token_bytes(32 - len(CANARY))
    head = snap["table"]["turn"]["head"]
    await _command(bases[0], one, pick_body(one, 1, snap["legal"][0], nonce=nonce, head=head))
    for path in (f"/tables/{two.table}", f"/tables/{two.table}/events", f"/tables/{two.table}/record"):
        await asyncio.gather(
            call(bases[1], "GET", path, None, two.bearer, Facedown_Seat=two.token), return_exceptions=True
        )


async def _command(base: str, chair: Chair, body: dict[str, Any]) -> None:
    path, seat = f"/tables/{chair.table}/commands", {"Facedown_Seat": chair.token}
    await call(base, "POST", path, body, chair.bearer, **seat)
