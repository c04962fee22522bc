"""Host names of this server. A page of another site whose name points here (DNS rebinding) is refused."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

_LOCAL: Final = (".localhost", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Endings of home and company networks, which cannot be registered on the internet."""


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port; empty if it cannot be read.

    >>> host_name("Cards.Example.org.:8765"), host_name("[::1]:80")
    ('cards.example.org', '::1')
    """
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


class KnownHosts:
    """The host names of one server.

    >>> known = KnownHosts("https://cards.example.org", ["tail.example.net"])
    >>> [name in known for name in ("cards.example.org", "tail.example.net:80", "evil.example.com")]
    [True, True, False]
    >>> [name in known for name in ("localhost:8765", "192.168.1.20:8765", "[::1]", "den.local", "facedown")]
    [True, True, True, True, True]
    """

    def __init__(self, public_url: str = "", more: Iterable[str] = ()) -> None:
        named = (urlsplit(public_url).hostname or "", *(host_name(each) for each in more))
        self._named = frozenset(each for each in named if each)

    def __contains__(self, host: object) -> bool:
        """Whether a `Host` header names this server. An address cannot be made to point elsewhere, nor can a
        name without a dot."""
        name = host_name(str(host))
        if not name or "@" in str(host):
            return False
        if "." not in name or name in self._named or name.endswith(_LOCAL):
            return True
        return is_address(name)


def is_address(name: str) -> bool:
    """Whether a host is given by its address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
