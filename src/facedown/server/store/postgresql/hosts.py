"""Finds the primary among the hosts that a URL names, though one of them is silent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import asyncpg

NEXT_HOST_S: Final = 1.0
"""After this time without an answer the next host is asked as well."""


async def connect_primary(url: str, timeout: float, settings: Mapping[str, str]) -> asyncpg.Connection:
    """A connection to the primary of a database; raises what the last host raised if there is none.

    A host without power answers no one: the others are not kept waiting for it."""
    left = urls_of_hosts(url)
    asked: set[asyncio.Task[Any]] = set()
    failure: BaseException | None = None
    try:
        while left or asked:
            if left:
                asked.add(asyncio.create_task(_connect(left.pop(0), timeout, settings)))
            done, asked = await asyncio.wait(
                asked, timeout=NEXT_HOST_S if left else None, return_when=asyncio.FIRST_COMPLETED
            )
            found = [task.result() for task in done if not task.cancelled() and task.exception() is None]
            for further in found[1:]:
                further.terminate()
            if found:
                return found[0]
            for task in done:
                failure = asyncio.CancelledError() if task.cancelled() else task.exception()
    finally:
        for task in asked:
            task.cancel()
            task.add_done_callback(_end)
    raise failure or OSError("the URL names no host")


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
