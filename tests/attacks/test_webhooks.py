"""Attacks with webhooks: into our own network, by redirects, on others' tables, with forged or repeated
messages, and with programs that never answer."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from facedown.protocol.errors import BadMessage
from facedown.server.contacts.webhooks import MOST, Webhooks
from facedown.server.push import PushSender
from facedown.server.services import Services, open_services
from facedown.server.settings import Settings
from facedown.server.store.contacts import StoredWebhook
from facedown.server.store.values import Person
from tests.server.http.client import Caller, Meet, meeting
from tests.server.http.keeping import keep
from tests.server.http.push_service import Browser, Service
from tests.server.http.test_push import a_turn_by_correspondence, sender, trusting, unsent
from tests.server.http.test_tokens import make_token, program
from tests.server.running import Server

WEBHOOKS = "/account/webhooks"
PUBLIC = "https://1.1.1.1/hook"
SECRET = "whsec_" + base64.b64encode(b"known to the receiver").decode()


@pytest.fixture(scope="module")
def willing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose operator has switched webhooks on."""
    running = Server(tmp_path_factory.mktemp("webhooks") / "data", FACEDOWN_WEBHOOKS="on").start()
    yield running
    running.close()


@pytest.fixture
def meet_there(willing: Server) -> Iterator[Meet]:
    with meeting(willing.base) as meet:
        yield meet


@pytest.fixture
def ann(meet_there: Meet) -> Caller:
    caller = meet_there("Ann")
    keep(caller)
    return caller


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path)
    yield running
    running.close()


# --- the calls -------------------------------------------------------------------------------------------


def test_without_the_operators_switch_there_are_none(meet: Meet) -> None:
    caller = meet("Ann")
    keep(caller)
    assert caller.refused("POST", WEBHOOKS, {"endpoint": PUBLIC}) == (404, "switched_off")
    assert caller.refused("GET", WEBHOOKS) == (404, "switched_off")


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://1.1.1.1/plain",
        "https://127.0.0.1/own",
        "https://localhost/own",
        "https://2130706433/own",
        "https://0177.0.0.1/own",
        "https://0.0.0.0/own",
        "https://10.0.0.8/inside",
        "https://100.64.0.1/carrier",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/own",
        "https://[::ffff:127.0.0.1]/mapped",
        "https://[::ffff:a9fe:a9fe]/mapped",
        "https://[64:ff9b::7f00:1]/translated",
        "https://[fd00::1]/local",
        "https://[fe80::1%25eth0]/link",
        "https://1.1.1.1:22/ssh",
        "https://me:secret@1.1.1.1/hook",
        "https://1.1.1.1/a\r\nHost: inside",
        "https://1.1.1.1/\u043e",
        "https://name.invalid/hook",
        "file:///etc/passwd",
    ],
)
def test_no_address_leads_into_our_own_network(ann: Caller, endpoint: str) -> None:
    assert ann.refused("POST", WEBHOOKS, {"endpoint": endpoint}) == (400, "bad_message")
    assert ann.ok("GET", WEBHOOKS)["webhooks"] == []


def test_only_its_owner_has_it_and_the_secret_is_shown_once(
    willing: Server, ann: Caller, meet_there: Meet
) -> None:
    made = ann.ok("POST", WEBHOOKS, {"endpoint": PUBLIC}, 201)
    thief = meet_there("Thief")
    assert thief.refused("POST", WEBHOOKS, {"endpoint": PUBLIC}) == (409, "not_now"), "a guest"
    keep(thief)

    assert thief.ok("GET", WEBHOOKS)["webhooks"] == []
    assert thief.refused("DELETE", f"{WEBHOOKS}/{made['webhook']['id']}") == (404, "not_there")
    token = program(meet_there, make_token(ann)["token"])
    assert token.refused("POST", WEBHOOKS, {"endpoint": PUBLIC}) == (403, "wrong_scope")
    listed = ann.ask("GET", WEBHOOKS).text + ann.ask("GET", "/people/me/data").text
    assert made["webhook"]["endpoint"] in listed
    assert made["secret"] not in listed + willing.log()
    ann.ok("DELETE", f"{WEBHOOKS}/{made['webhook']['id']}", status=204)
    assert ann.ok("GET", WEBHOOKS)["webhooks"] == []


def test_the_tables_of_others_have_no_webhook_of_mine(ann: Caller, meet_there: Meet) -> None:
    bob = meet_there("Bob")
    keep(bob)
    table = bob.make(public=True)["table"]
    ann.join(table, 2)
    assert ann.refused("POST", WEBHOOKS, {"endpoint": PUBLIC, "table": table}) == (403, "not_yours")
    assert ann.refused("POST", WEBHOOKS, {"endpoint": PUBLIC, "table": "A" * 26})[0] == 404
    assert bob.ok("POST", WEBHOOKS, {"endpoint": PUBLIC, "table": table}, 201)["webhook"]["table"] == table


def test_an_account_has_a_few_at_most(ann: Caller) -> None:
    answers = [ann.ask("POST", WEBHOOKS, {"endpoint": PUBLIC}).status_code for _ in range(MOST + 1)]
    assert answers == [201] * MOST + [409]


# --- delivery --------------------------------------------------------------------------------------------


@asynccontextmanager
async def a_hooked_turn(
    folder: Path, service: Service, *, of_table: bool = False
) -> AsyncIterator[tuple[Services, Person, str]]:
    """Bob, whose turn it is, has a webhook at the service, or Ann has one for the table."""
    services = open_services(Settings(data=folder / "data", machine_pause=0))
    try:
        bob, table = await a_turn_by_correspondence(services)
        host = (await services.tables.get(table)).host
        row = StoredWebhook("H" * 26, bob.id, "", service.endpoint, SECRET, 1)
        if of_table:
            row = row._replace(person=host, table=table)
        assert await services.store.contacts.add_webhook(row, MOST)
        yield services, bob, table
    finally:
        await services.close()


def sending(services: Services, service: Service, **more: Any) -> PushSender:
    more.setdefault("reach", lambda _: True)
    webhooks = Webhooks(services.store, services.tables, "https://cards.example")
    return sender(services, webhooks=webhooks, tls=trusting(service), **more)


def is_signed(headers: dict[str, str], body: bytes) -> bool:
    """Whether a message is from the server, as its receiver checks it."""
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    return headers["webhook-signature"] == f"v1,{expected}"


def test_a_message_is_signed_with_its_time_and_tells_no_pick(service: Service, tmp_path: Path) -> None:
    async def main() -> None:
        async with a_hooked_turn(tmp_path, service) as (services, _, table):
            assert await sending(services, service).deliver() == 1
            ((headers, body),) = service.got
            message = json.loads(body)
            assert message.keys() == {
                *("id", "kind", "at", "table", "link", "game", "decision", "names", "waits_for")
            }
            assert (message["kind"], message["decision"]) == ("turn", 1)
            assert message["link"] == f"https://cards.example/t/{table}"
            assert message["names"] == message["waits_for"] == ["Ann", "Bob"]
            assert is_signed(headers, body)
            assert abs(int(headers["webhook-timestamp"]) - time.time()) < 1000
            assert not is_signed(headers, body.replace(b"turn", b"over")), "changed on its way"
            assert not is_signed({**headers, "webhook-timestamp": "1"}, body), "sent again later"

    asyncio.run(main())


def test_a_webhook_of_a_table_gets_one_message_for_all_seats(service: Service, tmp_path: Path) -> None:
    async def main() -> None:
        async with a_hooked_turn(tmp_path, service, of_table=True) as (services, _, _):
            assert await sending(services, service).deliver() == 1
            assert json.loads(service.got[0][1])["waits_for"] == ["Ann", "Bob"]
            await a_turn_by_correspondence(services)
            assert await sending(services, service).deliver() == 0, "another table"
            assert await unsent(services.store) == []

    asyncio.run(main())


def test_nothing_is_sent_where_webhooks_are_off(service: Service, tmp_path: Path) -> None:
    async def main() -> None:
        async with a_hooked_turn(tmp_path, service) as (services, _, _):
            push = sender(services, reach=lambda _: True, tls=trusting(service))
            assert await push.deliver() == 0
            assert service.got == []
            assert await unsent(services.store) == []

    asyncio.run(main())


def test_a_name_that_leads_inside_later_reaches_nothing(service: Service, tmp_path: Path) -> None:
    async def main() -> None:
        async with a_hooked_turn(tmp_path, service) as (services, bob, _):
            push = sending(services, service, reach=lambda address: address == "1.1.1.1", any_port=True)
            with pytest.raises(BadMessage):
                await push.post(service.endpoint, {}, b"")
            assert await push.deliver() == 0
            assert service.got == []
            assert await services.store.contacts.webhooks(bob.id) == [], "it is deleted"

    asyncio.run(main())


@pytest.mark.parametrize(("status", "stays"), [(307, True), (500, True), (410, False)])
def test_redirects_are_not_followed_and_what_fails_is_sent_three_times(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, stays: bool
) -> None:
    async def main() -> None:
        async with a_hooked_turn(tmp_path, service) as (services, bob, _):
            monkeypatch.setattr("facedown.server.push._LEASE_MS", 0)  # claimed again at once
            service.status = status
            assert await sending(services, service).deliver() == 0
            assert len({headers["webhook-id"] for headers, _ in service.got}) == 1
            assert len(service.got) == (3 if stays else 1)
            assert bool(await services.store.contacts.webhooks(bob.id)) == stays
            assert await unsent(services.store) == []

    asyncio.run(main())


def test_a_program_that_never_answers_keeps_no_push_waiting(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with a_hooked_turn(tmp_path, service) as (services, bob, _):
            await services.store.subscribe(bob.id, Browser().at(f"{service.endpoint}&browser"))
            push = sending(services, service)
            posted = push.post

            async def post(endpoint: str, *args: Any) -> int:
                if "browser" not in endpoint:
                    await asyncio.Event().wait()
                return await posted(endpoint, *args)

            monkeypatch.setattr(push, "post", post)
            stuck = [*await push._start_due(), *await push._start_due()]
            await a_turn_by_correspondence(services, bob)
            while len(service.got) < 2:
                stuck += await push._start_due()
                await asyncio.sleep(0)
            assert len(service.got) == 2, "both turns, by push"
            for task in stuck:
                task.cancel()

    asyncio.run(main())
