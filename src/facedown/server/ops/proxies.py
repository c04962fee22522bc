"""Trusted reverse proxies, and the client address behind them (`X-Forwarded-For`)."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address, ip_network


class TrustedProxies:
    """Addresses and networks of the operator's proxies, whose `X-Forwarded-For` is believed.

    >>> "10.1.2.3" in TrustedProxies(("10.0.0.0/8",)), "192.0.2.7" in TrustedProxies(("10.0.0.0/8",))
    (True, False)
    """

    __slots__ = ("_networks",)

    def __init__(self, networks: Sequence[str] = ()) -> None:
        self._networks = tuple(ip_network(each, strict=False) for each in networks)

    def __contains__(self, host: str) -> bool:
        if not self._networks:
            return False
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def client_address(peer: str, forwarded_for: Sequence[str], proxies: TrustedProxies) -> str:
    """The client's address: the peer's, or behind a trusted proxy the last forwarded one that is no proxy.

    >>> forwarded = ["forged, 192.0.2.7, 127.0.0.1"]
    >>> client_address("127.0.0.1", forwarded, TrustedProxies(("127.0.0.1",)))
    '192.0.2.7'
    >>> client_address("192.0.2.9", forwarded, TrustedProxies())
    '192.0.2.9'
    """
    if peer not in proxies:
        return peer
    hosts = (each.strip() for each in reversed(",".join(forwarded_for).split(",")))
    return next((host for host in hosts if host and host not in proxies), peer)
