from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.games.gallery import gallery
from tests.web.games.gallery_page import GalleryPage


@pytest.fixture(scope="package")
def url() -> Iterator[str]:
    """A gallery that is being served."""
    with gallery() as address:
        yield address


@pytest.fixture(scope="package")
def one_page(browser: Browser, url: str) -> Iterator[GalleryPage]:
    """The page that tests share: loading it is what takes long."""
    gallery_page = GalleryPage(browser, url)
    yield gallery_page
    gallery_page.leave()


@pytest.fixture(scope="package")
def one_stopped_page(browser: Browser, url: str) -> Iterator[GalleryPage]:
    """The page that tests share in which only that time passes which they let pass, however busy it is."""
    gallery_page = GalleryPage(browser, url)
    gallery_page.page.clock.install(time=0)
    gallery_page.page.clock.pause_at(1000)
    yield gallery_page
    gallery_page.leave()


@pytest.fixture
def gallery_page(one_page: GalleryPage) -> Iterator[GalleryPage]:
    """The page, empty and as wide as a desk. No console may have complained at the end."""
    yield from _used(one_page)


@pytest.fixture
def measured(one_page: GalleryPage) -> Iterator[GalleryPage]:
    """The same page, where nothing moves. No console may have complained at the end."""
    yield from _used(one_page, moves=False)


@pytest.fixture
def stopped(one_stopped_page: GalleryPage) -> Iterator[GalleryPage]:
    """The page without time, empty and as wide as a desk. No console may have complained at the end."""
    yield from _used(one_stopped_page)


def _used(gallery_page: GalleryPage, *, moves: bool = True) -> Iterator[GalleryPage]:
    gallery_page.complaints.clear()
    gallery_page.clear()
    gallery_page.moves(moves)
    gallery_page.dress()
    yield gallery_page
    assert gallery_page.complaints == []
