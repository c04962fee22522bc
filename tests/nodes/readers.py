"""Readers over REST: they ask any server for any table, as a spectator does, and log what they get."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from facedown.client import RestClient, ServerLost, ServerRefused
from tests.nodes.history import PASSING, ClientLog, Nonces
from tests.nodes.players import SILENT_S, Players
from tests.patience import PATIENCE

_EVERY_S: Final = 0.5
_AT_ONCE: Final = 24


class RestReader:
    """Reads tables of a run at its servers; each answer is a log of its own."""

    def __init__(self, bases: Sequence[str], nonces: Nonces) -> None:
        self._bases = bases
        self._nonces = nonces
        self.logs: list[ClientLog] = []

    async def follow(self, players: Players, source: random.Random) -> None:
        """Read a table that is being played at some server, again and again."""
        while True:
            await asyncio.sleep(_EVERY_S)
            playing = [player.log.table for player in players.all if not player.over]
            if playing:
                base, table = source.choice(self._bases), source.choice(playing)
                await asyncio.to_thread(self._read, base, table, SILENT_S)

    async def unanswered(self, heads: Mapping[str, int]) -> list[str]:
        """Read every table at every server, with all of them up: those that do not answer with as many
        events as are saved, however long the test waits."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            asked = [
                loop.run_in_executor(threads, self._wait_for, base, table, head)
                for table, head in heads.items()
                for base in self._bases
            ]
            return [wrong for wrong in await asyncio.gather(*asked) if wrong]

    def _wait_for(self, base: str, table: str, head: int) -> str:
        """Read a table until it answers; what is wrong with it, if anything is."""
        end, got = time.monotonic() + PATIENCE, "nothing"
        while time.monotonic() < end:
            log = self._read(base, table, end - time.monotonic())
            if [code for *_, code in log.failed if code not in PASSING]:
                return f"{table}: unanswered: {base} refuses it"
            if log.seen:
                if min(log.read[-1].v, log.seen[-1].v) >= head:
                    return ""
                got = f"a snapshot at {log.read[-1].v} and {log.seen[-1].v} events"
            time.sleep(_EVERY_S)
        return f"{table}: unanswered: {base} answers with {got}, {head} are saved"

    def _read(self, base: str, table: str, timeout: float) -> ClientLog:
        """Ask for the snapshot and the events of a table."""
        log = ClientLog(table, 0)
        self.logs.append(log)
        client = RestClient(base, timeout=timeout)
        try:
            log.note({"t": "snap", **self._get(client, log, f"/tables/{table}")})
            v, more = 0, True
            while more:
                page = self._get(client, log, f"/tables/{table}/events?after={v}")
                for event in page["events"]:
                    log.note({"t": "ev", **event})
                v, more = page["v"], page["more"]
        except ServerRefused as refused:
            log.failed.append((f"GET /tables/{table}", refused.status, refused.name))
        except ServerLost:
            pass
        return log

    def _get(self, client: RestClient, log: ClientLog, path: str) -> Any:
        body = client.send("GET", path)
        read = json.loads(body)
        log.heard += self._nonces.heard_in(body, read["v"], log.table, 0)
        return read
