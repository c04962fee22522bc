"""What the browser is sent: which files, how large, under which policy."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import facedown
from facedown.core import registry
from facedown.web.assets import assets, edition
from facedown.web.bundle import Bundle, bundle
from facedown.web.live import live_pages
from facedown.web.serve import PAGES, pages

VENDOR: Final = Path(facedown.__file__).parent / "web/vendor"


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=pages(bundle())))


@pytest.mark.parametrize("path", [re.sub(r"\{\w+\}", "X1", each) for each in PAGES])
def test_every_address_of_the_client_is_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 200
    assert '<div id="app">' in answer.text
    assert answer.headers["cache-control"] == "no-cache"


def test_every_page_of_the_server_is_a_route_of_the_client() -> None:
    text = (VENDOR.parent / "app/router.js").read_text(encoding="utf-8")

    assert sorted(re.findall(r'^  \["(/[^"]*)", "\w+"\],$', text, flags=re.MULTILINE)) == sorted(PAGES)


def test_the_policy_lets_only_the_import_map_and_the_theme_stand_in_the_page(client: TestClient) -> None:
    answer = client.get("/")
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", answer.text, re.DOTALL)
    imports, theme = (body for _, body in scripts if body)
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in (theme, imports)]
    policy = answer.headers["content-security-policy"]

    assert "localStorage" in theme
    assert set(json.loads(imports)) == {"imports"}
    assert f"script-src 'self' 'sha256-{digests[0]}' 'sha256-{digests[1]}';" in policy
    assert "unsafe" not in policy
    assert "style=" not in answer.text
    assert not re.search(r"\son\w+=", answer.text)
    assert {"default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(policy.split("; "))


def test_every_answer_is_protected(client: TestClient) -> None:
    for path in ("/", "/sw.js", "/manifest.webmanifest", "/app/main.js", "/app/nothing.js"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"


def test_files_of_this_edition_are_cached_forever_and_others_are_revalidated(client: TestClient) -> None:
    kept = client.get(f"/v/{edition(assets(bundle()))}/app/main.js")
    asked = client.get("/app/main.js")
    again = client.get("/app/main.js", headers={"If-None-Match": asked.headers["etag"]})

    assert "immutable" in kept.headers["cache-control"]
    assert kept.content == asked.content
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/v/0000000000000000/app/main.js").status_code == 404


@pytest.mark.parametrize("path", ["/", "/sw.js", "/app/main.js", "/games/ecard/table.css"])
def test_no_answer_of_a_server_of_sources_is_kept_without_asking_again(path: str) -> None:
    client = TestClient(Starlette(routes=live_pages()))
    answer = client.get(path)

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert not re.search(r"/v/\w", client.get("/").text)


def test_nothing_outside_the_folders_is_sent(client: TestClient) -> None:
    for path in (
        "/app/../serve.py",
        "/app/%2e%2e/serve.py",
        "/vendor/preact.LICENSE",
        "/games/none/table.js",
    ):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br", "gzip, deflate, br, zstd"])
def test_every_encoding_holds_the_same_bytes(client: TestClient, encoding: str) -> None:
    body, brotli = bundle()["app/main.js"]
    with client.stream("GET", "/app/main.js", headers={"Accept-Encoding": encoding}) as answer:
        sent = b"".join(answer.iter_raw())
    encoded = answer.headers.get("content-encoding", "identity")

    assert encoded in encoding.replace("gzip, deflate, ", "")
    assert {"identity": body, "gzip": gzip.compress(body, 9, mtime=0), "br": brotli}[encoded] == sent


FORMS: Final[dict[str, Callable[[], Bundle | None]]] = {"bundle": bundle, "sources": lambda: None}
"""The client in its two forms."""


@pytest.mark.parametrize("form", FORMS)
def test_every_game_brings_its_table(form: str) -> None:
    found = assets(FORMS[form]())

    missing = [name for name in registry.names() if f"games/{name}/table.js" not in found]

    assert missing == []


@pytest.mark.parametrize("form", FORMS)
def test_every_import_leads_to_a_file(form: str) -> None:
    found = assets(FORMS[form]())
    broken = []
    for path, each in found.items():
        if not path.endswith(".js") or path.startswith("vendor/"):
            continue
        code = re.sub(r"/\*.*?\*/", "", each.body.decode(), flags=re.DOTALL)
        for target in re.findall(r"""(?:from|import)\s*\(?\s*"([./][^"]+\.js)\"""", code):
            if "import(" in target or "{" in target:
                continue
            base = Path("/") if target.startswith("/") else Path("/") / Path(path).parent
            wanted = Path(*Path(str((base / target.lstrip("/")).resolve())).parts[1:]).as_posix()
            if wanted not in found:
                broken.append(f"{path}: {target}")

    assert broken == []


def test_vendored_files_are_what_the_manifest_says() -> None:
    packages = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    listed = {file["path"]: file["sha256"] for package in packages for file in package["files"]}
    there = {path.name for path in VENDOR.iterdir()} - {"manifest.json"}

    assert {name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() for name in listed} == listed
    assert there == set(listed) | {package["licence_text"] for package in packages}
    assert all(package["licence"] in {"MIT", "Apache-2.0", "OFL-1.1"} for package in packages)


def test_it_can_be_installed(client: TestClient) -> None:
    manifest = client.get("/manifest.webmanifest").json()

    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).status_code == 200


def test_the_worker_keeps_this_edition_and_nothing_of_a_table(client: TestClient) -> None:
    worker = client.get("/sw.js").text

    assert edition(assets(bundle())) in worker
    assert "%" not in re.sub(r"\$\{[^}]*\}", "", worker.split("const EVERYTHING")[0])
    assert 'path.startsWith("api/")' in worker  # below the folder that the page is in
