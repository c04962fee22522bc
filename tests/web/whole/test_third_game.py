"""A game of another package that brings no table for the browser: it is played at the generic one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.few import few
from tests.web.shell.server_process import ServerProcess, Visitor

THIRD_GAME = Path(__file__).parents[2] / "third_game"


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server where the third game is installed."""
    path = os.pathsep.join(filter(None, [str(THIRD_GAME), os.environ.get("PYTHONPATH", "")]))
    served = ServerProcess(tmp_path_factory.mktemp("third"), PYTHONPATH=path)
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize(
    ("locale", "picks", "asked", "points", "prize", "again"),
    few(
        [
            ("en-GB", ("5", "13"), "Choose one, then seal it.", "Points", "The next prize is worth", "Go on"),
            ("ja-JP", ("5",), "一つ選んで、封をしてください。", "得点", "次の賞は", "次へ"),
        ],
        1,
    ),
)
def test_a_game_without_a_table_of_its_own_is_played_at_the_generic_one(
    browser: Browser,
    third: ServerProcess,
    locale: str,
    picks: tuple[str, ...],
    asked: str,
    points: str,
    prize: str,
    again: str,
) -> None:
    visitor = Visitor(browser, third.url, 360, 780, locale=locale)
    page = visitor.goes_to("/")
    card = page.locator(".home-game").filter(has=page.get_by_role("heading", name="Goofspiel"))
    card.get_by_role("button").first.click()

    for decision, pick in enumerate(picks, 1):
        expect(page.locator(".gn-status")).to_have_text(asked)
        expect(page.locator("[data-field=score] dt")).to_have_text(points)
        seal = page.locator(".gn-seal")
        expect(seal).to_have_attribute("aria-disabled", "true")
        page.locator(f"[data-pick='{pick}']").click()
        expect(page.locator(f"[data-pick='{pick}']")).to_have_attribute("aria-pressed", "true")
        seal.click()

        turned = page.locator(".gn-turned")
        expect(turned.locator("li")).to_have_count(2)
        expect(turned.locator("li").first).to_contain_text(pick)
        expect(turned).to_contain_text(prize)
        page.get_by_role("button", name=again).click()
        expect(page.locator(".gn-choices button")).to_have_count(13 - decision)

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert visitor.complaints == []
    visitor.leaves()
