"""The AsyncAPI 3 description of the WebSocket and the streams of lines, built from their types."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from facedown.protocol import messages, rest
from facedown.protocol.friends import WebhookMessage
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, components, summary_of, tag_of
from facedown.protocol.tournaments import TournamentUpdate
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


_TURNS: Final = (rest.StreamTurn, rest.StreamOver, rest.StreamIdle)
_PERSON: Final = (
    *(rest.StreamState, rest.EventGame, rest.EventTurn, rest.EventOver),
    *(rest.EventChallenge, rest.EventChallengeOver, rest.EventEnd),
)
STREAMED: Final = (*_TURNS, *_PERSON, TournamentUpdate, WebhookMessage)
"""The lines of streams, and what webhooks receive."""
_STREAMS: Final[dict[str, tuple[str, str, tuple[type[msgspec.Struct], ...]]]] = {
    "turns": ("/api/v1/stream", "The turns and ends of the caller's games", _TURNS),
    "events": (
        "/api/v1/stream/events",
        "Everything that concerns the caller, with a version on each line; `since` goes on after one",
        _PERSON,
    ),
    "standings": (
        "/api/v1/tournaments/{tournament}/events",
        "Changes of a tournament's standings, the same lines for everyone",
        (TournamentUpdate,),
    ),
}
"""Streams of lines of JSON over HTTP: their address, what they are, and their lines."""


def socket_document() -> dict[str, Any]:
    """The AsyncAPI document of the server's WebSocket and its streams."""
    everything = (*CLIENT_MESSAGES, *SERVER_MESSAGES)
    described = (*everything, *STREAMED)
    _, schemas = components(described, _SCHEMA)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Facedown's WebSocket and streams",
            "version": __version__,
            "description": SOCKET,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"here": _SERVER, "http": {**_SERVER, "protocol": "http"}},
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
            },
            **{name: _stream(*stream) for name, stream in _STREAMS.items()},
            "webhook": _WEBHOOK,
        },
        "operations": {
            **{f"receive_{tag_of(each)}": _operation("receive", each) for each in CLIENT_MESSAGES},
            **{f"send_{tag_of(each)}": _operation("send", each) for each in SERVER_MESSAGES},
            **{f"stream_{name}": _streaming(name, *stream) for name, stream in _STREAMS.items()},
            "post_webhook": _POST_WEBHOOK,
        },
        "components": {
            "messages": {
                **{tag_of(each): _message(each) for each in everything},
                **{each.__name__: _message(each) for each in STREAMED},
            },
            "schemas": schemas,
        },
    }


_SERVER: Final[dict[str, Any]] = {
    "host": "{host}",
    "protocol": "ws",
    "description": "A server of Facedown; `wss` where it is reached by https.",
    "variables": {"host": {"default": "127.0.0.1:8765", "description": "as `facedown serve` prints it"}},
}
_WEBHOOK: Final[dict[str, Any]] = {
    "address": None,
    "title": "A webhook: an address of a person's own program",
    "description": "Added by `POST /api/v1/account/webhooks`, which also gives the secret.",
    "messages": {"WebhookMessage": {"$ref": "#/components/messages/WebhookMessage"}},
}
_POST_WEBHOOK: Final[dict[str, Any]] = {
    "action": "send",
    "channel": {"$ref": "#/channels/webhook"},
    "summary": "A notice, signed as Standard Webhooks says",
    "messages": [{"$ref": "#/channels/webhook/messages/WebhookMessage"}],
    "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
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


def _stream(address: str, title: str, lines: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    channel = {
        "address": address,
        "title": title,
        "description": "Answered with `application/x-ndjson`; an empty line when nothing happens.",
        "servers": [{"$ref": "#/servers/http"}],
        "messages": {each.__name__: {"$ref": f"#/components/messages/{each.__name__}"} for each in lines},
    }
    if "{tournament}" in address:
        channel["parameters"] = {"tournament": {"description": "the id of a tournament"}}
    return channel


def _streaming(name: str, _: str, title: str, lines: tuple[type[msgspec.Struct], ...]) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": title,
        "messages": [{"$ref": f"#/channels/{name}/messages/{each.__name__}"} for each in lines],
        "bindings": {"http": {"method": "GET", "bindingVersion": "0.3.0"}},
    }


def _in_channel(message: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": f"#/channels/table/messages/{tag_of(message)}"}


def _message(message: type[msgspec.Struct]) -> dict[str, Any]:
    return {
        "name": message.__struct_config__.tag or message.__name__,
        "title": message.__name__,
        "summary": summary_of(message),
        "payload": {"$ref": _SCHEMA.format(name=message.__name__)},
    }
