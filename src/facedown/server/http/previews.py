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

from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.parts.story import Story, drawn_cards, story_text
from facedown.core.text.translation import ENGLISH, translate
from facedown.protocol.messages import TableInfo
from facedown.review.review import shown_names
from facedown.server import message
from facedown.server.http.endpoint import absolute_link, language_of
from facedown.server.http.images import (
    HIGH,
    WIDE,
    Result,
    ResultRow,
    ShownCard,
    can_draw,
    can_write,
    result_png,
)
from facedown.server.http.services import RestServices
from facedown.server.table.table import Table


class Preview(NamedTuple):
    """The title and the description of a link."""

    title: str
    description: str
    result: Result | None = None
    """Of a finished game."""


def with_previews(pages: Sequence[BaseRoute], services: RestServices) -> list[BaseRoute]:
    """The same pages, those of invitations and finished games with their preview tags."""
    return [
        *(_with_preview(each, services) for each in pages),
        Route("/review/{table}/result.png", _image(services)),
    ]


def _image(services: RestServices) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        preview = await _preview_of(request, services)
        if preview is None or preview.result is None or not can_draw():
            return Response("not found\n", 404, media_type="text/plain")
        png = await asyncio.to_thread(result_png, preview.result)
        return Response(png, media_type="image/png", headers={"cache-control": "public, max-age=3600"})

    return answer


def _with_preview(page: BaseRoute, services: RestServices) -> BaseRoute:
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
    drawn = preview.result is not None and can_draw()
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
    names = [each.machine or each.name for each in info.seats]
    result = drawn = _result(table, info, names, language)
    if can_draw() and not can_write("".join([result.title, result.headline, *names])):
        # our typeface has the letters of few languages: the image is in English, and such names are not in it
        drawn = _result(table, info, [each if can_write(each) else "" for each in names], ENGLISH)
    if can_draw() and not can_write(drawn.story):
        drawn = drawn._replace(story="")  # signs of suits
    said = [" – ".join(row.name for row in result.rows), *([result.story] if result.story else [])]
    return Preview(f"{result.title}: {result.headline}", ". ".join(said), drawn)


def _result(table: Table, info: TableInfo, seats: Sequence[str], language: str) -> Result:
    """What the preview and its image say of a finished game."""
    assert info.result is not None
    names = shown_names(seats, info.game, language)
    winner, scores = info.result.winner, info.result.score
    ending = message("preview.drawn") if winner is None else message("preview.won", name=names[winner - 1])
    has_scores = len(set(scores)) > 1 and max(scores) > 1  # 1 and 0 only repeat who won
    rows = [
        ResultRow(name, scores[seat - 1] if has_scores else None, seat == winner)
        for seat, name in enumerate(names, 1)
    ]
    story = story_text(info.game, info.story, names, language) if isinstance(info.story, Story) else ""
    words, drawn = registry.messages(info.game), drawn_cards(info.game)
    cards = [
        ShownCard(
            drawn.index(each.pick),
            translate(words(f"card.{each.pick}"), language) if words.has(f"card.{each.pick}") else "",
            each.won,
        )
        for each in table.deciding_cards
        if each.pick in drawn
    ]
    title = translate(table.title, language)
    return Result(title, translate(ending, language), story, tuple(rows), info.game, tuple(cards))
