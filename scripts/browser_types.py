"""The wire protocol as TypeScript declarations, for the checks of the browser's code; made from the schemas.

python scripts/browser_types.py             write src/facedown/web/app/net/protocol.d.ts
python scripts/browser_types.py --check     fail where it is stale
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from types import ModuleType
from typing import Any, Final, get_args

import msgspec

from facedown.protocol import accounts, messages, rest, views

FILE: Final = Path(__file__).parents[1] / "src/facedown/web/app/net/protocol.d.ts"
UNIONS: Final = {
    "ClientMessage": messages.ClientMessage,
    "ServerMessage": messages.ServerMessage,
    "SeatOrder": rest.SeatOrder,
}
HEADER: Final = """\
// Types of the WebSocket messages and the REST API, as JSON brings them: for the type checker, not for pages.
// Generated from facedown.protocol by scripts/browser_types.py; do not edit.
"""
_WIDTH: Final = 120
_SIMPLE: Final = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}


def declarations() -> str:
    """The whole file."""
    kinds = [kind for module in (messages, views, accounts, rest) for kind in structs(module)]
    _, components = msgspec.json.schema_components(kinds, ref_template="{name}")
    parts = [HEADER]
    parts += ["\n".join(interface(name, schema)) for name, schema in sorted(components.items())]
    for name, union in UNIONS.items():
        parts.append(f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(union))};")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def structs(module: ModuleType) -> Iterator[type[msgspec.Struct]]:
    """The public structs that a module defines."""
    for name, kind in vars(module).items():
        if name.startswith("_") or not isinstance(kind, type):
            continue
        if issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__:
            yield kind


def interface(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """The declaration of one struct; what may be left out is optional."""
    yield from comment(schema.get("description", ""), "")
    fields = schema.get("properties", {})
    if not fields:
        yield f"export type {name} = Record<string, never>;"
        return
    yield f"export interface {name} {{"
    required = schema.get("required", ())
    for field, part in fields.items():
        yield from comment(part.get("description", ""), "  ")
        yield f"  {field}{'' if field in required else '?'}: {typed(part)};"
    yield "}"


def comment(text: str, indent: str) -> Iterator[str]:
    """A documentation comment."""
    lines = wrap(" ".join(text.split()), _WIDTH - len(indent) - 7)
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
    elif lines:
        yield f"{indent}/**"
        yield from (f"{indent} * {line}" for line in lines)
        yield f"{indent} */"


def typed(schema: dict[str, Any]) -> str:
    """The TypeScript type of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typed(each) for each in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        return listed(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {typed(values) if values else 'any'}>"
    return _SIMPLE[kind] if kind else "any"


def listed(schema: dict[str, Any]) -> str:
    """The type of a list."""
    items = schema.get("items")
    inner = typed(items) if items else "any"
    return f"({inner})[]" if " " in inner else f"{inner}[]"


def main() -> int:
    """Write the file, or say whether it is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail where the file is stale")
    text = declarations()
    if parser.parse_args().check:
        stale = FILE.read_text(encoding="utf-8") != text
        print(f"{FILE} is {'stale' if stale else 'up to date'}")
        return int(stale)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
