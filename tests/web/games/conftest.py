from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.games.gallery import gallery
from tests.web.games.studio import Studio


@pytest.fixture(scope="package")
def url() -> Iterator[str]:
    """A gallery that is being served."""
    with gallery() as address:
        yield address


@pytest.fixture(scope="package")
def one_page(browser: Browser, url: str) -> Iterator[Studio]:
    """The page that tests share: loading it is what takes long."""
    studio = Studio(browser, url)
    yield studio
    studio.leave()


@pytest.fixture(scope="package")
def one_measured_page(browser: Browser, url: str) -> Iterator[Studio]:
    """The page that tests share which put a measuring script into it; nothing moves there."""
    studio = Studio(browser, url, measured=True)
    studio.page.add_style_tag(content="* { transition: none !important; animation: none !important; }")
    yield studio
    studio.leave()


@pytest.fixture
def studio(one_page: Studio) -> Iterator[Studio]:
    """The page, empty and as wide as a desk. No console may have complained at the end."""
    yield from _used(one_page)


@pytest.fixture
def measured(one_measured_page: Studio) -> Iterator[Studio]:
    """The measured page, empty and as wide as a desk. No console may have complained at the end."""
    yield from _used(one_measured_page)


@pytest.fixture
def own_studio(browser: Browser, url: str) -> Iterator[Studio]:
    """A page of its own, for a test that leaves something behind."""
    studio = Studio(browser, url)
    yield from _used(studio)
    studio.leave()


def _used(studio: Studio) -> Iterator[Studio]:
    studio.complaints.clear()
    studio.clear()
    studio.dress()
    yield studio
    assert studio.complaints == []
