"""Link previews: Open Graph tags in the pages of invitations and finished games, for readers without script.

They hold what the page shows to anyone with the link, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from facedown.core.errors import FacedownError
from facedown.core.parts.story import Story, story_text
from facedown.core.text.translation import translate
from facedown.review.review import shown_names
from facedown.server import message
from facedown.server.http.embeds import EMBED, with_game
from facedown.server.http.endpoint import absolute_link, language_of
from facedown.server.http.images import HIGH, WIDE, ResultRow, can_draw, result_png
from facedown.server.http.services import RestServices


class Preview(NamedTuple):
    """The title and the description of a link."""

    title: str
    description: str
    headline: str = ""
    """Of a finished game: who won."""
    rows: tuple[ResultRow, ...] = ()
    """Of a finished game: the seats."""


def with_previews(pages: Sequence[BaseRoute], services: RestServices) -> list[BaseRoute]:
    """The same pages, those of invitations and finished games with their preview tags."""
    return [
        *(_with_preview(each, services) for each in pages),
        Route("/review/{table}/result.png", _image(services)),
    ]


def _image(services: RestServices) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        preview = await _preview_of(request, services)
        if preview is None or not preview.rows or not can_draw():
            return Response("not found\n", 404, media_type="text/plain")
        game, _, _ = preview.title.partition(": ")
        png = await asyncio.to_thread(result_png, game, preview.headline, preview.rows)
        return Response(png, media_type="image/png", headers={"cache-control": "public, max-age=3600"})

    return answer


def _with_preview(page: BaseRoute, services: RestServices) -> BaseRoute:
    if isinstance(page, Route) and page.path == EMBED:
        return with_game(page, services)
    if not isinstance(page, Route) or page.path not in ("/i/{code}", "/review/{table}"):
        return page
    plain = page.endpoint

    async def answer(request: Request) -> Response:
        preview = await _preview_of(request, services)
        if preview is None:
            return await plain(request)  # type: ignore[no-any-return]  # a handler of ours, which Starlette forgets
        unchanged = (b"accept-encoding", b"if-none-match")
        kept = [each for each in request.scope["headers"] if each[0] not in unchanged]
        response: Response = await plain(Request({**request.scope, "headers": kept}, request.receive))
        tags = _tags(preview, absolute_link(request, services.settings.public_url, ""), request.url.path)
        body = bytes(response.body).replace(b"</head>", tags.encode() + b"</head>", 1)
        passed = {k: v for k, v in response.headers.items() if k not in ("content-length", "etag")}
        return Response(body, response.status_code, passed | {"cache-control": "no-store"})

    return Route(page.path, answer)


def _tags(preview: Preview, base: str, path: str) -> str:
    drawn = bool(preview.rows) and can_draw()
    tags = {
        "og:site_name": "Facedown",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:image": base + (path + "/result.png" if drawn else "/app/icons/icon-512.png"),
        "og:url": base + path,
        "twitter:card": "summary_large_image" if drawn else "summary",
    }
    if drawn:
        tags |= {"og:image:width": str(WIDE), "og:image:height": str(HIGH), "og:image:alt": preview.title}
    return "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in tags.items())


async def _preview_of(request: Request, services: RestServices) -> Preview | None:
    """The preview of the page; None if anyone with the link may not know anything."""
    try:
        if "code" in request.path_params:
            return await _invitation(request, services)
        return await _finished_game(request, services)
    except FacedownError:
        return None


async def _invitation(request: Request, services: RestServices) -> Preview | None:
    address = request.client.host if request.client is not None else ""
    table = await services.invited_table(request.path_params["code"], address)
    if table is None:
        return None
    language, host = language_of(request), await services.store.person(table.host)
    title = translate(table.title, language)
    invites = message("preview.invite", host=host.name, game=title) if host is not None else title
    free = sum(not each.taken for each in table.info(None).seats)
    return Preview(translate(invites, language), translate(message("preview.free", free=free), language))


async def _finished_game(request: Request, services: RestServices) -> Preview | None:
    table, language = await services.table(request.path_params["table"]), language_of(request)
    info = table.info(None)
    if not table.may_watch(None) or info.result is None:
        return None
    names = shown_names([each.machine or each.name for each in info.seats], info.game, language)
    winner = info.result.winner
    ending = message("preview.drawn") if winner is None else message("preview.won", name=names[winner - 1])
    headline = translate(ending, language)
    scores = info.result.score
    has_scores = len(set(scores)) > 1 and max(scores) > 1  # 1 and 0 only repeat who won
    rows = tuple(
        ResultRow(name, scores[seat - 1] if has_scores else None, seat == winner)
        for seat, name in enumerate(names, 1)
    )
    said = [" – ".join(names)]
    if isinstance(info.story, Story):
        said.append(story_text(info.game, info.story, names, language))
    return Preview(f"{translate(table.title, language)}: {headline}", ". ".join(said), headline, rows)
