"""The bus of a server that is alone."""

from __future__ import annotations

import pytest

from facedown.core.errors import Unsupported
from facedown.server.bus import open_bus


def test_whoever_listens_is_told_at_once_in_order() -> None:
    bus, heard = open_bus("local:"), list[tuple[str, str, int]]()
    bus.subscribe(lambda table, v: heard.append(("first", table, v)))
    bus.subscribe(lambda table, v: heard.append(("second", table, v)))
    bus.publish("T", 7)
    assert heard == [("first", "T", 7), ("second", "T", 7)]


def test_nobody_is_told_after_the_end() -> None:
    bus, heard = open_bus(), list[int]()
    bus.subscribe(lambda _, v: heard.append(v))
    bus.close()
    bus.publish("T", 7)
    assert not heard


@pytest.mark.parametrize("url", ["redis://somewhere", "", "local"])
def test_another_bus_is_refused_in_words(url: str) -> None:
    with pytest.raises(Unsupported, match="only local: is supported"):
        open_bus(url)
