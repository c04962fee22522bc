"""Webhooks: addresses of people's own programs that receive notices, signed as Standard Webhooks says.

They go through the outbox of push notifications: a notice is queued once for each webhook that it is meant
for, and `PushSender` claims, sends and repeats it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

import msgspec

from facedown.core.errors import NotNow
from facedown.protocol.errors import BadMessage, NotFound, NotYours
from facedown.protocol.friends import MadeWebhook, WebhookInfo, WebhookMessage
from facedown.server import clock
from facedown.server.ids import new_id
from facedown.server.store.base import Store
from facedown.server.store.contacts import StoredWebhook
from facedown.server.store.values import WEBHOOK_PREFIX, Notice
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

MOST: Final = 5
_SECRET: Final = "whsec_"
_BYTES: Final = 32


class Webhooks:
    """The webhooks of one store."""

    def __init__(self, store: Store, tables: Tables, home: str) -> None:
        """`home` is the address of this server in links."""
        self._store = store
        self._rows = store.contacts
        self._tables = tables
        self._home = home

    # --- their owners -----------------------------------------------------------------------------------

    async def add(self, person: str, endpoint: str, table: str) -> MadeWebhook:
        """A new webhook of a kept account; its endpoint was checked."""
        if await self._store.accounts.account(person) is None:
            raise NotNow("webhooks belong to kept accounts: choose a handle first")
        if not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
            raise BadMessage("the address has letters that no address has: write them as %…")
        if table and not (await self._tables.get(table)).host_is(person):
            raise NotYours("only the person who set up a table gives it a webhook")
        secret = f"{_SECRET}{base64.b64encode(secrets.token_bytes(_BYTES)).decode()}"
        row = StoredWebhook(new_id(), person, table, endpoint, secret, clock.now())
        if not await self._rows.add_webhook(row, MOST):
            raise NotNow(f"an account has {MOST} webhooks at most: delete one that is not used")
        return MadeWebhook(webhook_info(row), secret)

    async def of(self, person: str) -> tuple[WebhookInfo, ...]:
        return tuple(map(webhook_info, await self._rows.webhooks(person)))

    async def drop(self, person: str, webhook: str) -> None:
        if not await self._rows.drop_webhook(person, webhook):
            raise NotFound("there is no such webhook, or it was deleted")

    # --- delivery ---------------------------------------------------------------------------------------

    async def queue(self, notice: Notice) -> None:
        """Queue a notice of a person for every webhook that it is meant for."""
        if not notice.person.startswith(WEBHOOK_PREFIX):
            await self._rows.queue_for_webhooks(notice)

    async def of_notice(self, notice: Notice) -> StoredWebhook | None:
        """The webhook that a queued notice is for; None if it was deleted."""
        return await self._rows.webhook(notice.person.removeprefix(WEBHOOK_PREFIX))

    def message(self, webhook: StoredWebhook, notice: Notice, table: Table) -> bytes:
        """The body for a notice about a table: names if the owner plays or has set it up, never picks."""
        may_name = table.seats_of(webhook.person) or table.host_is(webhook.person)
        seats = table.seated() if may_name else []
        return msgspec.json.encode(
            WebhookMessage(
                id=message_id(notice),
                kind=notice.kind,  # type: ignore[arg-type]  # the store has only these
                at=clock.now(),
                table=table.id,
                link=f"{self._home}/t/{table.id}",
                game=table.setup.game,
                decision=notice.decision,
                names=tuple(name for _, _, name in seats),
                waits_for=tuple(name for seat, _, name in seats if table.turn_of(seat) is not None),
            )
        )


def webhook_info(webhook: StoredWebhook) -> WebhookInfo:
    """A webhook as its owner sees it."""
    return WebhookInfo(webhook.id, webhook.endpoint, webhook.table, webhook.at)


def message_id(notice: Notice) -> str:
    """The id of a message: the same when it is sent again."""
    named = f"{notice.person} {notice.table} {notice.decision} {notice.kind}"
    return f"msg_{hashlib.sha256(named.encode()).hexdigest()[:26]}"


def signed_headers(secret: str, name: str, at: int, body: bytes) -> dict[str, str]:
    """The headers of a message at a time in seconds: its id, the time, and their signature with the body.

    >>> signed_headers("whsec_a2V5", "msg_1", 1, b"{}")["webhook-signature"]
    'v1,jKGHVBDuJf5ZbCMVrrutoMHDN1OlFFCE9iogVIO9MLQ='
    """
    key = base64.b64decode(secret.removeprefix(_SECRET))
    signature = hmac.digest(key, f"{name}.{at}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }
