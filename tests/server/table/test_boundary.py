"""The state of a table, which holds the seed and the sealed picks, does not leave its package."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

import facedown
from facedown.core.text.translation import Message
from facedown.server.table.state import SeatPlace, TableState
from facedown.server.table.table import Table

SOURCE = Path(facedown.__file__).parent
PACKAGE = SOURCE / "server" / "table"
SECRET_MODULES = frozenset(
    f"facedown.server.table.{name}"
    for name in ("state", "transaction", "commands", "snapshot", "updates", "inbox", "seating")
)
SECRET_NAMES = frozenset({"TableState", "SeatPlace", "Transaction", "fold_rows", "TableSecret", "PickSecret"})


def outside() -> Iterator[Path]:
    """All modules but those of the package."""
    return (path for path in SOURCE.rglob("*.py") if PACKAGE not in path.parents)


def reaches(tree: ast.AST) -> Iterator[str]:
    """What a module reaches for that only the table package may touch."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("facedown.server.table"):
            if node.module in SECRET_MODULES:
                yield f"{node.lineno}: imports {node.module}"
            for each in node.names:
                if each.name in SECRET_NAMES or f"{node.module}.{each.name}" in SECRET_MODULES:
                    yield f"{node.lineno}: imports {each.name}"
        elif isinstance(node, ast.Import):
            yield from (
                f"{node.lineno}: imports {each.name}" for each in node.names if each.name in SECRET_MODULES
            )
        elif isinstance(node, ast.Attribute) and node.attr in ("_state", "table_state"):
            owner = node.value
            if not (isinstance(owner, ast.Name) and owner.id == "self"):
                yield f"{node.lineno}: reads .{node.attr}"


def test_no_module_outside_reaches_for_the_state() -> None:
    found = {
        str(path.relative_to(SOURCE)): list(reaches(ast.parse(path.read_text(encoding="utf-8"))))
        for path in outside()
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "code",
    [
        "from facedown.server.table.state import TableState",
        "from facedown.server.table.state import fold_rows",
        "from facedown.server.table import state",
        "import facedown.server.table.state",
        "async def look(table): return table._state.seed",
        "async def look(table): return table.inbox.table_state.seed",
    ],
)
def test_the_scan_finds_what_it_looks_for(code: str) -> None:
    assert list(reaches(ast.parse(code)))


def test_nothing_public_on_a_table_hands_the_state_out() -> None:
    members = [member for name, member in inspect.getmembers(Table) if not name.startswith("_")]
    assert members
    for member in members:
        function = member.fget if isinstance(member, property) else member
        returned = typing.get_type_hints(function, localns={"Message": Message}).get("return")
        assert returned not in (TableState, SeatPlace), function
        assert not {TableState, SeatPlace} & set(typing.get_args(returned)), function
