"""Looking up host names that clients chose: none of them can keep the others waiting.

The system's resolver cannot be interrupted, so every lookup has a thread of its own. It is counted until
that thread ends, also after its caller has given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import Counter
from typing import Final

MOST_LOOKUPS: Final = 48
"""Of one resolver; the systemd units allow 256 tasks to a server."""
MOST_OF_NETWORK: Final = 4


class Resolver:
    """Lookups of host names: one of a person at a time, a few of a network, and a bounded number in all."""

    def __init__(self, most: int = MOST_LOOKUPS) -> None:
        self._most = most
        self._running: dict[asyncio.Future[list[str]], tuple[str, str]] = {}

    async def addresses(self, host: str, port: int, person: str, network: str = "") -> list[str]:
        """The addresses of a host; waits while this person, or too many others, look up names.

        Raises `OSError` or `UnicodeError`. There is no limit to how long it takes: callers need a timeout.
        """
        while not self._may_start(person, network):
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        self._running[answer] = (person, network)
        answer.add_done_callback(self._end)
        threading.Thread(
            target=_look_up, args=(loop, answer, host, port), name="push-names", daemon=True
        ).start()
        return await asyncio.shield(answer)

    def _may_start(self, person: str, network: str) -> bool:
        people = {each for each, _ in self._running.values()}
        networks = Counter(each for _, each in self._running.values() if each)
        return (
            len(self._running) < self._most and person not in people and networks[network] < MOST_OF_NETWORK
        )

    def _end(self, answer: asyncio.Future[list[str]]) -> None:
        del self._running[answer]
        if not answer.cancelled():
            answer.exception()  # its caller may have given up


def _look_up(
    loop: asyncio.AbstractEventLoop, answer: asyncio.Future[list[str]], host: str, port: int
) -> None:
    """Resolve a name in a thread that no one waits for: the server may have ended by then."""
    found: list[str] | OSError | UnicodeError
    try:
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found = list(dict.fromkeys(str(each[4][0]) for each in resolved))
    except (OSError, UnicodeError) as error:
        found = error
    with contextlib.suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(_settle, answer, found)


def _settle(answer: asyncio.Future[list[str]], found: list[str] | OSError | UnicodeError) -> None:
    if isinstance(found, list):
        answer.set_result(found)
    else:
        answer.set_exception(found)
