"""`facedown new-game` and `facedown new-bot`: write a folder that plays at once, to be changed."""

from __future__ import annotations

import argparse
from pathlib import Path

from facedown.cli.extras import install_folder
from facedown.core import registry
from facedown.scaffold.write import ScaffoldName, write_scaffold


def run(arguments: argparse.Namespace) -> None:
    """Write the folder, and print the next steps."""
    kind = str(arguments.command).removeprefix("new-")
    game = registry.get(arguments.game).name if kind == "bot" else ""
    name = ScaffoldName.read(arguments.name, game)
    folder = Path(arguments.folder or name.name)
    for file in write_scaffold(kind, name, folder, web=kind == "game" and arguments.web):
        print(file)
    print()
    for line in _next_steps(name, folder):
        print(line)


def _next_steps(name: ScaffoldName, folder: Path) -> list[str]:
    if name.game:
        return [
            "Let it play, check it, and install it once others are to find it:",
            "",
            f"  cd {folder}",
            f"  facedown arena {name.game} --bots {name.name}:{name.type_name},uniform --games 200",
            "  pytest",
            f"  {install_folder(Path())}",
        ]
    return [
        "Install it, play it, and check it whenever you have changed something:",
        "",
        f"  {install_folder(folder)}",
        f"  facedown play {name.name}",
        f"  pytest {folder}",
    ]
