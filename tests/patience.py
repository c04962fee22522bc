"""Patience: the one deadline of the tests. A busy machine is slow, not wrong."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 300.0
"""Seconds that anything may take that has to happen. No test waits for it in vain unless it fails."""
PATIENCE_MS: Final = PATIENCE * 1000
