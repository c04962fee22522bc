"""JSON Schema of the protocol: every message and every type of the REST API, for clients in any language.

Made from the declarations; the description of the API (OpenAPI) takes its schemas from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import cleandoc
from types import ModuleType
from typing import Any, Final, get_args

import msgspec

from facedown.protocol import accounts, deltas, handovers, messages, pairing, rest, study
from facedown.version import __version__

CLIENT_MESSAGES: Final[tuple[type[msgspec.Struct], ...]] = get_args(messages.ClientMessage)
"""Messages from clients, each with its tag."""
SERVER_MESSAGES: Final[tuple[type[msgspec.Struct], ...]] = get_args(messages.ServerMessage)
"""Messages from the server, each with its tag."""

_DEFS: Final = "#/$defs/{name}"
_ABOUT: Final = (
    "Everything that Facedown's clients and servers send each other as JSON. A message of the WebSocket is "
    "one of `ClientMessage` or `ServerMessage`; other definitions are bodies and answers of the REST API. "
    "Clients ignore fields and messages that they do not know."
)


def tag_of(message: type[msgspec.Struct]) -> str:
    """The `t` of a message.

    >>> tag_of(messages.Hello)
    'hello'
    """
    return str(message.__struct_config__.tag)


def summary_of(documented: object) -> str:
    """The first paragraph of a docstring, as one line."""
    return cleandoc(documented.__doc__ or "").partition("\n\n")[0].replace("\n", " ")


def structs(module: ModuleType) -> list[type[msgspec.Struct]]:
    """The public structs that a module defines, in their order."""
    return [
        kind
        for name, kind in vars(module).items()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind.__module__ == module.__name__
        and not name.startswith("_")
        and kind is not messages.EventState  # only a part of `Ev`
    ]


def components(kinds: Iterable[Any], template: str) -> tuple[Sequence[dict[str, Any]], dict[str, Any]]:
    """The schemas of these types, and the named ones that they refer to by `template`."""
    schemas, named = msgspec.json.schema_components(list(kinds), ref_template=template)
    prefix = template.format(name="")
    cleaned = {name.removeprefix("_"): _public(part, prefix) for name, part in sorted(named.items())}
    return [_public(each, prefix) for each in schemas], cleaned


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the whole protocol; valid against it is any message of the WebSocket."""
    kinds = [
        kind
        for module in (messages, deltas, rest, accounts, handovers, pairing, study)
        for kind in structs(module)
    ]
    _, defs = components(kinds, _DEFS)
    unions = {"ClientMessage": CLIENT_MESSAGES, "ServerMessage": SERVER_MESSAGES}
    for name, members in unions.items():
        defs[name] = {"oneOf": [{"$ref": _DEFS.format(name=each.__name__)} for each in members]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:facedown:protocol:{messages.SUBPROTOCOL.rpartition('.v')[2]}",
        "title": f"{messages.SUBPROTOCOL}, as Facedown {__version__} speaks it",
        "description": _ABOUT,
        "anyOf": [{"$ref": _DEFS.format(name=name)} for name in unions],
        "$defs": dict(sorted(defs.items())),
    }


def _public(part: Any, prefix: str) -> Any:
    """A schema without the underscore of private class names in its references."""
    if isinstance(part, dict):
        return {name: _public(each, prefix) for name, each in part.items()}
    if isinstance(part, list | tuple):
        return [_public(each, prefix) for each in part]
    return part.replace(f"{prefix}_", prefix) if isinstance(part, str) else part
