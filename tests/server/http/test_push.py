"""Web push to a push service of our own: over TLS, encrypted, signed, and to no other address."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
import ssl
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from facedown.core.chance import entropy_commitment
from facedown.protocol.errors import BadMessage
from facedown.protocol.friends import NewChallenge
from facedown.protocol.messages import Ack, Clock, Cmd, Nak
from facedown.protocol.pairing import NewTicket
from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.server.accounts.devices import Device
from facedown.server.accounts.finished_games import PlayedGames
from facedown.server.contacts.friends import Friends
from facedown.server.contacts.here import PeopleHere
from facedown.server.http.streams import TableListener
from facedown.server.pairing import Pairing
from facedown.server.push import PushSender
from facedown.server.services import Services, open_services
from facedown.server.settings import Settings
from facedown.server.store.base import Store
from facedown.server.store.values import Notice, Person
from tests.patience import PATIENCE
from tests.server.http.client import ENTROPY, Caller
from tests.server.http.push_service import Browser, Service

pytestmark = pytest.mark.anyio


async def unsent(store: Store) -> list[tuple[int, Notice]]:
    """Notices that were not sent yet, also those that the sender has claimed."""
    return await store.claim_notices(1 << 50, -(1 << 50), 100)


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    opened = open_services(
        Settings(data=tmp_path / "data", contact="mailto:ops@example.org", machine_pause=0)
    )
    yield opened
    await opened.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path)
    yield running
    running.close()


async def a_turn_by_correspondence(
    services: Services, bob: Person | None = None, clock: Clock | None = None
) -> tuple[Person, str]:
    """A table on which Bob has to pick; he is not looking."""
    ann, _ = await services.people.guest("Ann", "program")
    if bob is None:
        bob, _ = await services.people.guest("Bob", "program")
    days = Clock("correspondence", days=1)
    order = TableOrder("davenport", (PersonSeat(), PersonSeat()), clock=clock or days)
    table = await services.tables.create(order, ann.id)
    for seat, person in ((1, ann), (2, bob)):
        await table.join(seat, person, entropy_commitment(table.id, seat, ENTROPY).hex())
    for seat, person in ((1, ann), (2, bob)):
        answered: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
        table.submit(
            seat,
            Cmd(f"open-{seat}", "open", entropy=ENTROPY.hex()),
            answered.set_result,
            person=person.id,
            name=person.name,
        )
        assert isinstance(await answered, Ack)
    return bob, table.id


def sender(services: Services, service: Service | None = None, **more: Any) -> PushSender:
    """A sender of the server's; with a push service of our own, it reaches and trusts that."""
    if service is not None:
        more["services"] = re.compile(r"localhost:\d+")
        more["tls"] = ssl.create_default_context(cafile=str(service.certificate))
    contact = services.settings.contact
    return PushSender(services.store, services.tables, services.metrics, contact=contact, **more)


async def test_a_turn_is_pushed_once_encrypted_and_signed(services: Services, service: Service) -> None:
    push = sender(services, service)
    browser = Browser()
    bob, table = await a_turn_by_correspondence(services)
    await services.store.subscribe(bob.id, browser.at(service.endpoint))

    assert await push.deliver() == 1
    assert await push.deliver() == 0
    ((headers, body),) = service.got
    notice = browser.read(body)
    assert notice.items() >= {"kind": "turn", "table": table, "decision": 1}.items()
    assert (notice["title"], notice["body"]) == ("Davenport", "It is your turn.")
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].endswith(f"k={await push.key()}")
    assert await sender(services).key() == await push.key()  # kept over restarts


async def test_a_player_at_the_table_is_not_notified(services: Services, service: Service) -> None:
    bob, table_id = await a_turn_by_correspondence(services)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))
    table = await services.tables.get(table_id)
    table.attach(TableListener(table, 2, bob.id, asyncio.Event()))

    assert await sender(services, service).deliver() == 0
    assert await unsent(services.store) == []


@pytest.mark.parametrize("clock", [Clock("none"), Clock("decision", 600)])
async def test_who_is_away_is_notified_whatever_the_clock(
    services: Services, service: Service, clock: Clock
) -> None:
    browser = Browser()
    bob, _ = await a_turn_by_correspondence(services, clock=clock)
    await services.store.subscribe(bob.id, browser.at(service.endpoint))

    assert await sender(services, service).deliver() == 1
    assert browser.read(service.got[0][1])["kind"] == "turn"


async def test_challenges_and_their_answers_are_pushed(services: Services, service: Service) -> None:
    push = sender(services, service)
    browser = Browser()
    (ann, _), (bob, _) = [await services.people.guest(name, "program") for name in ("Ann", "Bob")]
    for person in (ann, bob):
        await services.store.subscribe(person.id, browser.at(f"{service.endpoint}/{person.name}"))
    played = PlayedGames(services.store)
    friends = Friends(services.store, services.tables, played, PeopleHere(services.bus, shared=False))
    made = await friends.challenge(ann, bob.id, NewChallenge("davenport"))
    assert await push.deliver() == 1

    table, seat = await services.tables.get(made.table), 3 - made.seat
    await table.join(seat, bob, entropy_commitment(made.table, seat, ENTROPY).hex())
    await friends.note_joined(made.table, bob.id)

    assert await push.deliver() == 1
    notices = [browser.read(body) for _, body in service.got]
    assert [each["kind"] for each in notices] == ["challenge", "accepted"]
    assert [each["body"] for each in notices] == [
        "You are challenged to a game.",
        "Your challenge is accepted.",
    ]
    assert "Ann" not in str(notices), "a push service learns no name"


async def test_a_use_of_the_recovery_code_is_pushed(services: Services, service: Service) -> None:
    browser = Browser()
    ann, _ = await services.people.guest("Ann", "browser")
    await services.store.subscribe(ann.id, browser.at(service.endpoint))
    await services.accounts.sign_in(ann, "browser", Device("Firefox", "Android"))

    assert await sender(services, service).deliver() == 1
    notice = browser.read(service.got[0][1])
    assert notice == {
        "kind": "code_used",
        "body": "Your recovery code was used to sign in.",
    }


@pytest.mark.parametrize("sits", [False, True])
async def test_who_waited_for_a_game_by_days_is_told_of_a_table(
    services: Services, service: Service, sits: bool
) -> None:
    pairing, wanted = (
        Pairing(services.store, services.tables),
        NewTicket("ecard", Clock("correspondence")),
    )
    ann, _ = await services.people.guest("Ann", "program")
    bob, _ = await services.people.guest("Bob", "program")
    await pairing.put(bob, wanted)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))
    await pairing.put(ann, wanted)
    found = await pairing.put(bob, wanted)
    if sits and found.table and found.seat:
        table = await services.tables.get(found.table)
        await table.join(found.seat, bob, entropy_commitment(table.id, found.seat, ENTROPY).hex())
    push = sender(services, service)
    assert await push.deliver() == (0 if sits else 1)
    assert await unsent(services.store) == []


@pytest.mark.parametrize(("status", "stays"), [(410, False), (404, False), (500, True), (307, True)])
async def test_what_push_services_answer(
    services: Services, service: Service, status: int, stays: bool
) -> None:
    service.status = status
    push = sender(services, service)
    bob, _ = await a_turn_by_correspondence(services)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))

    assert await push.deliver() == 0
    assert len(service.got) == 1
    assert bool(await services.store.subscriptions(bob.id)) is stays


class Tarpit:
    """A push service that accepts, and then sends one byte after the other and never an answer."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.endpoint = ""
        self._dripping: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Let callers in; in the end wait until every one of them has hung up."""
        server = await asyncio.start_server(self._enter, "127.0.0.1", 0)
        self.endpoint = f"https://localhost:{server.sockets[0].getsockname()[1]}/stuck"
        try:
            yield
            await asyncio.wait_for(asyncio.gather(*self._dripping), PATIENCE)
        finally:
            server.close()

    def _enter(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._dripping.append(asyncio.create_task(self._drip(writer)))
        self.entered.set()

    async def _drip(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb")  # TLS: a long message begins
        with contextlib.suppress(OSError):
            while not writer.is_closing():
                writer.write(b"\x00")
                await writer.drain()
                await asyncio.sleep(0.02)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def test_one_persons_broken_endpoint_affects_no_other(services: Services, service: Service) -> None:
    pit = Tarpit()
    async with pit.open():
        push = sender(services, service, seconds=PATIENCE)
        mallory, _ = await a_turn_by_correspondence(services)
        await services.store.subscribe(mallory.id, Browser().at(pit.endpoint))
        push.start()
        await pit.entered.wait()  # and there it stays
        bob, _ = await a_turn_by_correspondence(services)
        await services.store.subscribe(bob.id, Browser().at(service.endpoint))
        while not service.got:
            await asyncio.sleep(0.02)
        assert mallory.id in [notice.person for _, notice in await unsent(services.store)]
        await push.close()


async def test_a_message_has_one_deadline(services: Services, service: Service) -> None:
    pit = Tarpit()
    async with pit.open():
        push = sender(services, service, seconds=0.3)
        bob, _ = await a_turn_by_correspondence(services)
        await services.store.subscribe(bob.id, Browser().at(pit.endpoint))
        assert await push.deliver() == 0  # however long it drips
        assert len(await unsent(services.store)) == 1  # it is tried again later
        assert await services.store.subscriptions(bob.id)


@pytest.mark.parametrize(("answers", "tries", "sent"), [([500, 201], 2, 1), ([500] * 9, 3, 0)])
async def test_what_no_service_took_is_tried_again_but_not_forever(
    services: Services,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    answers: list[int],
    tries: int,
    sent: int,
) -> None:
    monkeypatch.setattr("facedown.server.push._LEASE_MS", 0)  # claimed again at once
    service.answers = answers
    push = sender(services, service)
    bob, _ = await a_turn_by_correspondence(services)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))

    assert await push.deliver() == sent
    assert len(service.got) == tries
    assert await unsent(services.store) == []


async def test_what_is_not_begun_in_time_stays_for_the_next_claim(
    services: Services, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, _ = await a_turn_by_correspondence(services)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))
    push = sender(services, service)
    with monkeypatch.context() as slow:
        slow.setattr("facedown.server.push._PERSON_S", -1.0)  # a machine that is too busy
        slow.setattr("facedown.server.push._LEASE_MS", 0)
        assert not any(await asyncio.gather(*await push._start_due()))
    assert service.got == []
    assert await push.deliver() == 1


async def test_a_server_that_dies_leaves_what_it_had_not_sent_and_nothing_else(
    services: Services, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("facedown.server.push._LEASE_MS", 0)
    bob, _ = await a_turn_by_correspondence(services)
    _, second = await a_turn_by_correspondence(services, bob)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))
    push = sender(services, service)
    sending, posted = asyncio.Event(), push.post

    async def stuck(*args: Any) -> int:
        if service.got:
            sending.set()
            await asyncio.Event().wait()
        return await posted(*args)

    monkeypatch.setattr(push, "post", stuck)
    delivering = asyncio.ensure_future(asyncio.gather(*await push._start_due()))
    await asyncio.wait_for(sending.wait(), PATIENCE)
    waiting = [notice for _, notice in await unsent(services.store) if notice.person == bob.id]
    assert [notice.table for notice in waiting] == [second]
    delivering.cancel()

    assert await sender(services, service).deliver() == 1
    assert len(service.got) == 2  # each once


async def test_a_person_is_notified_at_ten_places_at_most(services: Services) -> None:
    for number in range(14):
        await services.store.subscribe("bob", Browser().at(f"https://1.1.1.1/{number}"))
    kept = [each.endpoint for each in await services.store.subscriptions("bob")]
    assert kept == [f"https://1.1.1.1/{number}" for number in range(4, 14)]


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://fcm.googleapis.com:443/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://wns2-db5p.notify.windows.com/w/?token=abc",
    ],
)
async def test_endpoints_of_the_push_services_are_taken(services: Services, endpoint: str) -> None:
    sender(services).checked(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/abc",
        "https://push.example.org/abc",
        "https://fcm.googleapis.com.example.org/abc",
        "https://example.org/fcm.googleapis.com",
        "https://example.org#fcm.googleapis.com",
        "https://example.org\\.notify.windows.com/abc",
        "https://example.org/.notify.windows.com/abc",
        "https://notify.windows.com/abc",
        "https://fcm.googleapis.com@example.org/abc",
        "https://me:pw@fcm.googleapis.com/abc",
        "https://me@wns.notify.windows.com/abc",
        "https://fcm.googleapis.com:8443/abc",
        "https://1.1.1.1/abc",
        "https://127.0.0.1/abc",
        "https://[::1]/abc",
        "https://localhost/abc",
        "https://169.254.169.254/latest/meta-data",
        "https://",
        "file:///etc/passwd",
    ],
)
async def test_no_address_of_a_stranger_is_called(services: Services, endpoint: str) -> None:
    with pytest.raises(BadMessage, match="push services of browsers"):
        sender(services).checked(endpoint)


async def test_nothing_is_sent_to_a_stranger_whose_endpoint_is_stored(
    services: Services, service: Service
) -> None:
    push = sender(services)
    bob, _ = await a_turn_by_correspondence(services)
    await services.store.subscribe(bob.id, Browser().at(service.endpoint))

    assert await push.deliver() == 0
    assert service.got == []
    assert await services.store.subscriptions(bob.id) == []


def test_the_calls(ann: Caller, stranger: Caller) -> None:
    key = stranger.ok("GET", "/push/key")["key"]
    where = Browser().at("https://fcm.googleapis.com/abc")
    keys = {"p256dh": where.p256dh, "auth": where.auth}

    assert len(base64.urlsafe_b64decode(key + "=")) == 65
    ann.ok("PUT", "/push/subscription", {"endpoint": where.endpoint, "keys": keys}, 204)
    ann.ok("DELETE", "/push/subscription", status=204)
    refused = ann.refused("PUT", "/push/subscription", {"endpoint": "https://example.org/x", "keys": keys})
    assert refused == (400, "bad_message")
    assert stranger.refused("DELETE", "/push/subscription") == (401, "needs_session")
