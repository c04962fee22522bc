"""The documentation site as `facedown docs` serves it: whole, searchable, and without a dead link."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from playwright.sync_api import expect

import facedown
from facedown.core import registry
from facedown.documentation import pages as sources
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, tag_of
from facedown.server.app import ENDPOINTS
from tests.cli.installed import ROOT, Installed, extend, install_once, locked_folder
from tests.patience import PATIENCE
from tests.web.chromium import chromium

DOCS = ROOT / "docs"
_SERVE = """
import shutil, sys
from facedown.cli.main import main
from facedown.commands import docs
docs._build = lambda folder: shutil.copytree(sys.argv[1], folder, dirs_exist_ok=True)
sys.exit(main(["docs"]))
"""
"""`facedown docs`, with pages that were built before."""


class Page(HTMLParser):
    """What a page has and asks for: its language, ids, links, and files of pictures, scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.language = ""
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.translations: list[str] = []
        self.files: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if "id" in known:
            self.ids.add(known["id"])
        if tag == "html":
            self.language = known.get("lang", "")
        if tag == "a" and "href" in known:
            self.links.append(known["href"])
            if "hreflang" in known:
                self.translations.append(known["href"])
        elif tag == "link" and known.get("rel") in ("stylesheet", "icon", "preload"):
            self.files.append(known["href"])
        elif "src" in known:
            self.files.append(known["src"])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the wheel, with the pages that only a checkout has; built once in a run."""
    wheel = install_once(tmp_path_factory)
    with locked_folder(tmp_path_factory, "documentation") as folder:
        if not (folder / "site").exists():
            installed = extend(wheel, folder / "environment", "docs")
            packed = own_package(installed) / "documentation" / "packed"
            for name in sources._PROJECT:
                (packed / name).parent.mkdir(exist_ok=True)
                shutil.copyfile(ROOT / name, packed / name)
            (done,) = installed.run_all([(["docs", "--build", "site"], "")])
            assert (done.status, done.err) == (0, "")
            (installed.folder / "site").rename(folder / "site")
    return folder / "site"


def own_package(installed: Installed) -> Path:
    """The package of an environment, which it shared with others, for itself."""
    package = installed.packages / "facedown"
    shared_with = package.resolve()
    package.unlink()
    shutil.copytree(shared_with, package)
    return package


@pytest.fixture(scope="module")
def site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site."""
    command = [sys.executable, "-c", _SERVE, str(built)]
    folder = tmp_path_factory.mktemp("docs")
    with (folder / "errors").open("w+") as errors:
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ}
        )
        assert process.stdout is not None
        with process.stdout:
            output = process.stdout.readline()
            if " at http" not in output:
                process.wait(PATIENCE)
                pytest.fail((folder / "errors").read_text())
            try:
                yield output.partition(" at ")[2].partition(";")[0]
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(PATIENCE)


def fetch(address: str) -> bytes | None:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            body: bytes = answer.read()
            return body
    except urllib.error.HTTPError as error:
        error.close()
        return None


@pytest.fixture(scope="module")
def pages(site: str) -> dict[str, Page]:
    """Every page that can be reached by links from the first, by its address."""
    found: dict[str, Page] = {}
    waiting = [f"{site}index.html"]
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        text = fetch(address)
        assert text is not None, f"a page links to {address}, which is not there"
        found[address] = Page(text.decode())
        targets = (urldefrag(urljoin(address, link)).url for link in found[address].links)
        waiting += [each for each in targets if each.startswith(site) and each.endswith(".html")]
    return found


def test_a_checkout_has_pages_of_its_own() -> None:
    assert sources.find_sources() == ROOT


def test_every_page_is_there(site: str, pages: dict[str, Page]) -> None:
    wanted = {path.stem for path in DOCS.glob("*.md")} | {"reference", "rest", *sources._PROJECT.values()}
    wanted |= {f"rules/{name}" for name in registry.names()}

    assert {f"{site}{name}.html" for name in wanted} <= set(pages)


def test_every_link_leads_to_a_page_and_a_place_on_it(site: str, pages: dict[str, Page]) -> None:
    dead = []
    files = set()
    for address, page in pages.items():
        for link in page.links:
            target, place = urldefrag(urljoin(address, link))
            if not target.startswith(site):
                continue
            if target not in pages:
                files.add(target)
            elif place and unquote(place) not in pages[target].ids:
                dead.append(f"{address}: {link}")
        files |= {urljoin(address, file) for file in page.files}

    assert dead == []
    assert [file for file in files if not file.startswith((site, "data:"))] == []  # nothing of other hosts
    assert [file for file in files if file.startswith(site) and fetch(file) is None] == []


def test_a_language_is_a_site_of_its_own(site: str, pages: dict[str, Page]) -> None:
    """Navigation stays in a page's language; only links that name the other language lead there."""
    japanese = {address: page for address, page in pages.items() if address.startswith(f"{site}ja/")}

    assert {f"{site}ja/{page}.html" for page in ("index", "rules/ecard", "rules/davenport")} <= set(japanese)
    for address, page in pages.items():
        assert page.language == ("ja" if address in japanese else "en"), address
        inside = {
            urldefrag(urljoin(address, link)).url for link in page.links if link not in page.translations
        }
        assert [to for to in inside if to in pages and (to in japanese) != (address in japanese)] == []
    title = (
        (fetch(f"{site}ja/rules/ecard.html") or b"").decode().partition("<title>")[2].partition("</title>")[0]
    )
    assert title.startswith("Eカード - Facedown 日本語")
    assert [f"{site}ja/rules/ecard.html"] == [
        urljoin(f"{site}rules/", link) for link in pages[f"{site}rules/ecard.html"].translations
    ]


def test_the_reference_has_every_public_name(site: str, pages: dict[str, Page]) -> None:
    names = {f"facedown.{name}" for name in getattr(facedown, "__all__", ()) if not name.startswith("_")}

    assert names <= pages[f"{site}reference.html"].ids


def test_the_pages_on_the_protocol_have_every_message_and_call(site: str, pages: dict[str, Page]) -> None:
    tags = {tag_of(each) for each in (*CLIENT_MESSAGES, *SERVER_MESSAGES)}

    assert tags <= pages[f"{site}protocol.html"].ids
    text = (fetch(f"{site}rest.html") or b"").decode()
    assert [each.path for each in ENDPOINTS if f"{each.method} {each.path}" not in text] == []
    for name, key in (("openapi.json", "openapi"), ("asyncapi.json", "asyncapi"), ("schema.json", "$defs")):
        assert key in json.loads(fetch(f"{site}{name}") or b"{}")


def test_it_is_found_by_words_on_a_phone_in_the_dark(site: str) -> None:
    output: list[str] = []
    asked: list[str] = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 360, "height": 700}, color_scheme="dark")
        page.on("console", lambda message: output.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: output.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site}search.html?q=idempotency")
        result = page.locator("#search-results li a[href*='protocol.html']").first
        expect(result).to_be_visible()
        result.click()
        expect(page.locator("h1")).to_contain_text("The protocol")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        light = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")

    assert wide <= 0
    assert max(light[:3]) < 80
    assert [each for each in output if each.startswith(("error", "warning"))] == []
    assert [each for each in asked if not each.startswith((site, "data:"))] == []
