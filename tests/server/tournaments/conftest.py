"""Both kinds of stores for tournaments."""

from __future__ import annotations

from tests.server.store.conftest import any_store, folder

__all__ = ["any_store", "folder"]
