"""The supervisor of several server processes on one port, which share a store. It starts them, replaces those
that die or block, and on SIGHUP replaces all of them one by one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from facedown.server.ops.child import CHILD, SERVING, SIGN_S, ChildPart
from facedown.server.ops.runfile import RunFile, remove_runfile, write_runfile
from facedown.server.ops.tls import Certificate
from facedown.server.run import address_of, listen
from facedown.server.settings import BadSetting, Settings

_QUICK_S: Final = 10.0
"""A process that ends sooner than this after its start is not started again at once."""
_PAUSES_S: Final = (0.0, 1.0, 2.0, 5.0, 10.0)
_END_S: Final = 30.0
"""How long a process may take to end before it is killed."""
_SILENT_S: Final = 15.0
"""A process without a sign of life for this long is replaced. A healthy one may be late on a busy machine; a
usual clock is 30 s long. A killed process loses nothing."""
_log: Final = logging.getLogger("facedown.supervisor")


def supervise(settings: Settings, command: list[str], ready: Callable[[str], None]) -> int:
    """Run `settings.processes` servers until a signal comes; `ready` gets the address once all serve.

    `command` starts one of them. Returns the exit status.
    """
    if not hasattr(signal, "SIGHUP"):  # nor can a process there inherit a socket by its number
        raise BadSetting(f"processes {settings.processes}: on this system one process serves, not several")
    if not settings.is_shared:
        raise BadSetting(
            f"processes {settings.processes}: SQLite is the store of one process; several share PostgreSQL "
            "(--store postgresql://…)"
        )
    if settings.tls:
        Certificate(*settings.tls)  # before a process for each says that it cannot be used
    return asyncio.run(_Supervisor(settings, command, ready).run())


@dataclass(slots=True, eq=False)
class _Child:
    process: asyncio.subprocess.Process
    signs: int
    """The pipe with its signs of life."""
    ready: asyncio.Future[None]
    started: float
    silent: int | None = None
    """Rounds in a row without a sign of life; None before the first one."""

    def is_alive(self) -> bool:
        return self.process.returncode is None

    def read_signs(self) -> None:
        signs = os.read(self.signs, 4096)
        if not signs:  # it is ending
            asyncio.get_running_loop().remove_reader(self.signs)
            return
        self.silent = 0
        if SERVING in signs and not self.ready.done():
            self.ready.set_result(None)


class _Supervisor:
    def __init__(self, settings: Settings, command: list[str], ready: Callable[[str], None]) -> None:
        self._settings = settings
        self._command = command
        self._ready = ready
        self._operator = secrets.token_urlsafe(32)
        self._listening: socket.socket
        self._folder = Path(tempfile.mkdtemp(prefix="facedown-"))
        """Holds the sockets by which the processes ask each other for metrics; for this user alone."""
        self._life = os.pipe()
        """A pipe that ends with this process, and ends its children."""
        self._slots: list[_Child | None] = [None] * settings.processes
        self._quick = [0] * settings.processes
        self._watches: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._reload = asyncio.Event()

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stopping.set)
        loop.add_signal_handler(signal.SIGHUP, self._reload.set)
        self._listening = listen(self._settings.host, self._settings.port)
        self._listening.set_inheritable(True)
        address = address_of(self._settings, self._listening)
        keepers = [asyncio.create_task(self._keep(slot)) for slot in range(len(self._slots))]
        stopped = asyncio.create_task(self._stopping.wait())
        try:
            while not all(child is not None and child.ready.done() for child in self._slots):
                done, _ = await asyncio.wait((stopped,), timeout=0.05)
                if done:
                    return 0
                if min(self._quick) >= len(_PAUSES_S):  # none of them can start
                    return 1
            write_runfile(
                self._settings.data, RunFile(address, self._operator, os.getpid(), *self._settings.tls[:1])
            )
            self._ready(address)
            while not self._stopping.is_set():
                reload = asyncio.create_task(self._reload.wait())
                await asyncio.wait((stopped, reload), return_when=asyncio.FIRST_COMPLETED)
                reload.cancel()
                if self._reload.is_set() and not self._stopping.is_set():
                    self._reload.clear()
                    await self._replace_all(stopped)
            return 0
        finally:
            for task in keepers:
                task.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)
            await asyncio.gather(*(self._end(child) for child in self._slots if child is not None))
            remove_runfile(self._settings.data, self._operator)
            self._listening.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _keep(self, slot: int) -> None:
        """Start a process, and another one whenever it ends."""
        while True:
            child = self._slots[slot] = await self._start(slot)
            while (child := self._slots[slot] or child).is_alive():  # or the one that replaced it
                await child.process.wait()
            lived = time.monotonic() - child.started
            self._quick[slot] = self._quick[slot] + 1 if lived < _QUICK_S else 0
            _log.warning("a server process ended with status %s; starting another", child.process.returncode)
            await asyncio.sleep(_PAUSES_S[min(self._quick[slot], len(_PAUSES_S) - 1)])

    async def _start(self, slot: int) -> _Child:
        loop = asyncio.get_running_loop()
        signs, signs_of_child = os.pipe()
        part = ChildPart(
            self._listening.fileno(), signs_of_child, self._life[0], self._operator, slot + 1, self._folder
        )
        process = await asyncio.create_subprocess_exec(
            *self._command,
            pass_fds=(part.listening, part.signs, part.life),
            env={**os.environ, CHILD: part.to_text()},
            process_group=0,  # a terminal's Ctrl-C is for the supervisor
        )
        os.close(signs_of_child)
        child = _Child(process, signs, loop.create_future(), time.monotonic())
        loop.add_reader(signs, child.read_signs)
        watch = loop.create_task(self._watch(child))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)
        return child

    async def _watch(self, child: _Child) -> None:
        """Kill a process whose event loop blocks.

        Silence is counted in rounds, not measured: if this process was suspended as well, that was one round.
        """
        try:
            while child.is_alive():
                await asyncio.sleep(SIGN_S)
                if child.silent is None:
                    continue
                child.silent += 1
                if child.silent * SIGN_S > _SILENT_S and child.is_alive():
                    _log.error(
                        "server process %s has given no sign of life for %.0f seconds and is killed",
                        child.process.pid,
                        _SILENT_S,
                    )
                    child.process.kill()
                    return
        finally:
            asyncio.get_running_loop().remove_reader(child.signs)
            os.close(child.signs)

    async def _replace_all(self, stopped: asyncio.Task[bool]) -> None:
        """A new process for each, one after the other; the old one ends once the new one serves."""
        for slot in range(len(self._slots)):
            new = await self._start(slot)
            gone = asyncio.create_task(new.process.wait())
            await asyncio.wait((new.ready, gone, stopped), return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                _log.error("the new server process did not start; the old ones go on")
                return
            gone.cancel()
            if stopped.done():
                await self._end(new)
                return
            old, self._slots[slot] = self._slots[slot], new
            if old is not None:
                await self._end(old)
        _log.warning("all server processes were replaced")

    async def _end(self, child: _Child) -> None:
        if not child.is_alive():
            return
        child.process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(child.process.wait(), _END_S)
        except TimeoutError:
            child.process.kill()
            await child.process.wait()


def command_of_child(arguments: list[str]) -> list[str]:
    """The command that starts one server process with the same arguments as this program."""
    return [sys.executable, "-m", "facedown", *arguments]
