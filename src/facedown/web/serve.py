"""The routes of the browser's pages: one page for every address of the client, and its files, cached forever.

Owns the Content-Security-Policy. Knows nothing of tables: those are behind `/api` and `/ws`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.text.translation import ENGLISH, Text, language_offered, languages, translate
from facedown.web.assets import Asset, asset, assets, edition
from facedown.web.bundle import LIBRARIES, Bundle
from facedown.web.words import is_another_language, shell_texts

PAGES: Final = (
    "/",
    "/new",
    "/t/{table}",
    "/i/{code}",
    "/rules",
    "/rules/{game}",
    "/review/{table}",
    "/explore",
    "/explore/{game}",
    "/train",
    "/train/{game}",
    "/house",
    "/house/{game}",
    "/today",
    "/people",
    "/people/{handle}",
    "/tournaments",
    "/tournaments/{tournament}",
    "/me",
    "/me/games",
    "/me/readable",
    "/notices",
    "/settings",
    "/tables",
    "/about",
    "/h",
    "/account",
    "/account/programs",
    "/sign-in",
    "/operate",
)
"""Every address of the client: the page is the same, the browser reads the address."""

_FOLDERS: Final = ("app", "vendor", "words", "games")
_BOOT: Final = "app/theme_boot.js"
"""Inlined in the page."""
_KIT: Final = "app/kit.js"
_AT_ONCE: Final = ("app/screens/home.js", "app/screens/new_table.js")


def pages(bundle: Bundle | None, also: Sequence[BaseRoute] = (), off: Sequence[str] = ()) -> list[BaseRoute]:
    """All routes of the browser's client, which says nothing of what is `off`; without a bundle it is sent
    from its sources, file by file."""
    found = assets(bundle)
    name = edition(found)
    marks = page_marks(found, name) | {"OFF": " ".join(off)}
    kept = _headers(marks) | {"Cache-Control": "public, max-age=31536000, immutable"}
    *routes, elsewhere = client_routes(found, marks, "no-cache")
    files = Route(f"/v/{name}/{{path:path}}", _answer(found, "{path}", kept))
    return [*routes, files, *also, elsewhere]


def client_routes(found: Mapping[str, Asset], marks: dict[str, str], caching: str) -> list[Route]:
    """The pages with these marks, and the files at their own addresses; the last is for unknown addresses."""
    page = asset(filled_page("index.html", marks | {"FIRST_SCREEN": ""}), ".html")
    home = asset(filled_page("index.html", marks | {"FIRST_SCREEN": first_screen()}), ".html")
    at_root = {
        "/sw.js": asset(filled_page("sw.js", marks), ".js"),
        "/manifest.webmanifest": asset(filled_page("manifest.webmanifest", marks), ".webmanifest"),
    }
    asked = _headers(marks) | {"Cache-Control": caching}
    return [
        *(Route(path, _answer({path: home if path == "/" else page}, path, asked)) for path in PAGES),
        *(Route(path, _answer(at_root, path, asked)) for path in at_root),
        *(
            Route(f"/{folder}/{{path:path}}", _answer(found, f"{folder}/{{path}}", asked))
            for folder in _FOLDERS
        ),
        _Elsewhere("/{path:path}", _answer({"": page}, "", asked, 404)),
    ]


class _Elsewhere(Route):
    """The page for an unknown address, for people; programs get a problem document."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        asks = dict(scope.get("headers", ())).get(b"accept", b"")
        shut = scope.get("path", "").startswith(("/api/", "/ws/", "/v/"))
        if scope["type"] != "http" or scope["method"] != "GET" or shut or b"text/html" not in asks:
            return Match.NONE, {}
        return super().matches(scope)


def page_marks(found: Mapping[str, Asset], name: str, root: str = "/") -> dict[str, str]:
    """What is filled into our pages: the edition, where modules come from, what to fetch and to keep.

    Without the name of an edition, files come from their own addresses, and nothing is kept.
    """
    base = f"{root}v/{name}" if name else root.rstrip("/")
    libraries = {bare: f"{base}/{path}" for bare, path in LIBRARIES.items() if path in found}
    folders = {f"/{folder}/": f"{base}/{folder}/" for folder in _FOLDERS}
    folders[f"{root}v/"] = f"{root}v/"  # where it is: a site may be in a folder called `app` or `games`
    unhurried = ' fetchpriority="low"'
    return {
        "THEME_BOOT": found[_BOOT].body.decode().strip().replace("%BASE%", base),
        "BASE": base,
        "EDITION": name,
        "ROOT": root,
        "SITE": "",
        "OFF": "",
        "LANGUAGES": escape(
            json.dumps({each: language_offered(each) for each in languages()}, ensure_ascii=False)
        ),
        "POLICY": "",
        "IMPORT_MAP": json.dumps({"imports": libraries | folders}, separators=(",", ":")),
        "MODULES_AHEAD": "\n".join(
            f'<link rel="modulepreload" href="{base}/{path}"{"" if path == _KIT else unhurried}>'
            for path in found
            if _is_ahead(path, found)
        ),
        "EVERYTHING": '","'.join(f"{base}/{path}" for path in found if name and _is_kept(path, found)),
    }


def _is_kept(path: str, found: Mapping[str, Asset]) -> bool:
    """Whether the service worker keeps a file for every reader, for times without a network."""
    only_for_others = re.fullmatch(r"app/(html|table/\w+)\.\w+", path) and _KIT in found
    return not (
        path.endswith((".json", ".png")) or path == _BOOT or is_another_language(path) or only_for_others
    )


def _is_ahead(path: str, found: Mapping[str, Asset]) -> bool:
    """Whether home needs a module, which is then asked for before another module imports it."""
    if not path.endswith(".js") or path in (_BOOT, "app/contract.js") or is_another_language(path):
        return False
    if _KIT in found:  # bundled
        return path == _KIT or path.startswith("app/at_table.") or path == f"games/{_first_game()}/table.js"
    return path in _AT_ONCE or not path.startswith(("games/", "app/screens/", "words/"))


def filled_page(file: str, marks: Mapping[str, str]) -> bytes:
    """A file of ours with its marks filled in."""
    text = (resources.files("facedown.web") / file).read_text(encoding="utf-8")
    for mark, value in marks.items():
        text = text.replace(f"%{mark}%", value)
    return text.encode()


def _script_source(marks: Mapping[str, str]) -> str:
    inline = (marks["THEME_BOOT"], marks["IMPORT_MAP"])
    digests = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in inline)
    return " ".join(("script-src 'self'", *(f"'sha256-{digest}'" for digest in digests)))


def page_policy(marks: Mapping[str, str]) -> tuple[str, ...]:
    """What a page may do: load from here, and run no script but ours."""
    return (
        "default-src 'self'",
        _script_source(marks),
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "trusted-types facedown",  # the one policy names our two workers, and nothing else
        "require-trusted-types-for 'script'",
    )


def _headers(marks: Mapping[str, str]) -> dict[str, str]:
    return {
        "Content-Security-Policy": "; ".join((*page_policy(marks), "frame-ancestors 'none'")),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def _answer(
    found: Mapping[str, Asset], address: str, headers: Mapping[str, str], status: int = 200
) -> Callable[[Request], Awaitable[Response]]:
    """Answers with the file at an address; `{path}` in it is filled from the request."""

    async def answer(request: Request) -> Response:
        each = found.get(address.replace("{path}", request.path_params.get("path", "")))
        if each is None:
            return Response("not found", 404, headers, "text/plain")
        sent = dict(headers) | {"ETag": f'"{each.digest[:32]}"', "Vary": "Accept-Encoding"}
        if status == 200 and request.headers.get("if-none-match") == sent["ETag"]:
            return Response(None, 304, sent)
        accepted = request.headers.get("accept-encoding", "").split(",")
        taken = {coding.partition(";")[0].strip() for coding in accepted}
        for encoding, body in each.encoded.items():
            if encoding in taken:
                return Response(body, status, sent | {"Content-Encoding": encoding}, each.type)
        return Response(each.body, status, sent, each.type)

    return answer


# --- the first screen ------------------------------------------------------------------------------------


_BUTTON: Final = '<span class="button first big"><span>&nbsp;<small>&nbsp;</small></span></span>'
_CONTROLS: Final = _BUTTON * 2 + '<span class="plain with-icon"><span class="link">&nbsp;</span></span>' * 2
"""The room that they will take."""


def first_screen(names: Sequence[str] = ()) -> str:
    """The home screen's markup before any module is loaded: the games in words, and no control yet.

    Its boxes have the positions and sizes of the home screen's, so that nothing jumps; a first visit
    (`data-fresh`) has no list of games. Every text is there in every language; `theme_boot.js` shows the
    reader's.
    """
    listed = _in_order(names or registry.names())
    offers = "".join(_offer(game, is_lit=game is listed[0]) for game in listed)
    says, then, lead, fresh = (
        _shell_text(f"home.{key}") for key in ("says", "says_then", "lead", "first.lead")
    )
    return (
        '<main class="page home" aria-busy="true"><div class="lamp hero"><div>'
        f'<h1 class="home-says">{says} <span>{then}</span></h1><p class="home-lead">{lead}'
        f' <span class="home-fresh">{fresh}</span></p>'
        f'<div class="hero-go" aria-hidden="true">{_BUTTON}</div></div><div class="hero-cards"></div></div>'
        f'<div class="home-body"><div class="home-games">{offers}</div>'
        '<div class="home-lists"></div></div></main>'
    )


def _in_order(names: Sequence[str]) -> list[AnyGame]:
    """Games as home lists them: duels first."""
    return sorted((registry.get(name) for name in names), key=lambda each: each.meta.most_seats)


def _first_game() -> str:
    """The game of a first visit; the others are loaded once home shows them."""
    return next((game.name for game in _in_order(registry.names())), "")


def _offer(game: AnyGame, *, is_lit: bool) -> str:
    return (
        f'<section class="lamp home-game" data-lit="{str(is_lit).lower()}">'
        '<span class="emblem emblem-fan"></span>'
        f"<h2>{_in_every_language(game.meta.title)}</h2><p>{_in_every_language(game.meta.summary)}</p>"
        f'<div class="home-acts" aria-hidden="true">{_CONTROLS}</div></section>'
    )


def _in_every_language(text: Text) -> str:
    return _each_language({each: translate(text, each) for each in languages()})


def _shell_text(key: str) -> str:
    english = shell_texts("", ENGLISH)
    return _each_language({each: str((english | shell_texts("", each))[key]) for each in languages()})


def _each_language(texts: Mapping[str, str]) -> str:
    return "".join(f'<span lang="{language}">{escape(text)}</span>' for language, text in texts.items())
