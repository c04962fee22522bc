"""Tables without the thread of signatures: what is published has arrived once a command is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from facedown.server.signing import Signing


@pytest.fixture(autouse=True)
def signed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sign heads where they are published; tests of whole servers use the thread."""

    def sign(
        self: Signing, key: str, table: str, number: int, head: bytes, done: Callable[[str], None]
    ) -> None:
        done(self.sign_head(key, table, number, head))

    monkeypatch.setattr(Signing, "sign_head_soon", sign)
