"""The golden conversations: `python -m tests.server.conversation.record` writes them again.

Only for a change that is meant to be seen by clients; the difference belongs into the review of that change.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.server.conversation.scenes import SCENES
from tests.server.conversation.talking import Conversation

GOLDEN = Path(__file__).with_name("golden")
SHOWN = Path(__file__).parents[3] / "docs/conversation.txt"
"""The conversation that the page on the protocol shows."""


def golden(scene: str) -> Path:
    """The file that keeps a conversation."""
    return SHOWN if scene == "shown" else GOLDEN / f"{scene}.txt"


async def held(scene: str, folder: Path) -> str:
    """A conversation as it goes now."""
    async with Conversation(folder) as talk:
        await SCENES[scene](talk)
    return talk.written()


def main() -> None:
    """Hold every conversation, or those that are named, and keep it."""
    for scene in sys.argv[1:] or SCENES:
        with tempfile.TemporaryDirectory() as folder:
            golden(scene).write_text(asyncio.run(held(scene, Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
