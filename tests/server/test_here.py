"""Who is here: on this server, on another one, and no longer."""

from __future__ import annotations

import pytest

from facedown.server.bus import Bus
from facedown.server.contacts import here
from facedown.server.contacts.here import PeopleHere

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_servers_ask_each_other() -> None:
    bus = Bus()
    one, other = PeopleHere(bus, shared=True), PeopleHere(bus, shared=True)
    one.note("ann")
    other.note("bob")

    assert (await one.find(["ann", "bob", "cleo"])).keys() == {"ann", "bob"}
    assert await PeopleHere(bus, shared=False).find(["ann"]) == {}, "a single server asks nobody"


async def test_a_person_is_gone_a_while_after_the_last_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    people, at = PeopleHere(Bus(), shared=False), 1_000_000
    monkeypatch.setattr(here, "now", lambda: at)
    people.note("ann")
    at += 40_000
    people.note("ann")
    at += 40_000
    assert await people.find(["ann"]) == {"ann": 1_000_000}, "since the first sign"
    at += 40_000
    assert await people.find(["ann"]) == {}
    at += 40_000
    people.note("ann")
    assert await people.find(["ann"]) == {"ann": at}, "here again"
    at += 80_000
    people.note("bob")
    assert [*people._here] == ["bob"], "nothing remembers who was here"
    people.is_connected = lambda person: person == "cleo"
    assert await people.find(["cleo"]) == {"cleo": at}
