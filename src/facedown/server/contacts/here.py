"""Who has the site open now, on any server: in memory alone, and forgotten a minute after they have gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from facedown.server.bus import Bus
from facedown.server.bus.base import OnHint
from facedown.server.clock import MINUTE_MS, now

_LASTS_MS: Final = MINUTE_MS
"""How long a person is here after the last request of an open page."""
_MOST: Final = 50_000
_ANSWERS_S: Final = 0.2
"""How long other servers have to answer; a late answer counts the next time."""


class PeopleHere:
    """The people with an open page or connection on this server, and the question about others to all."""

    def __init__(self, bus: Bus, *, shared: bool) -> None:
        self._bus = bus
        self._shared = shared
        self._here: dict[str, tuple[int, int, OnHint]] = {}
        """Since when, the last sign, and the answer to other servers; the oldest sign first."""
        self.is_connected: Callable[[str], bool] = lambda _: False
        """Whether a person has an open WebSocket on this server."""

    def note(self, person: str) -> None:
        """A page of this person is open."""
        at = now()
        since, last, answer = self._here.pop(person, (at, at, None))
        if answer is None:
            answer = partial(self._answer, person)
            self._bus.subscribe(_question(person), answer)
        self._here[person] = (since if at - last < _LASTS_MS else at, at, answer)
        self._forget(at)

    def since(self, person: str) -> int | None:
        """Since when a person is here, on this server; None if they are not."""
        if self.is_connected(person):
            self.note(person)
        found = self._here.get(person)
        return found[0] if found is not None and now() - found[1] < _LASTS_MS else None

    async def find(self, people: Iterable[str]) -> dict[str, int]:
        """Since when each of these people is here, on any server; those who are not are left out."""
        people = tuple(people)
        found = {person: since for person in people if (since := self.since(person)) is not None}
        others = [person for person in people if person not in found]
        if not others or not self._shared:
            return found
        subscribed = [(_reply(person), partial(_keep, found, person)) for person in others]
        for topic, keep in subscribed:
            self._bus.subscribe(topic, keep)
        try:
            for person in others:
                self._bus.publish(_question(person), now())
            await asyncio.sleep(_ANSWERS_S)
        finally:
            for topic, keep in subscribed:
                self._bus.unsubscribe(topic, keep)
        return found

    def _answer(self, person: str, _number: int, _node: str) -> None:
        if (since := self.since(person)) is not None:
            self._bus.publish(_reply(person), since)

    def _forget(self, at: int) -> None:
        for person in [*self._here][:2]:  # two for each new one at most
            _, last, answer = self._here[person]
            if len(self._here) <= _MOST and (at - last < _LASTS_MS or self.is_connected(person)):
                return
            del self._here[person]
            self._bus.unsubscribe(_question(person), answer)


def _keep(found: dict[str, int], person: str, since: int, _node: str) -> None:
    found[person] = since


def _question(person: str) -> str:
    return f"here?/{person}"


def _reply(person: str) -> str:
    return f"here/{person}"
