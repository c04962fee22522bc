"""The home network: a second listening socket, at this computer's address there, which the user who started
the server opens and closes from a browser on this computer.

A server that listens on all addresses is always open to the home network; one behind a reverse proxy never.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from facedown.server.ops.logs import get_log

Listen: TypeAlias = Callable[[str, int], Awaitable[asyncio.AbstractServer]]
"""Serves at one more address of this computer."""

_ALL: Final = ("0.0.0.0", "::")
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


class HomeListener:
    """Whether devices in the home network can open this server, and at which address."""

    def __init__(self, host: str, *, offered: bool = False, scheme: str = "http") -> None:
        self.offered = offered and is_loopback(host)
        """Whether this computer's own browser may open and close it."""
        self.address = ""
        """The address in the home network; empty while it is closed."""
        self._host = host
        self._scheme = scheme
        self._port = 0
        self._listen: Listen | None = None
        self._server: asyncio.AbstractServer | None = None
        self._one_at_a_time = asyncio.Lock()
        self._log = get_log(__name__)

    def start(self, port: int, listen: Listen) -> None:
        """Note the port of the server and how to listen elsewhere."""
        self._port, self._listen = port, listen
        if self._host in _ALL and (found := network_host()):
            self.address = self._web_address(found)

    async def open(self) -> bool:
        """Listen in the home network, at its present address; returns whether there is one."""
        async with self._one_at_a_time:
            host = network_host()
            if self._server is not None and self.address == self._web_address(host):
                return True
            self._close()
            if not host or self._listen is None:
                return False
            try:
                self._server = await self._listen(host, self._port)
            except OSError:
                return False
            self.address = self._web_address(host)
            self._log.warning("open to the home network", address=self.address)
            return True

    async def close(self) -> None:
        """Accept no new connections from the home network; open ones stay."""
        async with self._one_at_a_time:
            self._close()

    def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            self.address = ""
            self._log.warning("closed to the home network")

    def _web_address(self, host: str) -> str:
        return f"{self._scheme}://{host}:{self._port}"


def is_loopback(host: str) -> bool:
    """Whether only this computer can open a host.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "192.168.1.20", "cards.example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_this_computer(address: str, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from a browser on this computer, by its address and host, without a proxy.

    >>> is_this_computer("127.0.0.1", {"host": "localhost:8765"})
    True
    >>> is_this_computer("127.0.0.1", {"host": "cards.example.org"})
    False
    """
    try:
        asked = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return False
    return is_loopback(address) and is_loopback(asked) and not any(name in headers for name in FORWARDED)


def network_host() -> str:
    """This computer's address in its network; empty if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; shows which address the system would use
        except OSError:
            return ""
        found = str(probe.getsockname()[0])
    return "" if is_loopback(found) else found
