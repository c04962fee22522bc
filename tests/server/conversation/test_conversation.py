"""Whole conversations with a real server, byte by byte: what clients are sent does not change by accident."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.server.conversation.record import GOLDEN, golden, held
from tests.server.conversation.scenes import SCENES

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("scene", SCENES)
async def test_every_client_is_sent_what_it_was_always_sent(scene: str, tmp_path: Path) -> None:
    kept = golden(scene).read_text(encoding="utf-8").splitlines()

    now = (await held(scene, tmp_path)).splitlines()

    changed = [line[:600] for line in difflib.unified_diff(kept, now, "golden", "now", n=0, lineterm="")]
    assert not changed, "\n".join(changed[:40])


def test_every_conversation_is_kept() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} | {"shown"} == set(SCENES)
