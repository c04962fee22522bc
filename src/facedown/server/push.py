"""Web push notifications for people who are away: sent from the store's outbox, at most once per turn.

Optional: needs the extra `push`. Endpoints come from clients: only public addresses are reached, over https.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
import structlog

from facedown.core import registry
from facedown.core.errors import FacedownError, missing_extra
from facedown.protocol.errors import BadMessage
from facedown.server import message
from facedown.server.ops.metrics import Metrics
from facedown.server.store.base import Notice, Store, Subscription
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

_KEY: Final = "vapid"
_EVERY_S: Final = 2.0
_SEND_S: Final = 10.0
_LIVES_S: Final = 24 * 3600
_SIGNED_S: Final = 12 * 3600
_AT_ONCE: Final = 8
_NO_CONTACT: Final = "mailto:nobody@example.org"
"""Push services require a contact; the operator may set one (`contact`)."""
_GONE: Final = (404, 410)

MayReach: TypeAlias = Callable[[str], bool]
Delivery: TypeAlias = Literal["sent", "gone", "failed"]


def is_installed() -> bool:
    """Whether the libraries of the extra `push` are installed."""
    return all(find_spec(name) is not None for name in ("pywebpush", "cryptography"))


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet, and not to our own network.

    >>> [is_public(each) for each in ("1.1.1.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.8")]
    [True, False, False, False, False]
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    found = found if mapped is None else mapped
    return found.is_global and not found.is_multicast


def _is_due(table: Table, notice: Notice) -> bool:
    """Whether it is still this person's turn, and they are not at the table."""
    if notice.kind != "turn":
        return True
    away = [seat for seat in table.seats_of(notice.person) if seat not in table.present]
    return any((turn := table.turn_of(seat)) is not None and turn[0] == notice.decision for seat in away)


class PushSender:
    """Delivers notices by web push, signed with the server's VAPID key."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        metrics: Metrics,
        *,
        contact: str = "",
        reach: MayReach = is_public,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._store = store
        self._tables = tables
        self._metrics = metrics
        self._contact = contact
        self._reach = reach
        self._tls = tls or ssl.create_default_context()
        self._signer: Any = None
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger(__name__)

    async def key(self) -> str:
        """The public key, as browsers want it; raises `Unsupported` without the libraries."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        signer = await self._vapid()
        point = signer.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    async def check(self, endpoint: str) -> None:
        """Raise `BadMessage` unless the endpoint can be a push service."""
        parts = urlsplit(endpoint)
        say = "the endpoint of a push service must be https at a public address"
        try:
            port = parts.port or 443
        except ValueError:
            raise BadMessage(say) from None
        if parts.scheme != "https" or not parts.hostname or parts.username is not None:
            raise BadMessage(say)
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                parts.hostname, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError):
            raise BadMessage("the host name of this push service cannot be resolved") from None
        if not all(self._reach(str(address[4][0])) for address in found):
            raise BadMessage(say)

    # --- delivery -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start delivering notices in the background."""
        self._task = asyncio.create_task(self._run(), name="push")

    async def close(self) -> None:
        """Stop; undelivered notices stay in the outbox."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self.deliver()
            except FacedownError as error:
                self._log.error("push delivery failed; notices stay in the outbox", error=error.code)
            except Exception:
                self._log.exception("push delivery failed")
            await asyncio.sleep(_EVERY_S)

    async def deliver(self) -> int:
        """Deliver the notices in the outbox; returns how many messages were sent."""
        store, sent = self._store, 0
        while notices := await store.notices(_AT_ONCE):
            results = await asyncio.gather(*(self._deliver_one(notice) for _, notice in notices))
            await store.delete_notices([number for number, _ in notices])
            sent += sum(results)
        return sent

    async def _deliver_one(self, notice: Notice) -> int:
        """Send a notice to all browsers of a person; nothing where it is not due any more."""
        where = await self._store.subscriptions(notice.person)
        if not where or not is_installed():
            return 0
        table = await self._tables.get(notice.table)
        await table.settled()
        if not _is_due(table, notice):
            return 0
        game = registry.get(table.setup.game)
        # English fallbacks: a browser has its own words for these, in its person's language.
        words = {
            "title": str(game.meta.title),
            "body": str(message(f"notice.{notice.kind}")),
            "game": game.name,
        }
        payload = {"kind": notice.kind, "table": notice.table, "decision": notice.decision, **words}
        body = msgspec.json.encode(payload)
        return sum([await self._send(notice.person, each, body) == "sent" for each in where])

    async def _send(self, person: str, where: Subscription, body: bytes) -> Delivery:
        result: Delivery = "failed"
        try:
            await self.check(where.endpoint)
            signer = await self._vapid()
            result = await asyncio.to_thread(self._post, signer, where, body)
        except BadMessage:
            result = "gone"
        if result == "gone":
            await self._store.unsubscribe(person, where.endpoint)
        self._metrics.pushes.labels(result).inc()
        return result

    def _post(self, signer: Any, where: Subscription, body: bytes) -> Delivery:
        """Encrypt and send, in a worker thread."""
        import pywebpush  # type: ignore[import-untyped]  # has no types

        keys = {"p256dh": where.p256dh, "auth": where.auth}
        claims = {
            "aud": f"https://{urlsplit(where.endpoint).netloc}",
            "sub": self._contact or _NO_CONTACT,
            "exp": int(time.time()) + _SIGNED_S,
        }
        try:
            sealed = pywebpush.WebPusher({"endpoint": where.endpoint, "keys": keys}).encode(body)["body"]
        except Exception:  # the keys come from a client, and the library raises anything for bad ones
            return "gone"
        headers = {
            **signer.sign(claims),
            "TTL": str(_LIVES_S),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }
        try:
            status = self.posted(where.endpoint, headers, sealed)
        except (OSError, http.client.HTTPException):
            return "failed"
        return "sent" if 200 <= status < 300 else "gone" if status in _GONE else "failed"

    def posted(self, endpoint: str, headers: dict[str, str], body: bytes) -> int:
        """The status of the answer. Checks the peer's address before sending; follows no redirect."""
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port or 443
        with socket.create_connection((host, port), _SEND_S) as plain:
            if not self._reach(str(plain.getpeername()[0])):
                raise OSError("not a public address")
            with self._tls.wrap_socket(plain, server_hostname=host) as sealed:
                connection = http.client.HTTPConnection(host, port)
                connection.sock = sealed
                path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
                connection.request("POST", path, body, {**headers, "Connection": "close"})
                return connection.getresponse().status

    async def _vapid(self) -> Any:
        """The server's VAPID key pair, made on first use and kept in the store."""
        if not is_installed():
            raise missing_extra("push needs", "push")
        if self._signer is None:
            from pywebpush import Vapid

            kept = await self._store.get_value(_KEY)
            if kept is None:
                signer = Vapid()
                signer.generate_keys()
                await self._store.set_value(_KEY, signer.private_pem())
                kept = await self._store.get_value(_KEY)
            self._signer = Vapid.from_pem(kept)
        return self._signer
