"""Commands of other packages: entry points of the group `facedown.commands`.

An entry point has the name of its command. Its module has `run`, and `OPTIONS` as argparse takes them.
With a `HELP` it is a new command. Without one it adds its options to our command of that name, and runs it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

GROUP: Final = "facedown.commands"


class AddedCommand(NamedTuple):
    """A command of another package."""

    help: str
    """Empty if it only adds options to one of ours."""
    options: tuple[tuple[str, dict[str, Any]], ...]
    module: str


@cache
def added_commands() -> dict[str, AddedCommand]:
    """The commands of other packages by name; one that cannot be imported is left out, with a warning."""
    from importlib import import_module, metadata  # slow to import, and most commands have no other form

    found: dict[str, AddedCommand] = {}
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        try:
            module = import_module(point.value)
            found[point.name] = AddedCommand(getattr(module, "HELP", ""), module.OPTIONS, point.value)
        except Exception as error:  # whatever another package does when it is imported
            from facedown.core.registry import leave_out, package_of

            leave_out(f"the command {point.name!r}", package_of(point), error)
    return found
