"""What a first visit costs: requests, bytes, and what jumps about; `bench/browser.py` has the times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Route, expect

from tests.server.running import until
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import ServerProcess

_SHIFTS: Final = """
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    list.getEntries().forEach((each) => { if (!each.hadRecentInput) shift += each.value; });
  }).observe({ type: 'layout-shift', buffered: true });
"""

_SAME: Final = """async () => {
  const [kit, html, input] = await Promise.all(
    ["/app/kit.js", "/app/html.js", "/app/table/input.js"].map((each) => import(each)));
  return [kit.html === html.html, kit.useKeys === input.useKeys];
}"""

_HALF_A_SECOND: Final = """async () => {
  for (let frames = 0; frames < 30; frames += 1) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of its own, without open tables: their list comes later, and would move what is there."""
    served = ServerProcess(tmp_path_factory.mktemp("empty"))
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize(("locale", "fonts"), [("en-GB", 2), ("de-DE", 2), ("zh-CN", 1), ("ja-JP", 1)])
def test_home_and_the_first_table_are_few_small_files(comes: Comes, locale: str, fonts: int) -> None:
    visitor = comes(wide=390, high=844, phone=True, locale=locale, painted=True, new=True)
    page, asked, weights = visitor.page, list[str](), list[float]()
    session = visitor.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda each: weights.append(each["encodedDataLength"]))
    page.on("request", lambda each: asked.append(each.url))
    page.on("websocket", lambda each: asked.append(each.url))
    page.add_init_script(_SHIFTS)

    visitor.goes_to("/")
    page.locator(".hero button.first").click()
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()

    assert len(asked) < 25, asked
    assert 30_000 < sum(weights) < 200_000
    files = [each for each in asked if "/api/" not in each]
    assert len(files) == len(set(files)), files
    assert sum(each.endswith(".woff2") for each in files) == fonts
    assert any(each.endswith("/words/ja.js") for each in asked) == (locale == "ja-JP")
    assert page.evaluate("shift") < 0.05
    ours = page.evaluate(_SAME)  # what a game of another package imports is not a second copy
    assert ours == [True, True]


def test_faces_do_not_come_between_a_press_and_its_table(comes: Comes) -> None:
    visitor = comes(wide=1280, new=True)
    page = visitor.page
    faces = page.locator(".hero-faces img")
    page.route("**/api/v1/session", lambda route: None)  # is not answered: the table is on its way
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from here on time is the test's

    visitor.goes_to("/")
    play = page.locator(".hero button.first:has(img)")
    expect(play).to_be_visible()
    play.click()
    expect(play).to_be_disabled()
    page.clock.run_for(5000)
    expect(faces).to_have_count(0)

    page.reload()
    expect(play).to_be_visible()

    def come() -> bool:
        page.clock.run_for(500)
        return faces.count() == 8

    until(come)


def test_the_frame_stays_while_a_table_loads(comes: Comes) -> None:
    visitor = comes()
    page = visitor.goes_to("/")
    page.route("**/app/screens/table.js", lambda route: None)  # never answered
    page.route_web_socket("**/ws/v1/*", lambda line: None)

    page.get_by_role("button", name="Play now").first.click()
    expect(page.locator(".empty-place")).to_have_count(2)
    expect(page.get_by_role("link", name="Home")).to_be_visible()

    page.unroute("**/app/screens/table.js")
    page.reload()  # the module is there, and still nothing is known about the table
    expect(page.locator(".empty-place")).to_have_count(2)
    expect(page.get_by_role("link", name="Home")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "sheet", "dressed", "there"),
    [
        ("/rules/ecard", "/app/table/examples.css", ".example", ".lessons"),
        ("/house/ecard", "/app/styles/house.css", ".house-step", ".house-games"),
    ],
)
def test_nothing_is_shown_before_its_style_sheet(
    comes: Comes, path: str, sheet: str, dressed: str, there: str
) -> None:
    page = comes().goes_to("/")
    held = list[Route]()
    page.route(f"**{sheet}", lambda route: held.append(route))
    with page.expect_request(f"**{sheet}"):
        page.goto(path, wait_until="commit")
    expect(page.locator(there).first).to_be_visible()
    page.evaluate(_HALF_A_SECOND)
    expect(page.locator(dressed)).to_have_count(0)

    held[0].continue_()
    expect(page.locator(dressed).first).to_be_visible()
