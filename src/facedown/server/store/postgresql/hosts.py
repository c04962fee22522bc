"""Finds the primary among the hosts that a URL names, though one of them is silent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import asyncpg

from facedown.server.store.failures import forget_frames

NEXT_HOST_S: Final = 1.0
"""After this time without an answer the next host is asked as well."""


async def connect_primary(url: str, timeout: float, settings: Mapping[str, str]) -> asyncpg.Connection:
    """A connection to the primary of a database; raises what the last host raised if there is none.

    A host without power answers no one: the others are not kept waiting for it."""
    left = urls_of_hosts(url)
    asked: set[asyncio.Task[Any]] = set()
    failures: list[BaseException] = []
    try:
        while left or asked:
            if left:
                asked.add(asyncio.create_task(_connect(left.pop(0), timeout, settings)))
            found, asked = await _first_answers(asked, NEXT_HOST_S if left else None, failures)
            for further in found[1:]:
                further.terminate()
            if found:
                return found[0]
        raise failures.pop() if failures else OSError("the URL names no host")  # no name refers to it here
    finally:
        for task in asked:
            task.cancel()
            task.add_done_callback(_end)


async def _first_answers(
    asked: set[asyncio.Task[Any]], timeout: float | None, failures: list[BaseException]
) -> tuple[list[asyncpg.Connection], set[asyncio.Task[Any]]]:
    """The connections that were made first, and the tasks that are left; adds to the failures.

    The driver's frames refer to what they raise."""
    done, left = await asyncio.wait(asked, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    errors = {task: asyncio.CancelledError() if task.cancelled() else task.exception() for task in done}
    for error in errors.values():
        if error is not None:
            forget_frames(error)
            failures.append(error)
    return [task.result() for task, error in errors.items() if error is None], left


async def _connect(url: str, timeout: float, settings: Mapping[str, str]) -> asyncpg.Connection:
    return await asyncpg.connect(
        url,
        timeout=timeout,
        server_settings=dict(settings),
        target_session_attrs="primary",
        max_cached_statement_lifetime=0,
    )


def _end(task: asyncio.Task[Any]) -> None:
    """Another host was sooner."""
    if not task.cancelled() and task.exception() is None:
        task.result().terminate()


def urls_of_hosts(url: str) -> list[str]:
    """The URL once for each of its hosts.

    >>> urls_of_hosts("postgresql://me@a:1,b/cards")
    ['postgresql://me@a:1/cards', 'postgresql://me@b/cards']
    >>> urls_of_hosts("postgresql:///cards?host=/run/a,/run/b&user=me")
    ['postgresql:///cards?host=/run/a&user=me', 'postgresql:///cards?host=/run/b&user=me']
    """
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    query = dict(parse_qsl(parts.query))
    if "," in hosts:
        return [urlunsplit(parts._replace(netloc=user + at + host)) for host in hosts.split(",")]
    named = query.get("host", "").split(",")
    if len(named) == 1 or hosts:
        return [url]
    ports = query.get("port", "").split(",")
    found = []
    for number, host in enumerate(named):
        own = {**query, "host": host}
        if "port" in query:
            own["port"] = ports[number % len(ports)]
        found.append(f"{url.partition('?')[0]}?{urlencode(own, safe='/', quote_via=quote)}")
    return found
