"""Web push notifications and webhooks for people who are away, sent from the store's outbox, which several
servers share.

A notice stays in the outbox until it is delivered or given up. If a server dies while it sends one, another
sends it again, and the browser replaces the first. Optional: needs the extra `push`. Endpoints come from
clients: only public addresses are reached, over https.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import secrets
import ssl
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import SplitResult, quote, urlsplit

import msgspec

from facedown.core import registry
from facedown.core.errors import FacedownError, missing_extra
from facedown.protocol.errors import BadMessage
from facedown.server import message
from facedown.server.clock import now
from facedown.server.contacts.webhooks import Webhooks, message_id, signed_headers
from facedown.server.ops.backoff import is_outage
from facedown.server.ops.metrics import Metrics
from facedown.server.ops.resolver import Resolver
from facedown.server.ops.slots import waiting
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFault, is_cancelled
from facedown.server.store.values import WEBHOOK_PREFIX, Notice, Subscription
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

_KEY: Final = "vapid"
_EVERY_S: Final = 2.0
SEND_S: Final = 10.0
"""The deadline of one message: name, connection, TLS and answer together."""
_PERSON_S: Final = 30.0
"""A notice that is not begun within this time of its claim is left to the next claim."""
_TRIES: Final = 3
"""After this many failed notices in a row, all waiting ones of a person are dropped."""
_DELIVERY: Final = "push delivery"
_NOTICE: Final = "notice"
_FINISH_S: Final = 2.0
"""How long messages under way have to finish when the server stops."""
_PEOPLE: Final = 32
"""How many people are served at once."""
PUSH_PORT: Final = 443
_MOST_LINE: Final = 4096
_IN_PATHS: Final = "/%?&=+-._~!$'()*,;:@"
_LIVES_S: Final = 24 * 3600
_SIGNED_S: Final = 12 * 3600
_MOST: Final = 1000
_LEASE_MS: Final = 60_000
"""How long a claim keeps other servers away: `_PERSON_S`, and longer than one notice may take."""
_TEREDO: Final = ipaddress.IPv6Network("2001::/32")
_LAST_32_BITS: Final = tuple(
    map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96"))
)
"""Networks whose addresses end in an IPv4 address: NAT64, and obsolete forms."""
_NO_CONTACT: Final = "mailto:nobody@example.org"
"""Push services require a contact, if the operator has set none (`contact`)."""
_GONE: Final = (404, 410)

MayReach: TypeAlias = Callable[[str], bool]
Delivery: TypeAlias = Literal["sent", "gone", "failed"]


class _Claim(NamedTuple):
    """A notice that this server may send, if it begins in time."""

    number: int
    notice: Notice
    begin_by: float


def is_installed() -> bool:
    """Whether the libraries of the extra `push` are installed."""
    return all(find_spec(name) is not None for name in ("pywebpush", "cryptography"))


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet, and not to our own network.

    >>> [is_public(each) for each in ("1.1.1.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.8")]
    [True, False, False, False, False]
    >>> [is_public(each) for each in ("64:ff9b::7f00:1", "2002:a00:1::", "64:ff9b::101:101")]
    [False, False, True]
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found in _TEREDO:
            return False
        inner = _inner_address(found)
        found = found if inner is None else inner
    return found.is_global and not found.is_multicast


def _inner_address(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for: mapped, compatible, 6to4 or NAT64."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if any(address in network for network in _LAST_32_BITS):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _is_due(table: Table, notice: Notice) -> bool:
    """Whether the table still waits for this person, and they are not there."""
    if notice.kind in ("found", "challenge", "rematch"):
        return table.phase == "open" and not table.seats_of(notice.person)
    if notice.kind == "accepted":
        return table.phase in ("open", "opening") and not _is_there(table, notice.person)
    if notice.kind != "turn":
        return True
    away = [seat for seat in table.seats_of(notice.person) if seat not in table.present]
    return any((turn := table.turn_of(seat)) is not None and turn[0] == notice.decision for seat in away)


def _is_there(table: Table, person: str) -> bool:
    return any(seat in table.present for seat in table.seats_of(person))


class PushSender:
    """Delivers notices by web push, signed with the server's VAPID key."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        metrics: Metrics,
        *,
        contact: str = "",
        webhooks: Webhooks | None = None,
        reach: MayReach = is_public,
        tls: ssl.SSLContext | None = None,
        any_port: bool = False,
        seconds: float = SEND_S,
    ) -> None:
        self._store = store
        self._node = secrets.token_hex(8)
        self._tables = tables
        self._metrics = metrics
        self._contact = contact
        self._webhooks = webhooks
        """None if the operator has not switched them on."""
        self._reach = reach
        self._tls = tls
        self._any_port = any_port
        self._seconds = seconds
        self._check_resolver = Resolver()
        self._delivery_resolver = Resolver()
        """Its own: however many subscriptions are being checked, notices are delivered."""
        self._busy: dict[str, asyncio.Task[int]] = {}
        """The deliveries under way, by person: a slow push service delays only its own people."""
        self._claimed: dict[str, list[_Claim]] = {}
        """Notices that this server has claimed but not begun, by person."""
        self._failures: dict[str, int] = {}
        """The number of notices in a row that no push service took, by person."""
        self._backoff = tables.backoff
        self._closing = False
        self._signer: Any = None
        self._task: asyncio.Task[None] | None = None

    async def key(self) -> str:
        """The public key, as browsers want it; raises `Unsupported` without the libraries."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        signer = await self._vapid()
        point = signer.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    async def check(self, endpoint: str, person: str = "", network: str = "") -> None:
        """Raise `BadMessage` unless messages may be sent to an endpoint; asked by a person in a network."""
        host, port = self._host_and_port(urlsplit(endpoint))
        try:
            async with waiting(), asyncio.timeout(self._seconds):
                found = await self._check_resolver.addresses(host, port, person, network)
        except (OSError, UnicodeError):
            raise BadMessage("the host name of this address cannot be resolved") from None
        if not all(self._reach(address) for address in found):
            raise _not_reachable()

    def _host_and_port(self, parts: SplitResult) -> tuple[str, int]:
        """Where an endpoint leads; raises `BadMessage` if no message may be sent there."""
        try:
            port = parts.port or PUSH_PORT
        except ValueError:
            raise _not_reachable() from None
        if parts.scheme != "https" or not parts.hostname or parts.username is not None:
            raise _not_reachable()
        if port != PUSH_PORT and not self._any_port:
            raise _not_reachable()
        return parts.hostname, port

    # --- delivery -------------------------------------------------------------------------------------

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="push")

    async def close(self) -> None:
        self._closing = True
        if self._task is not None:
            self._task.cancel()
        running = [*self._busy.values(), *([self._task] if self._task is not None else [])]
        if running:
            _, late = await asyncio.wait(running, timeout=_FINISH_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            with self._backoff.attempt(_DELIVERY):  # notices stay in the outbox
                await self._start_due()
            await asyncio.sleep(max(_EVERY_S, self._backoff.wait_s(_DELIVERY)))

    async def deliver(self) -> int:
        """Deliver the notices in the outbox; returns how many messages were sent."""
        sent = 0
        while tasks := await self._start_due():
            sent += sum(await asyncio.gather(*tasks))
        return sent

    async def _start_due(self) -> list[asyncio.Task[int]]:
        """Start to deliver to every person with notices to whom nothing is being sent yet."""
        begin_by = time.monotonic() + _PERSON_S
        for number, notice in await self._store.claim_notices(self._node, now(), _LEASE_MS, _MOST):
            if self._webhooks is not None:
                await self._webhooks.queue(notice)
            self._claimed.setdefault(notice.person, []).append(_Claim(number, notice, begin_by))
        started = []
        for person in [each for each in self._claimed if each not in self._busy]:
            if len(self._busy) >= _PEOPLE:
                break
            task = asyncio.create_task(self._deliver_all(person, self._claimed.pop(person)), name="push")
            self._busy[person] = task
            task.add_done_callback(lambda _, person=person: self._busy.pop(person, None))  # type: ignore[misc]  # bound here
            started.append(task)
        return started

    async def _deliver_all(self, person: str, claims: list[_Claim]) -> int:
        """Deliver the notices of one person in order; those that are late, or that no service takes, stay
        in the outbox and are claimed again later. A notice that fails delays no other, and is given up after
        `_TRIES` times."""
        sent = 0
        for place, claim in enumerate(claims):
            if self._closing or time.monotonic() > claim.begin_by:
                break
            key = str(claim.number)
            if not self._backoff.is_due(_NOTICE, key):
                continue
            try:
                results = await self._deliver_one(claim.notice)
            except (Exception, asyncio.CancelledError) as error:
                if is_cancelled(error):
                    raise
                if is_outage(error):
                    break
                self._backoff.note_failure(_NOTICE, key, error)
                is_refused = isinstance(error, FacedownError) and not isinstance(error, StoreFault)
                if not is_refused and self._backoff.failures(_NOTICE, key) < _TRIES:
                    continue
                results = []
            self._backoff.note_success(_NOTICE, key)
            if "failed" in results and "sent" not in results:
                await self._count_failure(person, claims[place:])
                break
            sent += results.count("sent")
            self._failures.pop(person, None)
            await self._delete([claim])
        return sent

    async def _count_failure(self, person: str, left: list[_Claim]) -> None:
        """No push service took the first of these: they are tried again, up to `_TRIES` times."""
        tries = self._failures.pop(person, 0) + 1
        if tries < _TRIES:
            self._failures[person] = tries
        else:
            await self._delete(left)

    async def _delete(self, claims: list[_Claim]) -> None:
        with self._backoff.attempt("outbox"):
            await self._store.delete_notices([claim.number for claim in claims])

    async def _deliver_one(self, notice: Notice) -> list[Delivery]:
        """Send a notice to all browsers of a person, or to a webhook, if it is still due."""
        if notice.person.startswith(WEBHOOK_PREFIX):
            return await self._deliver_to_webhook(notice)
        where = await self._store.subscriptions(notice.person)
        if not where or not is_installed():
            return []
        table = await self._table(notice)
        if not _is_due(table, notice) or await self._sees_offer(table, notice):
            return []
        game = registry.get(table.setup.game)
        # English fallbacks: a browser has its own words for these, in its person's language.
        words = {
            "title": str(game.meta.title),
            "body": str(message(f"notice.{notice.kind}")),
            "game": game.name,
        }
        payload = {"kind": notice.kind, "table": notice.table, "decision": notice.decision, **words}
        body = msgspec.json.encode(payload)
        return await asyncio.gather(*(self._send(notice.person, each, body) for each in where))

    async def _table(self, notice: Notice) -> Table:
        """The table of a notice as it is in the store."""
        table = await self._tables.get(notice.table)
        await table.hints.refresh_from_store()
        await table.settle()
        return table

    async def _deliver_to_webhook(self, notice: Notice) -> list[Delivery]:
        """Send a notice to a webhook, if it is still due for one of those whom it concerns."""
        if self._webhooks is None or (webhook := await self._webhooks.of_notice(notice)) is None:
            return []
        table = await self._table(notice)
        people = {person for _, person, _ in table.seated()} if webhook.table else {webhook.person}
        if not any(_is_due(table, replace(notice, person=each)) for each in people):
            return []
        body = self._webhooks.message(webhook, notice, table)
        headers = signed_headers(webhook.secret, message_id(notice), int(time.time()), body)
        result = await self._post(webhook.endpoint, headers, body, webhook.person)
        if result == "gone":
            await self._webhooks.drop(webhook.person, webhook.id)
        return [result]

    async def _sees_offer(self, table: Table, notice: Notice) -> bool:
        """Whether this is a rematch of a person who is still at the table of the game before it."""
        before = table.setup.series.previous if notice.kind == "rematch" else None
        return before is not None and _is_there(await self._tables.get(before), notice.person)

    async def _send(self, person: str, where: Subscription, body: bytes) -> Delivery:
        sealed = await asyncio.to_thread(self._encrypt, await self._vapid(), where, body)
        result: Delivery = "gone" if sealed is None else await self._post(where.endpoint, *sealed, person)
        if result == "gone":
            await self._store.unsubscribe(person, where.endpoint)
        return result

    async def _post(self, endpoint: str, headers: dict[str, str], body: bytes, person: str) -> Delivery:
        """Post a message, and say what became of it."""
        result: Delivery = "failed"
        try:
            status = await self.post(endpoint, headers, body, person)
            result = "sent" if 200 <= status < 300 else "gone" if status in _GONE else "failed"
        except BadMessage:
            result = "gone"
        except (OSError, ValueError):  # a timeout is one of them, and a name that cannot be resolved now
            result = "failed"
        self._metrics.pushes.labels(result).inc()
        return result

    def _encrypt(self, signer: Any, where: Subscription, body: bytes) -> tuple[dict[str, str], bytes] | None:
        """Headers and the encrypted body; None if the keys cannot be used. Runs in a worker thread."""
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
            return None
        headers = {
            **signer.sign(claims),
            "TTL": str(_LIVES_S),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }
        return headers, sealed

    async def post(self, endpoint: str, headers: dict[str, str], body: bytes, person: str = "") -> int:
        """Post a message for a person, and return the status of the answer; follows no redirect.

        Raises `BadMessage` if the name leads into our own network by now.
        """
        parts = urlsplit(endpoint)
        host, port = self._host_and_port(parts)
        async with asyncio.timeout(self._seconds):
            found = await self._delivery_resolver.addresses(host, port, person)
            if not all(self._reach(address) for address in found):
                raise _not_reachable()
            address = found[0]
            reader, writer = await asyncio.open_connection(
                address, port, ssl=self._tls_context(), server_hostname=host, limit=_MOST_LINE
            )
            try:
                writer.write(_request(parts, headers, body))
                await writer.drain()
                return _status_of(await reader.readline())
            finally:
                writer.transport.abort()

    def _tls_context(self) -> ssl.SSLContext:
        """Made on first use: reading the system's certificates takes longer than opening the store."""
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls

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
                kept = await self._store.set_value_once(_KEY, signer.private_pem())
            self._signer = Vapid.from_pem(kept)
        return self._signer


def _not_reachable() -> BadMessage:
    return BadMessage("messages are sent only by https, to a public address, at port 443")


def _request(parts: SplitResult, headers: dict[str, str], body: bytes) -> bytes:
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    sent = {"Host": parts.netloc, **headers, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [
        f"POST {quote(path, safe=_IN_PATHS)} HTTP/1.1",
        *(f"{name}: {value}" for name, value in sent.items()),
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


def _status_of(line: bytes) -> int:
    """The status in the first line of an answer; raises `ValueError` if there is none."""
    version, _, rest = line.partition(b" ")
    if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
        raise ValueError("no answer of HTTP")
    return int(rest[:3])
