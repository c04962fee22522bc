"""The bus: hints that something has changed, between servers on one store. Any of them may be lost, late or
doubled: the store decides.

A hint is a topic, such as `table/ID`, and a number, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

OnHint: TypeAlias = Callable[[int, str], None]
"""A callback on the event loop with the hint's number and the id of the server that sent it."""


class Bus:
    """The bus of a single process: calls every subscriber at once, in the order of subscription."""

    def __init__(self, node: str = "local") -> None:
        self.node = node
        """The id of this server on the bus."""
        self._subscribers: dict[str, list[OnHint]] = {}

    @property
    def connected(self) -> bool:
        """Whether hints of other servers arrive."""
        return True

    async def start(self, secret: bytes, on_connected: Callable[[], None]) -> None:
        """Connect to the other servers; `secret` is that of their store. `on_connected` is called whenever
        hints may have been missed before."""

    def publish(self, topic: str, number: int) -> None:
        """Send a hint, after the commit that it is about; never blocks."""
        self._notify(topic, number, self.node)

    def subscribe(self, topic: str, on_hint: OnHint) -> None:
        """Call `on_hint` for every hint of this topic from now on."""
        self._subscribers.setdefault(topic, []).append(on_hint)

    def unsubscribe(self, topic: str, on_hint: OnHint) -> None:
        found = self._subscribers.get(topic, [])
        if on_hint in found:
            found.remove(on_hint)
        if not found:
            self._subscribers.pop(topic, None)

    async def close(self) -> None:
        """Stop sending, and remove all subscribers."""
        self._subscribers.clear()

    def _notify(self, topic: str, number: int, node: str) -> None:
        for on_hint in tuple(self._subscribers.get(topic, ())):
            on_hint(number, node)
