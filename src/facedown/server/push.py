"""Web push notifications for people who are away, sent from the store's outbox, which several servers share.

A notice stays in the outbox until it is delivered or given up. If a server dies while it sends one, another
sends it again, and the browser replaces the first. Optional: needs the extra `push`. Endpoints come from
clients: only the push services of browsers are reached, over https.
"""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
import time
from importlib.util import find_spec
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import SplitResult, quote, urlsplit

import msgspec

from facedown.core import registry
from facedown.core.errors import FacedownError, missing_extra
from facedown.protocol.errors import BadMessage
from facedown.server import message
from facedown.server.clock import now
from facedown.server.ops.backoff import is_outage
from facedown.server.ops.metrics import Metrics
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFault, is_cancelled
from facedown.server.store.values import Notice, Subscription
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
_PORT: Final = 443
PUSH_SERVICES: Final = re.compile(
    r"fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com"
    r"|[a-z0-9-]+\.notify\.windows\.com"
)
"""The hosts of the browsers' push services: Google's, Mozilla's, Apple's and Microsoft's."""
_MOST_LINE: Final = 4096
_IN_PATHS: Final = "/%?&=+-._~!$'()*,;:@"
_LIVES_S: Final = 24 * 3600
_SIGNED_S: Final = 12 * 3600
_MOST: Final = 1000
_LEASE_MS: Final = 60_000
"""How long a claim keeps other servers away: `_PERSON_S`, and longer than one notice may take."""
_NO_CONTACT: Final = "mailto:nobody@example.org"
"""Push services require a contact, if the operator has set none (`contact`)."""
_GONE: Final = (404, 410)

Delivery: TypeAlias = Literal["sent", "gone", "failed"]


class _Claim(NamedTuple):
    """A notice that this server may send, if it begins in time."""

    number: int
    notice: Notice
    begin_by: float


def is_installed() -> bool:
    """Whether the libraries of the extra `push` are installed."""
    return all(find_spec(name) is not None for name in ("cryptography", "http_ece", "py_vapid"))


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
        services: re.Pattern[str] = PUSH_SERVICES,
        tls: ssl.SSLContext | None = None,
        seconds: float = SEND_S,
    ) -> None:
        """`services` are the hosts that may be reached; `tls` replaces the certificates of the system."""
        self._store = store
        self._tables = tables
        self._metrics = metrics
        self._contact = contact
        self._services = services
        self._tls = tls
        self._seconds = seconds
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

    def checked(self, endpoint: str) -> SplitResult:
        """The parts of an endpoint; raises `BadMessage` unless it belongs to a push service."""
        parts = urlsplit(endpoint)
        host = parts.netloc.removesuffix(f":{_PORT}")
        if parts.scheme != "https" or not self._services.fullmatch(host):
            raise BadMessage("notifications are sent only to the push services of browsers, over https")
        return parts

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
        for number, notice in await self._store.claim_notices(now(), _LEASE_MS, _MOST):
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
        """Send a notice to all browsers of a person, if it is still due."""
        where = await self._store.subscriptions(notice.person)
        if not where or not is_installed():
            return []
        # English fallbacks: a browser has its own words for these, in its person's language.
        payload: dict[str, object] = {"kind": notice.kind, "body": str(message(f"notice.{notice.kind}"))}
        if notice.kind != "code_used":
            table = await self._tables.get(notice.table)
            await table.hints.refresh_from_store()
            await table.settle()
            if not _is_due(table, notice) or await self._sees_offer(table, notice):
                return []
            game = registry.get(table.setup.game)
            of_table = {"table": notice.table, "decision": notice.decision}
            payload |= {"title": str(game.meta.title), "game": game.name, **of_table}
        body = msgspec.json.encode(payload)
        return await asyncio.gather(*(self._send(notice.person, each, body) for each in where))

    async def _sees_offer(self, table: Table, notice: Notice) -> bool:
        """Whether this is a rematch of a person who is still at the table of the game before it."""
        before = table.setup.series.previous if notice.kind == "rematch" else None
        return before is not None and _is_there(await self._tables.get(before), notice.person)

    async def _send(self, person: str, where: Subscription, body: bytes) -> Delivery:
        sealed = await asyncio.to_thread(self._encrypt, await self._vapid(), where, body)
        result: Delivery = "gone" if sealed is None else await self._post(where.endpoint, *sealed)
        if result == "gone":
            await self._store.unsubscribe(person, where.endpoint)
        return result

    async def _post(self, endpoint: str, headers: dict[str, str], body: bytes) -> Delivery:
        """Post a message, and say what became of it."""
        result: Delivery = "failed"
        try:
            status = await self.post(endpoint, headers, body)
            result = "sent" if 200 <= status < 300 else "gone" if status in _GONE else "failed"
        except BadMessage:
            result = "gone"
        except (OSError, ValueError):  # a timeout is one of them, and a name that cannot be resolved now
            result = "failed"
        self._metrics.pushes.labels(result).inc()
        return result

    def _encrypt(self, signer: Any, where: Subscription, body: bytes) -> tuple[dict[str, str], bytes] | None:
        """Headers and the encrypted body; None if the keys cannot be used. Runs in a worker thread."""
        import http_ece  # type: ignore[import-untyped]  # has no types
        from cryptography.hazmat.primitives.asymmetric import ec

        claims = {
            "aud": f"https://{urlsplit(where.endpoint).netloc}",
            "sub": self._contact or _NO_CONTACT,
            "exp": int(time.time()) + _SIGNED_S,
        }
        try:
            sealed = http_ece.encrypt(
                body,
                private_key=ec.generate_private_key(ec.SECP256R1()),
                dh=_from_base64(where.p256dh),
                auth_secret=_from_base64(where.auth),
            )
        except Exception:  # the keys come from a client, and the library raises anything for bad ones
            return None
        headers = {
            **signer.sign(claims),
            "TTL": str(_LIVES_S),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }
        return headers, sealed

    async def post(self, endpoint: str, headers: dict[str, str], body: bytes) -> int:
        """Post a message to a push service, and return the status of the answer; follows no redirect."""
        parts = self.checked(endpoint)
        async with asyncio.timeout(self._seconds):
            reader, writer = await asyncio.open_connection(
                parts.hostname, parts.port or _PORT, ssl=self._tls_context(), limit=_MOST_LINE
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
            from py_vapid import Vapid  # type: ignore[import-untyped]  # has no types

            kept = await self._store.get_value(_KEY)
            if kept is None:
                signer = Vapid()
                signer.generate_keys()
                kept = await self._store.set_value_once(_KEY, signer.private_pem())
            self._signer = Vapid.from_pem(kept)
        return self._signer


def _from_base64(key: str) -> bytes:
    """A key of a browser's subscription, whose padding is left out."""
    return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))


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
