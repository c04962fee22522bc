"""Web push subscriptions of browsers."""

from __future__ import annotations

from typing import Final

from facedown.core.errors import Unsupported
from facedown.protocol.accounts import PushKey, PushSubscription
from facedown.protocol.errors import TooMany
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.store.base import StoreFailed, Subscription

ENDPOINTS: Final = Endpoints("people", needs="session")
_SUBSCRIPTION: Final = "/api/v1/push/subscription"


@ENDPOINTS.get("/api/v1/push/key", needs="anyone", refuses=(Unsupported,))
async def push_key(call: Call[None, None]) -> PushKey:
    """The server's public key (VAPID), with which browsers subscribe."""
    return PushKey(await call.services.push.key())


@ENDPOINTS.put(_SUBSCRIPTION, refuses=(Unsupported, TooMany, StoreFailed))
async def subscribe(call: Call[PushSubscription, None]) -> None:
    """Subscribe a browser: it is notified of the caller's turns while the caller is away."""
    call.services.limits.new_guest(call.address)  # the server resolves a host name that the client chose
    await call.services.push.key()
    await call.services.push.check(call.body.endpoint)
    keys = call.body.keys
    where = Subscription(call.body.endpoint, keys.p256dh, keys.auth)
    await call.services.store.subscribe(call.require_session().id, where)


@ENDPOINTS.delete(_SUBSCRIPTION, refuses=(StoreFailed,))
async def unsubscribe(call: Call[None, None]) -> None:
    """Unsubscribe all browsers of the caller."""
    await call.services.store.unsubscribe(call.require_session().id)
