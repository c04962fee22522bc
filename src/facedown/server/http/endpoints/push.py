"""Web push subscriptions of browsers."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from facedown.core.errors import Unsupported
from facedown.protocol.accounts import PushKey, PushSubscription
from facedown.protocol.errors import TooMany
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint, json_response
from facedown.server.store.base import StoreFailed
from facedown.server.store.values import Subscription

_TAG: Final = "people"


async def _key(call: Call[None, None]) -> PushKey:
    return PushKey(await call.services.push.key())


async def _subscribe(call: Call[PushSubscription, None]) -> Response:
    call.services.limits.new_guest(call.address)  # the server resolves a host name that the client chose
    await call.services.push.key()
    await call.services.push.check(call.body.endpoint)
    keys = call.body.keys
    where = Subscription(call.body.endpoint, keys.p256dh, keys.auth)
    await call.services.store.subscribe(call.require_session().id, where)
    return json_response(None)


async def _unsubscribe(call: Call[None, None]) -> Response:
    await call.services.store.unsubscribe(call.require_session().id)
    return json_response(None)


_WHERE: Final = "/api/v1/push/subscription"
ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/push/key",
        "The server's public key (VAPID), with which browsers subscribe.",
        _key,
        PushKey,
        refuses=(Unsupported,),
        tag=_TAG,
    ),
    Endpoint(
        "PUT",
        _WHERE,
        "Subscribe a browser: it is notified of the caller's turns while the caller is away.",
        _subscribe,
        None,
        204,
        PushSubscription,
        needs="session",
        refuses=(Unsupported, TooMany, StoreFailed),
        tag=_TAG,
    ),
    Endpoint(
        "DELETE",
        _WHERE,
        "Unsubscribe all browsers of the caller.",
        _unsubscribe,
        None,
        204,
        needs="session",
        refuses=(StoreFailed,),
        tag=_TAG,
    ),
)
