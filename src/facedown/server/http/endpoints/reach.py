"""Who can open this server: the door to the home network, for the browser of whoever started it."""

from __future__ import annotations

from typing import Any, Final

from facedown.protocol.errors import NoNetwork, NotYours
from facedown.protocol.rest import Reach, SetDoor
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint

_TAG: Final = "operators"


async def _look(call: Call[Any, None]) -> Reach:
    door = call.services.home
    if not call.from_this_computer:
        return Reach("none")
    if door.address:
        return Reach("open", door.address, door.name_address)
    return Reach("closed" if door.offered else "none")


async def _set(call: Call[SetDoor, None]) -> Reach:
    door = call.services.home
    if not (door.offered and call.from_this_computer):
        raise NotYours("only a browser on the computer that runs ./facedown may do this")
    if call.body.door == "closed":
        await door.close()
    elif not await door.open():
        raise NoNetwork("this computer is in no network, or its address there cannot be listened on")
    return await _look(call)


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/reach",
        "Who can open the links of this server. Only a browser on the server's own computer is told more.",
        _look,
        Reach,
        tag=_TAG,
    ),
    Endpoint(
        "PUT",
        "/api/v1/reach",
        "Open or close the door to the home network. For a browser on the server's own computer.",
        _set,
        Reach,
        body=SetDoor,
        needs="session",
        refuses=(NotYours, NoNetwork),
        tag=_TAG,
    ),
)
