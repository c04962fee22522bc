from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.games.gallery import gallery
from tests.web.games.studio import CHROMIUM, Studio, chromium

Opens = Callable[..., Studio]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A gallery that is being served."""
    with gallery() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; tests are skipped, and say so, where there is none."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with chromium() as found:
        yield found


@pytest.fixture
def opens(browser: Browser, url: str) -> Iterator[Opens]:
    """Opens pages: `opens(wide=360, high=640)`. No console may have complained at the end."""
    studios: list[Studio] = []

    def open_one(**how: Any) -> Studio:
        studios.append(Studio(browser, url, **how))
        return studios[-1]

    yield open_one
    complaints = [each for studio in studios for each in studio.complaints]
    for studio in studios:
        studio.leave()
    assert complaints == []


@pytest.fixture
def studio(opens: Opens) -> Studio:
    """One page as wide as a desk."""
    return opens()
