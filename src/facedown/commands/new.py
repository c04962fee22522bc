"""`facedown new game` and `facedown new bot`: write a folder that plays at once, to be changed.
`facedown bot serve`: let a bot play on a server.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from facedown.bots.find import import_named
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra, install_folder
from facedown.core import registry
from facedown.core.text.sanitise import printable
from facedown.scaffold.write import ScaffoldName, write_scaffold


def run(arguments: argparse.Namespace) -> None:
    """Write the folder, and print the next steps; or serve the bot."""
    if arguments.command == "bot":
        _serve_bot(arguments)
        return
    kind = arguments.kind
    if (kind == "bot") != (arguments.game is not None):
        raise Usage("`new bot NAME` needs --game, which `new game` does not take")
    if kind == "bot" and arguments.web:
        raise Usage("--web is for `new game`")
    game = registry.get(arguments.game).name if kind == "bot" else ""
    name = ScaffoldName.read(arguments.name, game)
    folder = Path(arguments.folder or name.name)
    for file in write_scaffold(kind, name, folder, web=arguments.web):
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


def _serve_bot(arguments: argparse.Namespace) -> None:
    check_extra("`bot serve` needs", "server", "msgspec", "websockets", "cryptography")
    from facedown.client.bot_server import BotServer
    from facedown.client.rest import RestClient

    token = Path(arguments.token).read_text("utf-8") if arguments.token else os.environ.get("FACEDOWN_TOKEN")
    if not token or not token.strip():
        raise Usage("a bot needs its token: set FACEDOWN_TOKEN, or name a file with --token")
    server = RestClient(arguments.server, token.strip())

    def report(line: str) -> None:
        print(printable(line, 400), flush=True)

    bot = import_named(arguments.bot) if ":" in arguments.bot else arguments.bot
    BotServer(server, bot, report, arguments.games).run()
