"""Links that people open or scan: pages of this server as absolute addresses, and QR codes."""

from __future__ import annotations

import io

from starlette.requests import Request


def invite_path(code: str) -> str:
    """The page of an invitation."""
    return f"/i/{code}"


def handover_path(code: str, table: str | None = None) -> str:
    """The page that takes a session over, and then opens a table.

    >>> handover_path("ABC"), handover_path("ABC", "T1")
    ('/h/ABC', '/h/ABC?to=/t/T1')
    """
    return f"/h/{code}" if table is None else f"/h/{code}?to=/t/{table}"


def absolute_link(request: Request, public_url: str, path: str) -> str:
    """A path of this server as an absolute address: at the public URL, else at the request's own host."""
    base = public_url or f"{request.url.scheme}://{request.headers.get('host', '')}"
    return base + path


def qr_svg(text: str) -> str:
    """The text as a QR code, an SVG that fills its box."""
    import segno

    drawn = io.BytesIO()
    code = segno.make(text, micro=False)
    code.save(drawn, kind="svg", border=3, light="#ffffff", xmldecl=False, omitsize=True)
    return drawn.getvalue().decode()
