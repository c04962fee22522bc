"""Push endpoints whose host names take forever to look up: only their owner waits."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from facedown.protocol.errors import BadMessage
from facedown.server.services import open_services
from facedown.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.http.push_service import Browser, Service
from tests.server.http.test_push import a_turn_by_correspondence, sender, trusting


def test_one_guest_with_slow_names_stops_no_push_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[str] = Counter()
    answer, resolve = threading.Event(), socket.getaddrinfo

    def slow(host: str, *args: Any, **more: Any) -> Any:
        asked[host] += 1
        if host.endswith(".slow.example"):
            answer.wait(PATIENCE)
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")
        return resolve(host, *args, **more)

    async def main() -> None:
        services = open_services(Settings(data=tmp_path / "data", machine_pause=0))
        service = Service(tmp_path)
        try:
            push = sender(services, reach=lambda _: True, tls=trusting(service), seconds=20.0)
            mallory, _ = await a_turn_by_correspondence(services)
            for number in range(8):
                at = f"https://{number}.slow.example/sent"
                await services.store.subscribe(mallory.id, Browser().at(at))
            monkeypatch.setattr(socket, "getaddrinfo", slow)
            tries = [
                asyncio.create_task(push.check(f"https://{n}.slow.example/checked", mallory.id, "192.0.2.1"))
                for n in range(8)
            ]
            sending = await push._start_due()
            others = [
                asyncio.create_task(push.check("https://other.slow.example/", f"guest-{n}", "192.0.2.1"))
                for n in range(90)  # of the same network
            ]
            while asked.total() < 5:
                await asyncio.sleep(0.01)
            for each in tries[:4]:
                each.cancel()  # gives up, but its name is still being looked up

            bob, _ = await a_turn_by_correspondence(services)
            await push.check(service.endpoint, bob.id, "192.0.2.2")
            await services.store.subscribe(bob.id, Browser().at(service.endpoint))
            assert sum(await asyncio.gather(*await push._start_due())) == 1
            assert len(await services.store.subscriptions(bob.id)) == 1
            assert not any(each.done() for each in (*tries[4:], *others))
            assert not all(each.done() for each in sending)
            assert sum(asked[f"{n}.slow.example"] for n in range(8)) == 2  # one check, one delivery
            assert asked["other.slow.example"] == 3  # with Mallory's the four of that network

            answer.set()
            refused = await asyncio.gather(*tries[4:], *others, return_exceptions=True)
            assert all(isinstance(each, BadMessage) for each in refused)
            assert not any(await asyncio.gather(*sending))
            assert len(await services.store.subscriptions(mallory.id)) == 8  # no answer is not "gone"
        finally:
            answer.set()
            service.close()
            await services.close()

    asyncio.run(main())
