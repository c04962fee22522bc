"""The golden conversations: `python -m tests.server.conversation.record` writes them anew.

Only for a change that is meant to be seen by clients; the difference belongs into the review of that change.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.server.conversation.scenes import SCENES
from tests.server.conversation.talking import Conversation

GOLDEN = Path(__file__).with_name("golden")


async def held(scene: str, folder: Path) -> str:
    """A conversation as it goes now."""
    async with Conversation(folder) as talk:
        await SCENES[scene](talk)
    return talk.written()


def main() -> None:
    """Hold every conversation, and keep it."""
    for scene in SCENES:
        with tempfile.TemporaryDirectory() as folder:
            (GOLDEN / f"{scene}.txt").write_text(asyncio.run(held(scene, Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
