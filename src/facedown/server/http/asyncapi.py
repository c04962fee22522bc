"""The AsyncAPI 3 description of the WebSocket, built from the types of its messages."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from facedown.protocol import messages
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, components, summary_of, tag_of
from facedown.version import __version__

PATH: Final = "/ws/v1/{table}"
"""The address of the WebSocket; `/ws/v1` alone serves every table as well."""
SOCKET: Final = """\
Text frames of JSON, at most 4 KiB from clients. The first frame is `hello`, within 5 seconds; the answer is
`welcome`, then missed events (if `v` was given), then one `snap`. A `cmd` is answered by `ack` after the
durable write, or by `nak`; repeat it with the same id until it is answered. A `ping` whose `v` is larger than
the client's own shows a gap: connect again with the client's `v`. `bye` comes before the server closes."""

_SCHEMA: Final = "#/components/schemas/{name}"
_TABLE: Final = """The id of the table that `hello` names. A proxy before several servers may go by it, so
that the seats of a table meet at one of them; `/ws/v1` without it serves every table as well."""
_ANSWERS: Final[dict[type[msgspec.Struct], tuple[type[msgspec.Struct], ...]]] = {
    messages.Hello: (messages.Welcome, messages.Bye),
    messages.Cmd: (messages.Ack, messages.Nak),
    messages.Take: (messages.Role,),
}
"""The answers to messages of a client."""


def socket_document() -> dict[str, Any]:
    """The AsyncAPI document of the server's WebSocket."""
    everything = (*CLIENT_MESSAGES, *SERVER_MESSAGES)
    _, schemas = components(everything, _SCHEMA)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Facedown's WebSocket",
            "version": __version__,
            "description": SOCKET,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"here": _SERVER},
        "channels": {
            "table": {
                "address": PATH,
                "title": "One table, from one seat or as a spectator",
                "parameters": {"table": {"description": _TABLE}},
                "description": f"Offer and expect the subprotocol `{messages.SUBPROTOCOL}`.",
                "servers": [{"$ref": "#/servers/here"}],
                "messages": {
                    tag_of(each): {"$ref": f"#/components/messages/{tag_of(each)}"} for each in everything
                },
                "bindings": {"ws": {"method": "GET", "headers": _HEADERS, "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{f"receive_{tag_of(each)}": _operation("receive", each) for each in CLIENT_MESSAGES},
            **{f"send_{tag_of(each)}": _operation("send", each) for each in SERVER_MESSAGES},
        },
        "components": {"messages": {tag_of(each): _message(each) for each in everything}, "schemas": schemas},
    }


_SERVER: Final[dict[str, Any]] = {
    "host": "{host}",
    "protocol": "ws",
    "description": "A server of Facedown; `wss` where it is reached by https.",
    "variables": {"host": {"default": "127.0.0.1:8765", "description": "as `facedown serve` prints it"}},
}
_HEADERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "Sec-WebSocket-Protocol": {"type": "string", "const": messages.SUBPROTOCOL},
        "Authorization": {
            "type": "string",
            "description": "`Bearer` and the token of a program's session; for spectators who want a name",
        },
    },
    "required": ["Sec-WebSocket-Protocol"],
}


def _operation(action: str, message: type[msgspec.Struct]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "action": action,
        "channel": {"$ref": "#/channels/table"},
        "summary": summary_of(message),
        "messages": [_in_channel(message)],
    }
    if answers := _ANSWERS.get(message):
        operation["reply"] = {
            "channel": {"$ref": "#/channels/table"},
            "messages": [_in_channel(each) for each in answers],
        }
    return operation


def _in_channel(message: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": f"#/channels/table/messages/{tag_of(message)}"}


def _message(message: type[msgspec.Struct]) -> dict[str, Any]:
    return {
        "name": tag_of(message),
        "title": message.__name__,
        "summary": summary_of(message),
        "payload": {"$ref": _SCHEMA.format(name=message.__name__)},
    }
