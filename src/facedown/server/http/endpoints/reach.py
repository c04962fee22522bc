"""Who can open this server: the door to the home network, for the browser of whoever started it."""

from __future__ import annotations

from typing import Any, Final

from facedown.protocol.errors import NoNetwork, NotYours
from facedown.protocol.rest import Reach, SetDoor
from facedown.server.http.endpoint import Call, Endpoints

ENDPOINTS: Final = Endpoints("operators")
_REACH: Final = "/api/v1/reach"


@ENDPOINTS.get(_REACH)
async def reach(call: Call[None, None]) -> Reach:
    """Who can open the links of this server. Only a browser on the server's own computer is told more."""
    return _reach(call)


@ENDPOINTS.put(_REACH, needs="session", refuses=(NotYours, NoNetwork))
async def set_reach(call: Call[SetDoor, None]) -> Reach:
    """Open or close the door to the home network. For a browser on the server's own computer."""
    door = call.services.door
    if not (door.offered and call.from_this_computer):
        raise NotYours("only a browser on the computer that runs ./facedown may do this")
    if call.body.door == "closed":
        await door.close()
    elif not await door.open():
        raise NoNetwork("this computer is in no network, or its address there cannot be listened on")
    return _reach(call)


def _reach(call: Call[Any, None]) -> Reach:
    door = call.services.door
    if not call.from_this_computer:
        return Reach("none")
    if door.address:
        return Reach("open", door.address, door.name_address)
    return Reach("closed" if door.offered else "none")
