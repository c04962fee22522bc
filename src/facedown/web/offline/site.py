"""The static site: the page, its files and Python for it in one folder, which any web server can serve.

Written whole or not at all. The page is the same as a server's; it only knows that there is none.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from facedown.core.errors import FacedownError
from facedown.files import reason
from facedown.web.assets import assets, edition
from facedown.web.bundle import Bundle
from facedown.web.offline.plugin_games import page_games
from facedown.web.offline.run_files import FOLDER, LIST, RunFiles
from facedown.web.serve import filled_page, first_screen, page_marks, page_policy

_README: Final = """\
Facedown as a static site: play against machines, pass and play, rules and reviews, without a server.

Any web server can serve this folder, at any address. On this computer:

    python -m http.server --directory {name} 8000

and then open http://127.0.0.1:8000/ in a browser. Opened as a file (file://…) it cannot run: browsers start
no worker from files.

Games stay in the browser in which they are played.

Under run/ is Pyodide (Python for browsers, https://pyodide.org, Mozilla Public License 2.0) with Python's
standard library (PSF License 2) and msgspec (BSD 3-Clause). The licences of the other libraries are in
run/*/code.zip under licences/, and those of the page's libraries under v/*/vendor/.
"""


class NoSite(FacedownError):
    """The folder for the site cannot be written."""

    code = "no_site"


def check_free(target: Path) -> None:
    """Raise `NoSite` unless the folder is new or empty, can be made, and has a name that can be typed."""
    if not target.name:
        raise NoSite("a folder is needed to write the site to, such as `facedown site out`")
    if not str(target).isprintable():  # the page of instructions in it repeats the name
        raise NoSite(
            f"{str(target)!r} has characters that do not print: name another folder", text=str(target)
        )
    parent = target.absolute().parent
    try:
        there = target.lstat()
    except FileNotFoundError:
        there = None
    except OSError as error:
        raise NoSite(f"cannot write {target}: {reason(error)}", text=str(target)) from None
    if there is not None and not target.is_dir():
        raise NoSite(f"{target} is a file: name a folder for the site", text=str(target))
    if there is not None and any(target.iterdir()):
        raise NoSite(f"the folder {target} is not empty: name a new one", text=str(target))
    if not parent.is_dir():
        raise NoSite(f"there is no folder {parent}", text=str(target))
    if not os.access(parent, os.W_OK):
        raise NoSite(f"cannot write {target}: permission denied", text=str(target))


def write_site(target: Path, bundle: Bundle | None, run: RunFiles) -> None:
    """Write the site into a new or empty folder; raises `NoSite`."""
    check_free(target)
    part: Path | None = None
    try:
        part = Path(mkdtemp(prefix=".site-", dir=target.absolute().parent))
        for path, body in _pages(bundle, target.name).items():
            _write(part / path, body)
        _write(part / FOLDER / LIST, run.listing)
        for path, body in run.ours.items():
            _write(part / FOLDER / path, body)
        for path, file in run.pyodide.items():
            _write(part / FOLDER / path, file.read_bytes())
        part.chmod(0o755)
        if target.is_dir():
            target.rmdir()
        os.replace(part, target)
    except OSError as error:
        raise NoSite(f"cannot write {target}: {reason(error)}") from None
    finally:
        if part is not None and part.exists():
            shutil.rmtree(part, ignore_errors=True)


def _pages(bundle: Bundle | None, name: str) -> dict[str, bytes]:
    """Everything but Python, by path."""
    found = assets(bundle)
    version = edition(found)
    marks = page_marks(found, version, "./")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(page_policy(marks))}">\n'
    marks |= {"SITE": " data-site", "POLICY": policy, "FIRST_SCREEN": first_screen(page_games())}
    own = {file: filled_page(file, marks) for file in ("index.html", "sw.js", "manifest.webmanifest")}
    files = {f"v/{version}/{path}": each.body for path, each in found.items()}
    return own | files | {"README.txt": _README.format(name=name).encode()}


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
