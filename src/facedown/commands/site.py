"""`facedown site`: the games as a static site, which any web server or USB stick can carry."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from facedown.cli.extras import check_extra

_LIBRARIES: Final = ("anyio", "msgspec", "prometheus_client", "starlette", "structlog", "websockets")


def run(arguments: argparse.Namespace) -> None:
    """Write the site, and print how to look at it."""
    check_extra("a site needs", "server", *_LIBRARIES)
    from facedown.server.settings import Settings
    from facedown.web.bundle import NoBundle, bundle
    from facedown.web.offline.plugin_games import exclusions, page_games
    from facedown.web.offline.pyodide import ABOUT_MB, cache_folder, find_pyodide, require_pyodide
    from facedown.web.offline.run_files import run_files
    from facedown.web.offline.site import check_free, write_site

    target = Path(arguments.folder).expanduser()
    check_free(target)
    cache = cache_folder()
    if find_pyodide(cache) is None:
        print(f"fetching Python for browsers into {cache} (once, {ABOUT_MB} MB)", file=sys.stderr, flush=True)
    pyodide = require_pyodide(cache)
    try:
        client = bundle()
    except NoBundle as error:
        print(f"the site will load slowly: {error}", file=sys.stderr)
        client = None
    write_site(target, client, run_files(pyodide, Settings.read({}, os.environ).machine_pause))
    for name, why in exclusions().items():
        print(f"The game {name!r} is left out: {why}.")
    print(f"Games: {', '.join(page_games())}.")
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file()) / 1e6
    print(f"The site is in {target} ({size:.0f} MB); any web server can serve it. On this computer:")
    print(f"  {Path(sys.executable).name} -m http.server --directory {target} 8000")
    print("and open http://127.0.0.1:8000/ (opened as a file, browsers do not run it)")
